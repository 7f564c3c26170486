import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ScanDetail, ScanResults } from '../../api/types.ts';
import { ConfirmButton, useRemoval } from '../../components/form.tsx';
import { formatMoment, formatNumber } from '../../components/format.ts';
import { KeyFigures } from '../../components/key-figures.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { Changes } from './changes.tsx';
import { Findings } from './findings.tsx';
import { FoundVendors, UnknownHosts } from './found-vendors.tsx';
import { Pages } from './pages.tsx';
import { ScanProgress } from './progress.tsx';
import { isRunning, resultsQuery, scanQuery } from './queries.ts';
import { UnseenPages } from './unseen-pages.tsx';

const route = getRouteApi('/app/scanner/$id');

/** One scan: how it goes, or what it found. */
export function ScanScreen() {
  const { id } = route.useParams();
  const scan = useQuery(scanQuery(id));
  const isGoing = scan.data ? isRunning(scan.data) : true;
  // Read when the scan is over, and anew when it has gone on since.
  const results = useQuery({ ...resultsQuery(id), enabled: !isGoing, staleTime: 0 });
  return (
    <Page
      title={scan.data ? `Scan of ${formatMoment(scan.data.started_at)}` : 'Scan'}
      intro={scan.data?.site_url}
      back={{ to: '/scanner', label: 'Scanner' }}
    >
      <QueryResult query={scan}>
        {(detail) => (
          <div className="stack">
            {detail.status !== 'completed' && <ScanProgress scan={detail} />}
            {!isGoing && (
              <QueryResult query={results}>
                {(found) => <Results scan={detail} results={found} />}
              </QueryResult>
            )}
            <DeleteScan scan={detail} />
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

function DeleteScan({ scan }: { scan: ScanDetail }) {
  const removal = useRemoval({
    path: `/scanner/scans/${scan.scan_id}`,
    noun: 'scan',
    stale: [['scans']],
    to: '/scanner',
  })('this scan');
  return (
    <div className="row">
      <ConfirmButton
        title="Delete this scan?"
        text="Its findings are deleted with it. This cannot be undone."
        confirm="Delete"
        isBusy={removal.isBusy}
        onConfirm={removal.onRemove}
        button={(open) => (
          <Button variant="subtle" color="red" onClick={open}>
            Delete scan
          </Button>
        )}
      />
    </div>
  );
}

function Results({ scan, results }: { scan: ScanDetail; results: ScanResults }) {
  const { view = 'vendors' } = route.useSearch();
  const { id } = route.useParams();
  const isBlind =
    results.pages === 0 &&
    results.pages_failed > 0 &&
    ['vendors', 'findings', 'unknown'].includes(view);
  const tabs = [
    ['vendors', `Vendors (${results.vendors.length})`],
    ['findings', `Findings (${formatNumber(results.total)})`],
    ['unknown', `Unknown hosts (${results.unknown_hosts.length})`],
    ['pages', `Pages (${scan.urls.length})`],
    ['changes', 'Changes'],
  ] as const;
  return (
    <div>
      <KeyFigures
        items={[
          {
            label: 'Pages',
            value: formatNumber(results.pages),
            ...(results.pages_failed > 0 && { note: `${results.pages_failed} failed` }),
          },
          { label: 'Findings', value: formatNumber(results.total) },
          { label: 'Vendors', value: formatNumber(results.vendors.length) },
          { label: 'Before consent', value: formatNumber(results.before_consent) },
          { label: 'Open', value: formatNumber(results.open) },
        ]}
      />
      <UnseenPages results={results} />
      <nav className="tabs" aria-label="Results" style={{ marginTop: '1.25rem' }}>
        {tabs.map(([name, label]) => (
          <Link
            key={name}
            to="/scanner/$id"
            params={{ id }}
            search={{ view: name }}
            resetScroll={false}
            aria-current={view === name ? 'page' : undefined}
            activeProps={{ 'aria-current': view === name ? 'page' : undefined }}
          >
            {label}
          </Link>
        ))}
      </nav>
      {isBlind && (
        <EmptyState icon={IconAlertTriangle} title="No page could be looked at">
          So nothing is known of them; under “Pages” you see why.
        </EmptyState>
      )}
      {view === 'vendors' && !isBlind && <FoundVendors results={results} />}
      {view === 'findings' && !isBlind && <Findings results={results} />}
      {view === 'unknown' && !isBlind && <UnknownHosts results={results} />}
      {view === 'pages' && <Pages scan={scan} />}
      {view === 'changes' && <Changes scan={scan} />}
    </div>
  );
}
