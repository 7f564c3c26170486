import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { putChanged, write } from '../../api/client.ts';
import { Allowed } from '../../components/access.tsx';
import { Facts } from '../../components/facts.tsx';
import { EditForm, useChange } from '../../components/form.tsx';
import { formatDay, formatMoment, formatNumber } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { ConfirmWithReasonButton } from '../../components/reason.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { isWithin } from '../../components/within.ts';
import { NoLicences } from '../licences/no-licences.tsx';
import { STALE } from '../licences/queries.ts';
import { OfferFields } from './offer-fields.tsx';
import { RELEASES, type Release, releaseQuery } from './queries.ts';

const route = getRouteApi('/app/products/$slug/releases/$id');
const REASON_MAX_LENGTH = 500;

/** A release: details, rollout, and whether it is yanked. */
export function ReleaseScreen() {
  const { slug, id } = route.useParams();
  const release = useQuery(releaseQuery(id));
  const { data } = release;
  return (
    <Page
      title={data ? `Release ${data.version}` : 'Release'}
      {...(data && { intro: <span className="mono break">{data.file_name}</span> })}
      back={{ to: '/products/$slug/releases', params: { slug }, label: 'Releases' }}
      actions={
        data && (
          <Allowed>
            <YankButton release={data} />
          </Allowed>
        )
      }
    >
      <QueryResult query={release} lines={8} absent={<NoLicences />}>
        {(found) => (
          <Stack>
            {found.yanked_at !== null && (
              <Alert maw="44rem" color="red" title={`Yanked on ${formatDay(found.yanked_at)}`}>
                {found.yank_reason ?? 'No reason was given.'}
              </Alert>
            )}
            <OfferForm key={found.id} release={found} />
            <File release={found} />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

function YankButton({ release: { id, version, yanked_at } }: { release: Release }) {
  const changing = useChange({
    change: (edits: { yanked: boolean; yank_reason?: string }) =>
      write('PUT', `${RELEASES}/${id}`, edits),
    stale: STALE,
    done: yanked_at === null ? 'The release was yanked.' : 'The release is offered again.',
  });
  if (yanked_at !== null)
    return (
      <Button
        variant="default"
        loading={changing.isPending}
        onClick={() => changing.mutate({ yanked: false })}
      >
        Restore
      </Button>
    );
  return (
    <ConfirmWithReasonButton
      field="yank"
      title={`Yank ${version}?`}
      text="It is not offered any more, and its download links stop working. Sites that have installed it keep it."
      label="Reason"
      confirm="Yank"
      maxLength={REASON_MAX_LENGTH}
      isBusy={changing.isPending}
      onConfirm={(yank_reason, then) => changing.mutate({ yanked: true, yank_reason }, then)}
      button={(open) => (
        <Button variant="default" color="red" onClick={open}>
          Yank
        </Button>
      )}
    />
  );
}

function OfferForm({ release }: { release: Release & { etag: string } }) {
  const initial = {
    channel: release.channel as string,
    rollout_percent: release.rollout_percent as number | string,
    security: release.security,
    changelog: release.changelog,
  };
  const form = useForm({
    initialValues: initial,
    validate: { rollout_percent: isWithin(0, 100) },
  });
  return (
    <EditForm
      form={form}
      initial={initial}
      etag={release.etag}
      stale={STALE}
      send={(fields: typeof initial, pickChanged, tag) => {
        const body = { ...fields, rollout_percent: Number(fields.rollout_percent) };
        return putChanged<Release>(`${RELEASES}/${release.id}`, pickChanged(body), release, tag);
      }}
    >
      <OfferFields form={form} rollout="A larger share only adds sites" />
    </EditForm>
  );
}

const File = ({ release }: { release: Release }) => (
  <Section title="File">
    <Facts
      items={[
        ['Published', formatMoment(release.published_at)],
        ['Downloads', formatNumber(release.downloads)],
        ['Bytes', formatNumber(release.bytes)],
        ['WordPress', release.requires_wp && `${release.requires_wp} or later`],
        ['Tested up to', release.tested_wp],
        ['PHP', release.requires_php && `${release.requires_php} or later`],
        ['Update URI', release.update_uri && <span className="break">{release.update_uri}</span>],
        ['SBOM', release.sbom && (release.sbom === 'spdx' ? 'SPDX' : 'CycloneDX')],
        [
          'SHA-256',
          <span key="sha" className="mono break">
            {release.sha256}
          </span>,
        ],
        [
          'Signature',
          <span key="sig" className="mono break">
            {release.signature}
          </span>,
        ],
      ]}
    />
  </Section>
);
