import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Scan } from '../../api/types.ts';
import { Allowed, ReadOnlyNotice } from '../../components/access.tsx';
import { formatMoment } from '../../components/format.ts';
import { Pager, Table } from '../../components/list.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Shown } from '../../components/states.tsx';
import { Tag } from '../../components/tag.tsx';
import { isRunning, SCANS_PER_PAGE, scansQuery } from './queries.ts';

const route = getRouteApi('/inside/scanner');

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
        <Shown query={scans}>
          {({ items, total }) =>
            total === 0 ? (
              <Empty icon="scanner" title="No scan yet">
                The first one takes a minute or two. Afterwards you see who is behind what the pages
                load, and what to do about it.
              </Empty>
            ) : (
              <div>
                <Table
                  label="Scans"
                  rows={items}
                  keyOf={({ scan_id }) => scan_id}
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
                        before_consent > 0 ? <Tag tone="bad">{before_consent}</Tag> : 0,
                    },
                  ]}
                />
                <Pager page={Number(page)} perPage={SCANS_PER_PAGE} total={total} noun="scan" />
              </div>
            )
          }
        </Shown>
      </div>
    </Page>
  );
}

const STATUSES: Record<Scan['status'], ReactNode> = {
  queued: <Tag tone="info">Queued</Tag>,
  started: <Tag tone="info">Running</Tag>,
  completed: <Tag tone="good">Complete</Tag>,
  cancelled: <Tag>Cancelled</Tag>,
  interrupted: <Tag tone="warn">Interrupted</Tag>,
  failed: <Tag tone="bad">Failed</Tag>,
};

function Status({ scan }: { scan: Scan }) {
  if (scan.status === 'started' && !isRunning(scan)) return <Tag tone="warn">Unfinished</Tag>;
  if (scan.status === 'completed' && scan.pages === 0) {
    return <Tag tone="bad">No page scanned</Tag>;
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
