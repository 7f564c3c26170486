import { Stack } from '@mantine/core';
import { IconScan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Allowed, ReadOnlyNotice } from '../../components/access.tsx';
import { FilterBar, SelectFilter } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { NewScan } from './new-scan.tsx';
import { SCANS_PER_PAGE, scansQuery } from './queries.ts';
import { ScanTable, STARTERS } from './scan-table.tsx';
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
                  {total === 0 ? (
                    <EmptyState icon={IconScan} title="No matching scans" />
                  ) : (
                    <ScanTable scans={items} />
                  )}
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
