import { Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconScan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Scan } from '../../api/types.ts';
import { Allowed, ReadOnlyNotice } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { FilterBar, SelectFilter } from '../../components/filters.tsx';
import { formatMoment } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { Violations } from './found-vendors.tsx';
import { NewScan } from './new-scan.tsx';
import { isRunning, SCANS_PER_PAGE, scansQuery } from './queries.ts';
import { ScanTrend } from './scan-trend.tsx';
import { Schedule } from './schedule.tsx';

const route = getRouteApi('/app/scanner');

/** Every scan of the site, their trend, and a new scan. */
export function Scans() {
  const { page = '1', by } = route.useSearch();
  const scans = useQuery(scansQuery(Number(page), by));
  return (
    <Page
      title="Scanner"
      intro="Crawls your site as a first-time visitor and lists trackers, cookies and third parties."
      actions={
        <Allowed>
          <NewScan />
        </Allowed>
      }
    >
      <Stack>
        <ReadOnlyNotice />
        <Schedule />
        <QueryResult query={scans}>
          {({ items, total }) =>
            total === 0 && !by ? (
              <EmptyState icon={IconScan} title="No scans yet">
                The first scan takes a minute or two. It shows which vendors your pages load, what
                loads before consent, and how to block it.
              </EmptyState>
            ) : (
              <>
                <ScanTrend scans={items} />
                <div>
                  <FilterBar>
                    <SelectFilter
                      name="by"
                      label="Started by"
                      value={by}
                      all="User, API or schedule"
                      options={Object.entries(STARTERS).map(([value, label]) => ({ value, label }))}
                    />
                  </FilterBar>
                  <DataTable
                    label="Scans"
                    rows={items}
                    getKey={({ scan_id }) => scan_id}
                    columns={[
                      {
                        title: 'Started',
                        cell: ({ scan_id, started_at, site_url }) => (
                          <>
                            <Link to="/scanner/$id" params={{ id: String(scan_id) }}>
                              {formatMoment(started_at)}
                            </Link>
                            <Text size="xs" c="dimmed" className="break">
                              {site_url}
                            </Text>
                          </>
                        ),
                      },
                      { title: 'Status', cell: (scan) => <Status scan={scan} /> },
                      { title: 'Started by', cell: ({ started_by }) => STARTERS[started_by] },
                      {
                        title: 'Pages',
                        align: 'end',
                        cell: ({ pages, pages_planned }) =>
                          pages === pages_planned ? pages : `${pages} of ${pages_planned}`,
                      },
                      { title: 'Vendors', align: 'end', cell: ({ vendors }) => vendors },
                      { title: 'Findings', align: 'end', cell: ({ findings }) => findings },
                      {
                        title: 'Broken promises',
                        align: 'end',
                        cell: (scan) => <BrokenPromises scan={scan} />,
                      },
                      {
                        title: 'Before consent',
                        align: 'end',
                        cell: (scan) => (
                          <Group gap={6} display="inline-flex" wrap="nowrap">
                            <Difference scan={scan} scans={items} />
                            <Violations count={scan.before_consent} />
                          </Group>
                        ),
                      },
                    ]}
                  />
                  <TablePagination
                    page={Number(page)}
                    perPage={SCANS_PER_PAGE}
                    total={total}
                    noun="scan"
                  />
                </div>
              </>
            )
          }
        </QueryResult>
      </Stack>
    </Page>
  );
}

const STATUSES: Record<Scan['status'], ReactNode> = {
  queued: <StatusBadge tone="info">Queued</StatusBadge>,
  started: <StatusBadge tone="info">Running</StatusBadge>,
  completed: <StatusBadge tone="good">Complete</StatusBadge>,
  cancelled: <StatusBadge>Cancelled</StatusBadge>,
  interrupted: <StatusBadge tone="warn">Interrupted</StatusBadge>,
  failed: <StatusBadge tone="bad">Failed</StatusBadge>,
};

function Status({ scan }: { scan: Scan }) {
  if (scan.status === 'started' && !isRunning(scan)) {
    return <StatusBadge tone="warn">Not complete</StatusBadge>;
  }
  if (scan.status === 'completed' && scan.pages === 0) {
    return <StatusBadge tone="bad">No page scanned</StatusBadge>;
  }
  return STATUSES[scan.status];
}

const STARTERS: Record<Scan['started_by'], string> = {
  request: 'User or API',
  schedule: 'Schedule',
  proof: 'Check of a decision',
};

/** Only some states can show that a promise is broken. */
function BrokenPromises({ scan: { states, broken_promises } }: { scan: Scan }) {
  return states.some((state) => state === 'rejected' || state === 'withdrawn') ? (
    <Violations count={broken_promises} />
  ) : (
    <>
      <span aria-hidden>–</span>
      <VisuallyHidden>Not checked</VisuallyHidden>
    </>
  );
}

/** How many more or fewer resources load before consent than in the scan before. */
function Difference({ scan, scans }: { scan: Scan; scans: readonly Scan[] }) {
  const isComparable = ({ status, site_url, depth, pages }: Scan) =>
    status === 'completed' && pages > 0 && site_url === scan.site_url && depth === scan.depth;
  const previous = scans.find((each) => each.scan_id < scan.scan_id && isComparable(each));
  if (!previous || !isComparable(scan)) return null;
  const more = scan.before_consent - previous.before_consent;
  if (more === 0) return null;
  return (
    <Text span size="sm" c="dimmed">
      {more > 0 ? '+' : '−'}
      {Math.abs(more)}
      <VisuallyHidden> compared with the previous scan</VisuallyHidden>
    </Text>
  );
}
