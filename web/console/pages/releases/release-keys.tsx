import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { Allowed } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { ConfirmButton, showFieldErrors, useChange } from '../../components/form.tsx';
import { formatDay } from '../../components/format.ts';
import { REQUIRED } from '../../components/required.ts';
import { Section } from '../../components/section.tsx';
import { DataTable } from '../../components/table.tsx';
import { ADMIN_PATH, STALE } from '../licences/queries.ts';
import { getKeysPath, type ReleaseKey, releaseKeysQuery } from './queries.ts';

/** The public release keys of a product. */
export function ReleaseKeys({ slug }: { slug: string }) {
  const keys = useQuery(releaseKeysQuery(slug));
  const retiring = useChange({
    change: (id: number) => write('POST', `${ADMIN_PATH}/release-keys/${id}/retire`),
    stale: STALE,
    done: 'The key was retired.',
  });
  return (
    <Section title="Release keys">
      <Text c="dimmed">
        A release must be signed with one of these keys. Create a key with{' '}
        <span className="mono">pavis release keygen</span> where you build your releases, and add
        its public key here. The private key stays with you.
      </Text>
      {keys.data && keys.data.length > 0 && (
        <DataTable
          label="Release keys"
          rows={keys.data}
          getKey={({ id }) => id}
          columns={[
            {
              title: 'Name',
              cell: ({ name, retired_at }) => (
                <Group gap="xs">
                  <span className="break">{name}</span>
                  {retired_at !== null && <StatusBadge>Retired</StatusBadge>}
                </Group>
              ),
            },
            {
              title: 'Public key',
              cell: ({ public_key }) => <span className="mono break">{public_key}</span>,
            },
            { title: 'Added', cell: ({ added_at }) => formatDay(added_at) },
            {
              title: '',
              cell: (key) => (
                <Retire releaseKey={key} isBusy={retiring.isPending} onRetire={retiring.mutate} />
              ),
            },
          ]}
        />
      )}
      <Allowed>
        <AddKey slug={slug} />
      </Allowed>
    </Section>
  );
}

function Retire({
  releaseKey: { id, name, retired_at },
  isBusy,
  onRetire,
}: {
  releaseKey: ReleaseKey;
  isBusy: boolean;
  onRetire: (id: number) => void;
}) {
  if (retired_at !== null) return null;
  return (
    <ConfirmButton
      title={`Retire ${name}?`}
      text="The key signs no new releases. Releases that it has signed stay as they are. This cannot be undone."
      confirm="Retire"
      isBusy={isBusy}
      onConfirm={() => onRetire(id)}
      button={(open) => (
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          onClick={open}
          aria-label={`Retire ${name}`}
        >
          Retire
        </Button>
      )}
    />
  );
}

function AddKey({ slug }: { slug: string }) {
  const form = useForm({
    initialValues: { name: '', public_key: '' },
    validate: {
      name: (value) => (value.trim() ? null : 'Enter a name.'),
      public_key: (value) => (value.trim() ? null : 'Enter the public key.'),
    },
  });
  const adding = useChange({
    change: ({ name, public_key }: typeof form.values) =>
      write<ReleaseKey>('POST', getKeysPath(slug), {
        name: name.trim(),
        public_key: public_key.trim(),
      }),
    stale: STALE,
    done: 'The key was added.',
    onDone: () => form.reset(),
    onFailed: (error) => showFieldErrors(form, error),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((fields) => adding.mutate(fields))}>
      <Group align="flex-start" wrap="wrap">
        <TextInput
          label="Name"
          placeholder="Build 2026"
          {...REQUIRED}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Public key"
          {...REQUIRED}
          flex="1 1 20rem"
          classNames={{ input: 'mono' }}
          {...form.getInputProps('public_key')}
        />
      </Group>
      <Button type="submit" variant="default" mt="md" loading={adding.isPending}>
        Add the key
      </Button>
    </form>
  );
}
