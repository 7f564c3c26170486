import { Group, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Scan } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { formatMoment } from '../../components/format.ts';
import { DataTable } from '../../components/table.tsx';
import { Violations } from './found-vendors.tsx';
import { isRunning } from './queries.ts';

/** What starts scans, in words. */
export const STARTERS: Record<Scan['started_by'], string> = {
  request: 'User or API',
  schedule: 'Schedule',
  proof: 'Check of a decision',
};

/** The scans of a page of the list, newest first. */
export function ScanTable({ scans }: { scans: readonly Scan[] }) {
  return (
    <DataTable
      label="Scans"
      rows={scans}
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
        { title: 'Findings', align: 'end', cell: ({ resources }) => resources.total },
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
              <Difference scan={scan} scans={scans} />
              <Violations count={scan.resources.before_consent} />
            </Group>
          ),
        },
      ]}
    />
  );
}

const STATUSES: Record<Scan['status'], ReactNode> = {
  queued: <StatusBadge tone="info">Queued</StatusBadge>,
  started: <StatusBadge tone="info">Running</StatusBadge>,
  completed: <StatusBadge tone="good">Finished</StatusBadge>,
  cancelled: <StatusBadge>Cancelled</StatusBadge>,
  interrupted: <StatusBadge tone="warn">Interrupted</StatusBadge>,
  failed: <StatusBadge tone="bad">Failed</StatusBadge>,
};

function Status({ scan }: { scan: Scan }) {
  if (scan.status === 'started' && !isRunning(scan)) {
    return <StatusBadge tone="warn">Not finished</StatusBadge>;
  }
  if (scan.status === 'completed' && scan.pages === 0) {
    return <StatusBadge tone="bad">No page scanned</StatusBadge>;
  }
  return STATUSES[scan.status];
}

/** Only some states can show that a promise is broken. */
function BrokenPromises({ scan: { states, resources } }: { scan: Scan }) {
  return states.some((state) => state === 'rejected' || state === 'withdrawn') ? (
    <Violations count={resources.broken_promises} />
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
  const more = scan.resources.before_consent - previous.resources.before_consent;
  if (more === 0) return null;
  return (
    <Text span size="sm" c="dimmed">
      {more > 0 ? '+' : '−'}
      {Math.abs(more)}
      <VisuallyHidden> compared with the previous scan</VisuallyHidden>
    </Text>
  );
}
