import { Button, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { write } from '../api/client.ts';
import { Allowed } from '../components/access.tsx';
import { StatusBadge } from '../components/badges.tsx';
import { ConfirmButton, useChange } from '../components/form.tsx';
import { formatMoment, toLabel } from '../components/format.ts';
import { Page } from '../components/page.tsx';
import { EmptyState, QueryResult } from '../components/states.tsx';
import { healthQuery, type SiteLicence, siteLicenceQuery } from './system-queries.ts';

/** This site's licence, and how the server is. */
export function System() {
  const licence = useQuery(siteLicenceQuery);
  const health = useQuery(healthQuery);
  return (
    <Page title="Licence and health" intro="What this site may use, and how the server is.">
      <div className="wide-narrow">
        <QueryResult
          query={licence}
          lines={6}
          absent={
            <EmptyState icon={IconKey} title="This server keeps no licence of its site">
              Its version has no part for it.
            </EmptyState>
          }
        >
          {(data) => <Licence licence={data} />}
        </QueryResult>
        <section className="card">
          <h2>The server</h2>
          <QueryResult query={health} lines={3}>
            {({ isWell, version, message }) => (
              <dl className="facts">
                <dt>State</dt>
                <dd>
                  {isWell ? (
                    <StatusBadge tone="good">Well</StatusBadge>
                  ) : (
                    <StatusBadge tone="bad">Not well</StatusBadge>
                  )}
                </dd>
                <dt>Database</dt>
                <dd>{message}</dd>
                <dt>Version</dt>
                <dd className="number">{version || '–'}</dd>
                <dt>More</dt>
                <dd>
                  <a href="/readyz">Readiness</a>, <a href="/metrics">metrics</a>,{' '}
                  <a href="/docs">API</a>
                </dd>
              </dl>
            )}
          </QueryResult>
        </section>
      </div>
    </Page>
  );
}

function Licence({ licence }: { licence: SiteLicence }) {
  const [key, setKey] = useState('');
  const saving = useChange({
    change: () => write<SiteLicence>('POST', '/licence', { key: key.trim() }),
    stale: [['licence']],
    done: 'The key was saved.',
    onDone: () => setKey(''),
  });
  const removing = useChange({
    change: () => write('DELETE', '/licence'),
    stale: [['licence']],
    done: 'The key was removed.',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(undefined);
  };
  return (
    <section className="card stack">
      <h2 style={{ margin: 0 }}>The licence of this site</h2>
      <p style={{ margin: 0 }}>
        <StatusBadge tone={licence.valid ? 'good' : licence.key === null ? 'neutral' : 'warn'}>
          {toLabel(licence.status)}
        </StatusBadge>{' '}
        {licence.message}
      </p>
      {licence.key !== null && (
        <dl className="facts">
          <dt>Key</dt>
          <dd className="mono">{licence.key}</dd>
          <dt>Tier</dt>
          <dd>{licence.tier ? toLabel(licence.tier) : '–'}</dd>
          <dt>Features</dt>
          <dd>{licence.features.map(toLabel).join(', ') || '–'}</dd>
          <dt>Sites</dt>
          <dd className="number">
            {licence.sites_used ?? '–'} of {licence.sites_allowed ?? '–'}
          </dd>
          <dt>Ends</dt>
          <dd>{formatMoment(licence.expires_at)}</dd>
          {licence.paid_until !== licence.expires_at && (
            <>
              <dt>Paid until</dt>
              <dd>{formatMoment(licence.paid_until)}</dd>
            </>
          )}
          <dt>Checked</dt>
          <dd>
            {formatMoment(licence.checked_at)}{' '}
            {licence.stale && <StatusBadge tone="warn">Stale</StatusBadge>}
          </dd>
        </dl>
      )}
      <Allowed>
        <form className="row" style={{ alignItems: 'flex-end' }} onSubmit={submit}>
          <TextInput
            style={{ flex: '1 1 16rem' }}
            label={licence.key === null ? 'Licence key' : 'Another key'}
            placeholder="pv_live_…"
            autoComplete="off"
            spellCheck={false}
            required
            withAsterisk={false}
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
          />
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
          {licence.key !== null && (
            <ConfirmButton
              title="Remove the licence key?"
              text="The site gives its slot back. Nothing that is stored here is lost."
              confirm="Remove"
              isBusy={removing.isPending}
              onConfirm={() => removing.mutate(undefined)}
              button={(open) => (
                <Button variant="subtle" color="red" onClick={open}>
                  Remove
                </Button>
              )}
            />
          )}
        </form>
      </Allowed>
    </section>
  );
}
