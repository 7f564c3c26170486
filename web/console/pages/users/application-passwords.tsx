import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { ConfirmButton, showFieldErrors, useChange } from '../../components/form.tsx';
import { formatDay, formatMoment } from '../../components/format.ts';
import { Secret } from '../../components/secret.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import {
  type ApplicationPassword,
  applicationPasswordsQuery,
  type NewApplicationPassword,
  type Scope,
  STALE,
} from './queries.ts';
import { ScopeChoice } from './scope-choice.tsx';

const DAY_MS = 86_400_000;
const LIVES = [
  { value: '', label: 'No expiry' },
  { value: '30', label: '30 days' },
  { value: '365', label: '1 year' },
];
const RIGHTS = [
  { value: 'all', label: 'All rights of the user' },
  { value: 'chosen', label: 'Only what you choose' },
];

/**
 * The application passwords of a user.
 * @param who an id, or `me`
 */
export function ApplicationPasswords({ who, login }: { who: string; login: string }) {
  const passwords = useQuery(applicationPasswordsQuery(who));
  const [made, setMade] = useState<NewApplicationPassword>();
  const form = useForm({
    initialValues: { name: '', days: '', rights: 'all', scopes: [] as Scope[] },
    validate: {
      name: (value) => (value.trim() ? null : 'Enter a name, for example Backup script.'),
      scopes: (value, { rights }) =>
        rights === 'all' || value.length > 0 ? null : 'Choose at least one.',
    },
  });
  const adding = useChange({
    change: ({ name, days, rights, scopes }: typeof form.values) =>
      write<NewApplicationPassword>('POST', `/users/${who}/application-passwords`, {
        name,
        ...(days && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        ...(rights === 'chosen' && { scopes }),
      }),
    stale: STALE,
    onDone: (added) => {
      setMade(added);
      form.reset();
    },
    onFailed: (error) => showFieldErrors(form, error),
  });
  return (
    <Section title="Application passwords">
      <Text size="sm" c="dimmed">
        For scripts and integrations: they authenticate with HTTP Basic as {login}, with the rights
        of this user or some of them.
      </Text>
      {made && (
        <Secret label={`Application password “${made.name}”`} value={made.password}>
          <div>
            <Button variant="default" size="xs" onClick={() => setMade(undefined)}>
              Done
            </Button>
          </div>
        </Secret>
      )}
      <QueryResult query={passwords} lines={3}>
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">No application passwords.</Text>
          ) : (
            <ul role="list" className="plain">
              {all.map((password) => (
                <Line key={password.uuid} who={who} password={password} />
              ))}
            </ul>
          )
        }
      </QueryResult>
      <form noValidate onSubmit={form.onSubmit((fields) => adding.mutate(fields))}>
        <Stack gap="sm">
          <Group gap="sm" align="flex-start">
            <TextInput
              style={{ flex: '1 1 14rem' }}
              label="Name"
              placeholder="Backup script"
              maxLength={100}
              autoComplete="off"
              {...form.getInputProps('name')}
            />
            <NativeSelect label="Expiry" data={LIVES} {...form.getInputProps('days')} />
            <NativeSelect label="Rights" data={RIGHTS} {...form.getInputProps('rights')} />
          </Group>
          {form.values.rights === 'chosen' && (
            <ScopeChoice who={who} input={form.getInputProps('scopes')} />
          )}
          <div>
            <Button type="submit" variant="default" loading={adding.isPending}>
              Create application password
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}

function Line({ who, password }: { who: string; password: ApplicationPassword }) {
  const { uuid, name, created, last_used, expires_at, scopes } = password;
  const revoking = useChange({
    change: () => write('DELETE', `/users/${who}/application-passwords/${uuid}`),
    stale: STALE,
    done: `“${name}” was revoked.`,
  });
  return (
    <Group component="li" justify="space-between" py="xs" wrap="nowrap">
      <div>
        <Text fw={600} className="break">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          Created {formatMoment(created)} ·{' '}
          {last_used ? `last used ${formatDay(last_used)}` : 'never used'}
          {expires_at && ` · ${describeExpiry(expires_at)}`}
        </Text>
        {scopes && (
          <Text size="sm" c="dimmed" className="break">
            Limited to {scopes.join(', ')}
          </Text>
        )}
      </div>
      <ConfirmButton
        needs="read"
        title={`Revoke “${name}”?`}
        text="Clients that use it are rejected from the next request on. This cannot be undone."
        confirm="Revoke"
        isBusy={revoking.isPending}
        onConfirm={() => revoking.mutate(undefined)}
        button={(open) => (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={`Revoke ${name}`}
            onClick={open}
          >
            Revoke
          </Button>
        )}
      />
    </Group>
  );
}

const describeExpiry = (at: string): string =>
  `${Date.parse(at) <= Date.now() ? 'expired' : 'expires'} on ${formatDay(at)}`;
