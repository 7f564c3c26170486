import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { formatMoment, formatUtcDay, toLabel } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { Secret } from '../../components/secret.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { NewApiToken } from './new-api-token.tsx';
import { NoLicences } from './no-licences.tsx';
import { API_TOKENS, type ApiToken, apiTokensQuery, type CreatedToken, STALE } from './queries.ts';

const TONES: Record<ApiToken['status'], Tone> = {
  active: 'good',
  expired: 'neutral',
  revoked: 'bad',
};

/** The tokens with which programs of the vendor issue and manage licences. */
export function ApiTokens() {
  const tokens = useQuery(apiTokensQuery);
  const [made, setMade] = useState<CreatedToken>();
  return (
    <Page
      title="API tokens"
      intro="With an API token, your shop and other programs issue and manage licences through the Administration API."
      back={{ to: '/licences', label: 'Licences' }}
    >
      <Stack>
        {made && (
          <Secret label={`API token “${made.name}”`} value={made.secret}>
            <p>Your program sends it in the Authorization header. It belongs on servers only.</p>
          </Secret>
        )}
        <QueryResult query={tokens} lines={3} absent={<NoLicences />}>
          {(all) => (
            <Stack>
              {all.length === 0 ? <Text c="dimmed">No API tokens.</Text> : <TokenTable all={all} />}
              <Section title="Create an API token">
                <NewApiToken onDone={setMade} />
              </Section>
            </Stack>
          )}
        </QueryResult>
      </Stack>
    </Page>
  );
}

function TokenTable({ all }: { all: readonly ApiToken[] }) {
  const revoking = useChange({
    change: (id: number) => write<ApiToken>('POST', `${API_TOKENS}/${id}/revoke`),
    stale: STALE,
    done: 'The API token was revoked.',
  });
  return (
    <DataTable
      label="API tokens"
      rows={all}
      getKey={({ id }) => id}
      columns={[
        {
          title: 'Name',
          cell: ({ name, token }) => (
            <>
              <div className="break">{name}</div>
              <span className="mono number">{token}</span>
            </>
          ),
        },
        {
          title: 'Scopes',
          cell: ({ scopes }) => <span className="mono break">{scopes.join(', ')}</span>,
        },
        { title: 'Product', cell: ({ product }) => product ?? 'All' },
        {
          title: 'Status',
          cell: ({ status }) => <StatusBadge tone={TONES[status]}>{toLabel(status)}</StatusBadge>,
        },
        { title: 'Last used', cell: ({ last_used_at }) => formatMoment(last_used_at) },
        {
          title: 'Expires',
          cell: ({ expires_at }) => (expires_at === null ? 'Never' : formatUtcDay(expires_at)),
        },
        {
          title: '',
          cell: ({ id, name, status }) =>
            status === 'active' && (
              <ConfirmButton
                title={`Revoke ${name}?`}
                text="Programs that use it are refused from the next request on. This cannot be undone."
                confirm="Revoke"
                isBusy={revoking.isPending}
                onConfirm={() => revoking.mutate(id)}
                button={(open) => (
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-sm"
                    onClick={open}
                    aria-label={`Revoke ${name}`}
                  >
                    Revoke
                  </Button>
                )}
              />
            ),
        },
      ]}
    />
  );
}
