import { Link } from '@tanstack/react-router';
import type { ScanDetail } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { getPath } from '../../components/format.ts';
import { DataTable } from '../../components/table.tsx';

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
  return (
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
        {
          title: 'Consent banner',
          cell: ({ banner }) => (banner === null ? null : BANNERS[banner]),
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
  );
}
