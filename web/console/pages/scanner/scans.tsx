import { Button, NativeSelect } from '@mantine/core';
import { IconWorldSearch } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Scan } from '../../api/types.ts';
import { Allowed, ReadOnlyNotice } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { formatMoment } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable, TablePagination } from '../../components/table.tsx';
import { isRunning, SCANS_PER_PAGE, scansQuery } from './queries.ts';

const route = getRouteApi('/app/scanner');

const DEPTHS = [
  { value: '0', label: 'The home page alone' },
  { value: '1', label: 'The pages it links to' },
  { value: '2', label: 'Two links deep' },
  { value: '3', label: 'Three links deep' },
  { value: '5', label: 'As deep as possible' },
];

/** Every scan of the site, and a new one. */
export function Scans() {
  const { page = '1' } = route.useSearch();
  const scans = useQuery(scansQuery(Number(page)));
  return (
    <Page
      title="Scanner"
      intro="Visits the site as somebody new would, and notes what loads, what sets cookies, and whether it waited for consent."
    >
      <div className="stack">
        <Allowed>
          <NewScan />
        </Allowed>
        <ReadOnlyNotice />
        <QueryResult query={scans}>
          {({ items, total }) =>
            total === 0 ? (
              <EmptyState icon={IconWorldSearch} title="No scan yet">
                The first one takes a minute or two. Afterwards you see who is behind what the pages
                load, and what to do about it.
              </EmptyState>
            ) : (
              <div>
                <DataTable
                  label="Scans"
                  rows={items}
                  getKey={({ scan_id }) => scan_id}
                  columns={[
                    {
                      title: 'Started',
                      cell: ({ scan_id, started_at }) => (
                        <Link to="/scanner/$id" params={{ id: String(scan_id) }}>
                          {formatMoment(started_at)}
                        </Link>
                      ),
                    },
                    {
                      title: 'State',
                      cell: (scan) => <Status scan={scan} />,
                    },
                    { title: 'Site', cell: ({ site_url }) => site_url },
                    {
                      title: 'Pages',
                      align: 'end',
                      cell: ({ pages, pages_planned }) =>
                        pages === pages_planned ? pages : `${pages} of ${pages_planned}`,
                    },
                    { title: 'Findings', align: 'end', cell: ({ findings }) => findings },
                    { title: 'Vendors', align: 'end', cell: ({ vendors }) => vendors },
                    {
                      title: 'Before consent',
                      align: 'end',
                      cell: ({ before_consent }) =>
                        before_consent > 0 ? (
                          <StatusBadge tone="bad">{before_consent}</StatusBadge>
                        ) : (
                          0
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
            )
          }
        </QueryResult>
      </div>
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
  if (scan.status === 'started' && !isRunning(scan))
    return <StatusBadge tone="warn">Unfinished</StatusBadge>;
  if (scan.status === 'completed' && scan.pages === 0) {
    return <StatusBadge tone="bad">No page scanned</StatusBadge>;
  }
  return STATUSES[scan.status];
}

function NewScan() {
  const navigate = useNavigate();
  const [depth, setDepth] = useState('1');
  const starting = useMutation({
    mutationFn: () => write<Scan>('POST', '/scanner/scans', { scan_depth: Number(depth) }),
    async onSuccess({ scan_id }) {
      void queryClient.invalidateQueries({ queryKey: ['scans'] });
      await navigate({ to: '/scanner/$id', params: { id: String(scan_id) } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    starting.mutate();
  };
  return (
    <form className="card" onSubmit={submit}>
      <h2>New scan</h2>
      <div className="row" style={{ alignItems: 'flex-end' }}>
        <NativeSelect
          label="How far from the home page"
          data={DEPTHS}
          value={depth}
          onChange={({ currentTarget }) => setDepth(currentTarget.value)}
        />
        <Button type="submit" loading={starting.isPending}>
          Start
        </Button>
        <span className="soft small" role="status">
          {starting.isPending && 'Starting the scan…'}
        </span>
      </div>
      {starting.error && (
        <p className="form-error" role="alert" style={{ marginTop: '0.9rem' }}>
          {starting.error.message}
        </p>
      )}
    </form>
  );
}
