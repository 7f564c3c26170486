import { Card, Stack, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCan } from '../components/access.tsx';
import { StatusBadge } from '../components/badges.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { formatMoment, formatNumber, formatSize, toLabel } from '../components/format.ts';
import { KeyFigures } from '../components/key-figures.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState, QueryResult } from '../components/states.tsx';
import { DataTable } from '../components/table.tsx';
import { ENGINES, getChecks, getJobLabel } from './operations-checks.ts';
import { Licence } from './site-licence.tsx';
import {
  healthQuery,
  type Operations,
  operationsQuery,
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
                ({ name, tone, status, text, link }): Fact => [
                  name,
                  <>
                    <StatusBadge tone={tone}>{status}</StatusBadge>{' '}
                    <span>
                      {text}
                      {link && (
                        <>
                          {' '}
                          <a href={link.href}>{link.label}</a>.
                        </>
                      )}
                    </span>
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
                  Readiness <code>/readyz</code>, metrics <code>/metrics</code>,{' '}
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

const RESULT_TONES = { succeeded: 'good', failed: 'bad', interrupted: 'warn' } as const;

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
          {
            title: 'Job',
            cell: ({ name }) => getJobLabel(name),
            sort: ({ name }) => getJobLabel(name),
          },
          {
            title: 'Status',
            cell: ({ is_running, last_result }) => {
              if (is_running) return <StatusBadge tone="info">Running</StatusBadge>;
              if (last_result === null) return <StatusBadge>Waiting</StatusBadge>;
              return (
                <StatusBadge tone={RESULT_TONES[last_result]}>{toLabel(last_result)}</StatusBadge>
              );
            },
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
