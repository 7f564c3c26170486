import { FileInput, Progress, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, write } from '../../api/client.ts';
import { EditForm } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { REQUIRED } from '../../components/required.ts';
import { isWithin } from '../../components/within.ts';
import { STALE } from '../licences/queries.ts';
import { OfferFields } from './offer-fields.tsx';
import { getReleasesPath, type Release } from './queries.ts';
import { Uploads } from './upload.ts';

const EMPTY = {
  file: null as File | null,
  signature: '',
  version: '',
  channel: 'stable',
  rollout_percent: 100 as number | string,
  security: false,
  changelog: '',
  sbom: null as File | null,
};
type Fields = typeof EMPTY;

const route = getRouteApi('/app/products/$slug/releases/new');

/** Uploads a signed file and publishes it. */
export function NewRelease() {
  const { slug } = route.useParams();
  const navigate = useNavigate();
  const [share, setShare] = useState<number>();
  const [uploads] = useState(() => new Uploads());
  const form = useForm<Fields>({
    initialValues: EMPTY,
    validate: {
      file: (value) => (value ? null : 'Choose a file.'),
      signature: (value) => (value.trim() ? null : 'Enter the signature.'),
      rollout_percent: isWithin(0, 100),
    },
  });

  async function publish({ file, sbom, ...fields }: Fields): Promise<Release> {
    if (!file) throw new Error('Choose a file.');
    try {
      const file_id = await uploads.send(slug, { file, field: 'file' }, setShare);
      const sbom_file_id = sbom
        ? await uploads.send(slug, { file: sbom, field: 'sbom' })
        : undefined;
      return await write<Release>('POST', getReleasesPath(slug), {
        file_id,
        sbom_file_id,
        signature: fields.signature.trim(),
        version: fields.version.trim() || undefined,
        channel: fields.channel,
        rollout_percent: Number(fields.rollout_percent),
        security: fields.security,
        changelog: fields.changelog.trim() || undefined,
      });
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 409))
        uploads.clear();
      throw error;
    } finally {
      setShare(undefined);
    }
  }

  return (
    <Page
      title="Publish a release"
      intro="Version and requirements are read from the header of a WordPress plugin."
      back={{ to: '/products/$slug/releases', params: { slug }, label: 'Releases' }}
    >
      <EditForm
        form={form}
        stale={STALE}
        send={publish}
        save="Publish"
        done="The release was published."
        onDone={({ id }) =>
          navigate({ to: '/products/$slug/releases/$id', params: { slug, id: String(id) } })
        }
      >
        <FileInput
          label="File"
          description="The ZIP of the plugin, or another file"
          withAsterisk
          {...form.getInputProps('file')}
        />
        {share !== undefined && (
          <Progress.Root>
            <Progress.Section value={share * 100} aria-label="Upload" />
          </Progress.Root>
        )}
        <Textarea
          label="Signature"
          description="The output of pavis release sign"
          {...REQUIRED}
          minRows={2}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('signature')}
        />
        <OfferFields
          form={form}
          rollout="Share of sites that are offered it"
          changelog="If empty, the changelog of readme.txt is used"
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Version"
            description="Only if the file is not a WordPress plugin"
            placeholder="2.5.0"
            {...form.getInputProps('version')}
          />
          <FileInput
            label="SBOM"
            description="CycloneDX or SPDX in JSON"
            accept=".json,application/json"
            {...form.getInputProps('sbom')}
          />
        </SimpleGrid>
      </EditForm>
    </Page>
  );
}
