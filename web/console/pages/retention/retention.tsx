import { Stack, Text } from '@mantine/core';
import { IconHourglass, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ReadOnlyNotice, useCan } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { formatCount, formatMoment, formatNumber, toLabel } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { ViewLinks } from '../../components/view-links.tsx';
import { Changes } from './change-history.tsx';
import { Holds } from './holds.tsx';
import { NoRetention } from './no-retention.tsx';
import {
  policiesQuery,
  RUNS_PER_PAGE,
  runsQuery,
  statusQuery,
  useCategoryLabel,
} from './queries.ts';
import { RunPanel } from './run-panel.tsx';

const route = getRouteApi('/app/retention');
const TABS = [
  ['policies', 'Policies'],
  ['holds', 'Legal holds'],
  ['run', 'Run now'],
  ['history', 'Runs'],
  ['changes', 'Change history'],
] as const;

/** For the order of periods. */
const DAYS = { days: 1, months: 30.4, years: 365 } as const;

/** The tabs for users who cannot change retention: legal holds and runs are for administrators. */
const READABLE: readonly string[] = ['policies', 'history', 'changes'];

/** Retention policies, legal holds and runs. */
export function Retention() {
  const { view: asked = 'policies' } = route.useSearch();
  const canManage = useCan('manage_options');
  const view = canManage || READABLE.includes(asked) ? asked : 'policies';
  return (
    <Page
      title="Retention"
      intro="How long records are kept, and what happens afterwards (GDPR Art. 5(1)(e))."
      actions={
        <LinkButton to="/retention/new" leftSection={<IconPlus size={16} aria-hidden />}>
          New policy
        </LinkButton>
      }
    >
      <ReadOnlyNotice />
      <ViewLinks
        label="View"
        views={TABS.filter(([name]) => canManage || READABLE.includes(name))}
        current={view}
      />
      {view === 'policies' && <Policies />}
      {view === 'holds' && <Holds />}
      {view === 'run' && <RunPanel />}
      {view === 'history' && <History />}
      {view === 'changes' && <Changes />}
    </Page>
  );
}

function Policies() {
  const policies = useQuery(policiesQuery);
  const getLabel = useCategoryLabel();
  return (
    <QueryResult query={policies} lines={5} absent={<NoRetention />}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState
            icon={IconHourglass}
            title="No policies yet"
            action={<LinkButton to="/retention/new">Add a policy</LinkButton>}
          >
            Without a policy, records are kept indefinitely.
          </EmptyState>
        ) : (
          <Stack gap="sm">
            <Schedule />
            <DataTable
              label="Policies"
              rows={all}
              getKey={({ id }) => id}
              columns={[
                {
                  title: 'Name',
                  cell: ({ id, name }) => (
                    <Link to="/retention/$id" params={{ id: String(id) }}>
                      {name}
                    </Link>
                  ),
                  sort: ({ name }) => name,
                },
                {
                  title: 'Records',
                  cell: ({ data_category }) => getLabel(data_category),
                  sort: ({ data_category }) => getLabel(data_category),
                },
                {
                  title: 'Retention',
                  cell: ({ period_value, period_unit }) => (
                    <span className="number">
                      {formatCount(period_value, period_unit.slice(0, -1), period_unit)}
                    </span>
                  ),
                  sort: ({ period_value, period_unit }) => period_value * DAYS[period_unit],
                },
                { title: 'Action', cell: ({ action }) => toLabel(action) },
                {
                  title: 'Status',
                  cell: ({ is_active }) =>
                    is_active ? (
                      <StatusBadge tone="good">Active</StatusBadge>
                    ) : (
                      <StatusBadge>Inactive</StatusBadge>
                    ),
                },
                {
                  title: 'Last run',
                  cell: ({ last_run_at }) => formatMoment(last_run_at),
                  sort: ({ last_run_at }) => last_run_at,
                },
              ]}
            />
          </Stack>
        )
      }
    </QueryResult>
  );
}

/** When the active policies run by themselves. */
function Schedule() {
  const { data } = useQuery(statusQuery);
  return (
    <Text c="dimmed" mih="1.5em">
      {data && `Active policies run every night. Next run: ${formatMoment(data.next_run_at)}.`}
    </Text>
  );
}

function History() {
  const { page = '1' } = route.useSearch();
  const runs = useQuery(runsQuery(Number(page)));
  return (
    <QueryResult query={runs} lines={6} absent={<NoRetention />}>
      {({ items, total }) =>
        total === 0 ? (
          <EmptyState icon={IconHourglass} title="No runs yet">
            Runs are listed here with their results. Dry runs are not recorded.
          </EmptyState>
        ) : (
          <>
            <DataTable
              label="Runs"
              rows={items}
              getKey={({ id }) => id}
              columns={[
                { title: 'Started', cell: ({ started_at }) => formatMoment(started_at) },
                {
                  title: 'Status',
                  cell: ({ status }) => (
                    <StatusBadge tone={status === 'finished' ? 'good' : 'warn'}>
                      {toLabel(status)}
                    </StatusBadge>
                  ),
                },
                { title: 'Started by', cell: ({ started_by }) => started_by },
                { title: 'Policies', align: 'end', cell: ({ policies_run }) => policies_run },
                {
                  title: 'Records',
                  align: 'end',
                  cell: ({ total_affected }) => formatNumber(total_affected),
                },
                {
                  title: 'Note',
                  cell: ({ results }) => {
                    const failed = results.filter(({ error }) => error !== null);
                    return failed.map(({ policy_name, error }) => (
                      <div key={policy_name}>
                        {policy_name}: {error}
                      </div>
                    ));
                  },
                },
              ]}
            />
            <TablePagination page={Number(page)} perPage={RUNS_PER_PAGE} total={total} noun="run" />
          </>
        )
      }
    </QueryResult>
  );
}
