import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { write } from '../api/client.ts';
import { Allowed, useCan } from '../components/access.tsx';
import { StatusBadge, type Tone } from '../components/badges.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { ConfirmButton, useChange } from '../components/form.tsx';
import {
  formatCount,
  formatMoment,
  formatNumber,
  formatSize,
  toLabel,
} from '../components/format.ts';
import { KeyFigures } from '../components/key-figures.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState, QueryResult } from '../components/states.tsx';
import { DataTable } from '../components/table.tsx';
import {
  healthQuery,
  type Operations,
  operationsQuery,
  type SiteLicence,
  siteLicenceQuery,
} from './system-queries.ts';

/** The state of the server: checks, database, disk, background jobs and email; and the licence of this site. */
export function OperationsPage() {
  const licence = useQuery(siteLicenceQuery);
  const health = useQuery(healthQuery);
  const isAdministrator = useCan('manage_options');
  const operations = useQuery({ ...operationsQuery, enabled: isAdministrator });
  return (
    <Page
      title="Operations"
      intro="Health of the server, background jobs, email and the licence of this site."
    >
      <Stack gap="lg">
        {isAdministrator ? (
          <QueryResult query={operations} lines={8}>
            {(data) => <Server operations={data} />}
          </QueryResult>
        ) : (
          <QueryResult query={health} lines={3}>
            {({ isWell, version, message }) => (
              <Card component="section">
                <Title order={2} mb="sm">
                  Server
                </Title>
                <Facts
                  items={[
                    [
                      'Status',
                      <StatusBadge key="status" tone={isWell ? 'good' : 'bad'}>
                        {isWell ? 'Healthy' : 'Unhealthy'}
                      </StatusBadge>,
                    ],
                    ['Database', message],
                    ['Version', version],
                  ]}
                />
              </Card>
            )}
          </QueryResult>
        )}
        <QueryResult
          query={licence}
          lines={6}
          absent={
            <EmptyState icon={IconKey} title="No site licence">
              This server runs without site licences.
            </EmptyState>
          }
        >
          {(data) => <Licence licence={data} />}
        </QueryResult>
        {isAdministrator && operations.data && <Jobs jobs={operations.data.jobs} />}
      </Stack>
    </Page>
  );
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
const ALERTS = {
  disk_low: 'Almost full: free some space or enlarge the disk',
  disk_filling: 'Full within a week at the current rate',
  database_large: 'The database has reached PAVIS_DATABASE_WARN_MB',
} as const;

interface Check {
  name: string;
  tone: Tone;
  status: string;
  text: string;
}

function getChecks({ backup, database, disk, mail, jobs }: Operations): Check[] {
  const good = { tone: 'good', status: 'OK' } as const;
  const failed = jobs.filter(({ last_result }) => last_result === 'failed');
  const late = jobs.filter(
    ({ is_running, next_run_at }) =>
      !is_running && Date.parse(next_run_at) < Date.now() - LATE_AFTER_MS,
  );
  return [
    {
      name: 'Database',
      ...(database.fault ? { tone: 'bad', status: 'Fault' } : good),
      text: database.fault
        ? toLabel(database.fault)
        : `${ENGINES[database.engine]}, read and write`,
    },
    {
      name: 'Disk',
      ...(disk.alerts.length > 0 ? { tone: 'bad', status: 'Alert' } : good),
      text:
        disk.alerts.map((alert) => ALERTS[alert]).join('; ') ||
        `${formatSize(disk.free_bytes)} free`,
    },
    {
      name: 'Background jobs',
      ...(failed.length > 0
        ? { tone: 'bad', status: 'Failed' }
        : late.length > 0
          ? { tone: 'warn', status: 'Late' }
          : good),
      text:
        failed.length > 0
          ? `Failed, see the log: ${failed.map(({ name }) => toLabel(name)).join(', ')}`
          : late.length > 0
            ? `Not run on time: ${late.map(({ name }) => toLabel(name)).join(', ')}`
            : `${formatCount(jobs.length, 'job')}, none late`,
    },
    {
      name: 'Email',
      ...(mail.failed > 0
        ? { tone: 'bad', status: 'Failed' }
        : mail.is_sent
          ? good
          : { tone: 'warn', status: 'Not sent' }),
      text: !mail.is_sent
        ? 'No mail server: emails are written to the data folder. Set PAVIS_SMTP_URL.'
        : mail.failed > 0
          ? `${formatCount(mail.failed, 'email')} not delivered`
          : `${formatNumber(mail.waiting)} in the queue`,
    },
    {
      name: 'Backups',
      ...(database.engine === 'postgres'
        ? { tone: 'neutral', status: 'Not monitored' }
        : backup.last_at
          ? good
          : { tone: 'warn', status: 'None' }),
      text:
        database.engine === 'postgres'
          ? 'Back up PostgreSQL with its own tools, and keep PAVIS_SECRET.'
          : backup.last_at
            ? `Last backup: ${formatMoment(backup.last_at)}`
            : 'Run pavis backup regularly, and copy the file "secret" of the data folder.',
    },
  ];
}

const LATE_AFTER_MS = 10 * 60_000;

function Server({ operations }: { operations: Operations }) {
  const { version, node_version, host, started_at, memory_bytes, database, disk, mail } =
    operations;
  const checks = getChecks(operations);
  return (
    <>
      <KeyFigures
        items={[
          {
            label: 'Database',
            value: formatSize(database.size_bytes),
            note: ENGINES[database.engine],
          },
          { label: 'Free disk space', value: formatSize(disk.free_bytes), note: host },
          {
            label: 'Emails in the queue',
            value: formatNumber(mail.waiting),
            note: `${formatNumber(mail.failed)} not delivered`,
          },
          {
            label: 'Memory',
            value: formatSize(memory_bytes),
            note: `running since ${formatMoment(started_at)}`,
          },
        ]}
      />
      <div className="wide-narrow">
        <Card component="section">
          <Title order={2} mb="sm">
            Checks
          </Title>
          <Facts
            items={[
              ...checks.map(
                ({ name, tone, status, text }): Fact => [
                  name,
                  <>
                    <StatusBadge tone={tone}>{status}</StatusBadge> <span>{text}</span>
                  </>,
                ],
              ),
              [
                'Last email error',
                mail.last_failure &&
                  `${toLabel(mail.last_failure.kind)}: ${mail.last_failure.error || 'no reason given'}`,
              ],
            ]}
          />
        </Card>
        <Card component="section">
          <Title order={2} mb="sm">
            Server
          </Title>
          <Facts
            items={[
              ['Version', version],
              ['Node.js', node_version],
              ['Host', host],
              ['Started', formatMoment(started_at)],
              [
                'Endpoints',
                <>
                  <a href="/readyz">Readiness</a>, <a href="/metrics">metrics</a>,{' '}
                  <a href="/docs">API documentation</a>
                </>,
              ],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function Jobs({ jobs }: Pick<Operations, 'jobs'>) {
  if (jobs.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="sm">
        Background jobs
      </Title>
      <DataTable
        label="Background jobs"
        rows={jobs}
        getKey={({ name }) => name}
        columns={[
          { title: 'Job', cell: ({ name }) => toLabel(name), sort: ({ name }) => name },
          {
            title: 'Status',
            cell: ({ is_running, last_result }) =>
              is_running ? (
                <StatusBadge tone="info">Running</StatusBadge>
              ) : last_result === 'failed' ? (
                <StatusBadge tone="bad">Failed</StatusBadge>
              ) : (
                <StatusBadge>Waiting</StatusBadge>
              ),
          },
          {
            title: 'Last run',
            cell: ({ last_finished_at }) => formatMoment(last_finished_at),
            sort: ({ last_finished_at }) => last_finished_at,
          },
          {
            title: 'Next run',
            cell: ({ next_run_at }) => formatMoment(next_run_at),
            sort: ({ next_run_at }) => next_run_at,
          },
        ]}
      />
    </section>
  );
}

function Licence({ licence }: { licence: SiteLicence }) {
  const [key, setKey] = useState('');
  const saving = useChange({
    change: () => write<SiteLicence>('POST', '/licence', { key: key.trim() }),
    stale: [['licence']],
    done: 'Licence key saved.',
    onDone: () => setKey(''),
  });
  const removing = useChange({
    change: () => write('DELETE', '/licence'),
    stale: [['licence']],
    done: 'Licence key removed.',
  });
  const submit = (event: FormEvent<unknown>) => {
    event.preventDefault();
    saving.mutate(undefined);
  };
  return (
    <Card component="section">
      <Title order={2} mb="sm">
        Site licence
      </Title>
      <Stack>
        <Text component="div">
          <StatusBadge tone={licence.valid ? 'good' : licence.key === null ? 'neutral' : 'warn'}>
            {toLabel(licence.status)}
          </StatusBadge>{' '}
          {licence.message}
        </Text>
        {licence.key !== null && (
          <Facts
            items={[
              [
                'Key',
                <span key="key" className="mono">
                  {licence.key}
                </span>,
              ],
              ['Tier', licence.tier ? toLabel(licence.tier) : '–'],
              ['Features', licence.features.map(toLabel).join(', ') || '–'],
              ['Sites', `${licence.sites_used ?? '–'} of ${licence.sites_allowed ?? '–'}`],
              ['Expires', formatMoment(licence.expires_at)],
              [
                'Paid until',
                licence.paid_until !== licence.expires_at && formatMoment(licence.paid_until),
              ],
              [
                'Last checked',
                <>
                  {formatMoment(licence.checked_at)}{' '}
                  {licence.stale && <StatusBadge tone="warn">Stale</StatusBadge>}
                </>,
              ],
            ]}
          />
        )}
        <Allowed>
          <Group component="form" align="flex-end" onSubmit={submit}>
            <TextInput
              style={{ flex: '1 1 16rem' }}
              label={licence.key === null ? 'Licence key' : 'Replace the key'}
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
                text="The site releases its activation. No data is deleted."
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
          </Group>
        </Allowed>
      </Stack>
    </Card>
  );
}
