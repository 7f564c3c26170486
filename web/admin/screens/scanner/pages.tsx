import { Link } from '@tanstack/react-router';
import type { ScanDetail } from '../../api/types.ts';
import { pathOf } from '../../parts/format.ts';
import { Table } from '../../parts/list.tsx';
import { Tag } from '../../parts/tag.tsx';

const STATES = {
  planned: <Tag>Not yet</Tag>,
  scanned: <Tag tone="good">Done</Tag>,
  failed: <Tag tone="bad">Failed</Tag>,
};

/** What became of each page. */
export function Pages({ scan }: { scan: ScanDetail }) {
  return (
    <Table
      label="Pages"
      rows={scan.urls}
      keyOf={({ url }) => url}
      columns={[
        {
          title: 'Page',
          cell: ({ url }) => (
            <Link
              to="/scanner/$id"
              params={{ id: String(scan.scan_id) }}
              search={{ view: 'findings', at: url }}
            >
              {pathOf(url)}
            </Link>
          ),
        },
        { title: 'State', cell: ({ state }) => STATES[state] },
        { title: 'Findings', align: 'end', cell: ({ findings }) => findings },
        {
          title: 'Note',
          cell: ({ error, partial }) => error ?? (partial ? 'Something was cut short.' : null),
        },
      ]}
    />
  );
}
