import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ScanDetail, Visit } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { formatCount, getPath } from '../../components/format.ts';
import { DataTable } from '../../components/table.tsx';
import { CHOICES, describeOutcome, isReached } from './outcomes.ts';
import { PageVisits } from './page-visits.tsx';
import { visitsQuery } from './queries.ts';

const STATES = {
  planned: <StatusBadge>Not scanned yet</StatusBadge>,
  scanned: <StatusBadge tone="good">Scanned</StatusBadge>,
  failed: <StatusBadge tone="bad">Failed</StatusBadge>,
};

const BANNERS = {
  accepted: 'Accepted',
  not_accepted: 'Found, not accepted',
  not_found: 'Not found',
};
const NOT_ACCEPTED =
  'The consent banner could not be accepted, so resources that load after consent are missing.';

/** The pages of a scan with their status. */
export function Pages({ scan }: { scan: ScanDetail }) {
  const visits = useQuery(visitsQuery(String(scan.scan_id)));
  const [shown, setShown] = useState<string>();
  const byPage = Map.groupBy(visits.data ?? [], ({ page_url }) => page_url);
  return (
    <>
      <DataTable
        label="Pages"
        rows={scan.urls}
        getKey={({ url }) => url}
        columns={[
          {
            title: 'Page',
            cell: ({ url }) => (
              <Link
                to="/scanner/$id"
                params={{ id: String(scan.scan_id) }}
                search={{ view: 'findings', at: url }}
              >
                {getPath(url)}
              </Link>
            ),
          },
          { title: 'Status', cell: ({ state }) => STATES[state] },
          {
            title: 'HTTP status',
            align: 'end',
            cell: ({ http_status }) => http_status ?? '–',
          },
          byPage.size === 0
            ? {
                title: 'Consent banner',
                cell: ({ banner }) => (banner === null ? null : BANNERS[banner]),
              }
            : {
                title: 'Visits',
                cell: ({ url }) => (
                  <PageOutcomes
                    url={url}
                    visits={byPage.get(url) ?? []}
                    onOpen={() => setShown(url)}
                  />
                ),
              },
          { title: 'Findings', align: 'end', cell: ({ findings }) => findings },
          {
            title: 'Note',
            cell: ({ error, partial, banner }) =>
              error ??
              [
                partial && 'Only part of this page was scanned.',
                banner === 'not_accepted' && NOT_ACCEPTED,
              ]
                .filter(Boolean)
                .join(' '),
          },
        ]}
      />
      <PageVisits scanId={scan.scan_id} url={shown} onClose={() => setShown(undefined)} />
    </>
  );
}

/** What came of the visits of a page, and a button that shows them with their pictures. */
function PageOutcomes({
  url,
  visits,
  onOpen,
}: {
  url: string;
  visits: readonly Visit[];
  onOpen: () => void;
}) {
  if (visits.length === 0) return '–';
  const failed = visits.filter((visit) => !isReached(visit));
  return (
    <Stack gap={4} align="flex-start">
      {failed.length === 0
        ? 'All states reached'
        : failed.map((visit) => (
            <span key={visit.state}>
              {CHOICES[visit.state]}: {describeOutcome(visit)}
            </span>
          ))}
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`View ${formatCount(visits.length, 'visit')} of ${getPath(url)}`}
        onClick={onOpen}
      >
        View {formatCount(visits.length, 'visit')}
      </Button>
    </Stack>
  );
}
