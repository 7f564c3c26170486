import { Button, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ScanDetail, ScanResults } from '../../api/types.ts';
import { ConfirmButton, useRemoval } from '../../components/form.tsx';
import { formatMoment, formatNumber } from '../../components/format.ts';
import { KeyFigures } from '../../components/key-figures.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { ViewLinks } from '../../components/view-links.tsx';
import { Comparison } from './comparison.tsx';
import { ConsentBanner } from './consent-banner.tsx';
import { EvidencePack } from './evidence-pack.tsx';
import { Findings } from './findings.tsx';
import { FoundVendors, UnrecognisedDomains } from './found-vendors.tsx';
import { Pages } from './pages.tsx';
import { ScanProgress } from './progress.tsx';
import { isRunning, scanQuery, summaryQuery } from './queries.ts';
import { ScanNotices } from './scan-notices.tsx';
import { VerdictTiles } from './verdict-tiles.tsx';

const route = getRouteApi('/app/scanner/$id');

/** One scan: its progress or its results. */
export function ScanScreen() {
  const { id } = route.useParams();
  const scan = useQuery(scanQuery(id));
  const isInProgress = scan.data ? isRunning(scan.data) : true;
  // A scan that was resumed has other results than those in the cache.
  const summary = useQuery({ ...summaryQuery(id), enabled: !isInProgress, staleTime: 0 });
  return (
    <Page
      title={scan.data ? `Scan of ${formatMoment(scan.data.started_at)}` : 'Scan'}
      intro={scan.data?.site_url}
      back={{ to: '/scanner', label: 'Scanner' }}
      actions={
        scan.data && (
          <>
            {scan.data.status === 'completed' && <EvidencePack scanId={scan.data.scan_id} />}
            <DeleteScan scan={scan.data} />
          </>
        )
      }
    >
      <QueryResult query={scan}>
        {(detail) => (
          <Stack>
            {detail.status !== 'completed' && <ScanProgress scan={detail} />}
            {!isInProgress && (
              <QueryResult query={summary}>
                {(results) => <Results scan={detail} results={results} />}
              </QueryResult>
            )}
          </Stack>
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
    <ConfirmButton
      title="Delete this scan?"
      text="The scan and its findings are deleted. This cannot be undone."
      confirm="Delete"
      isBusy={removal.isBusy}
      onConfirm={removal.onRemove}
      button={(open) => (
        <Button variant="subtle" color="red" onClick={open}>
          Delete scan
        </Button>
      )}
    />
  );
}

function Results({ scan, results }: { scan: ScanDetail; results: ScanResults }) {
  const { view = 'findings' } = route.useSearch();
  const hasNoPages =
    results.pages === 0 &&
    results.pages_failed > 0 &&
    ['vendors', 'findings', 'unknown'].includes(view);
  const tabs = [
    ['findings', `Findings (${formatNumber(results.resources.total)})`],
    ['vendors', `Vendors (${results.vendors.length})`],
    ['unknown', `Unrecognised domains (${results.unknown_hosts.length})`],
    ...(results.verdicts.length > 0
      ? ([['banner', `Consent banner (${results.shortcomings.length})`]] as const)
      : []),
    ['pages', `Pages (${scan.urls.length})`],
    ['changes', 'Changes'],
  ] as const;
  return (
    <Stack>
      {results.verdicts.length > 0 ? (
        <VerdictTiles results={results} />
      ) : (
        <KeyFigures
          items={[
            { label: 'Open', value: formatNumber(results.open_resources) },
            {
              label: 'Loaded before consent',
              value: formatNumber(results.resources.before_consent),
            },
            { label: 'Vendors', value: formatNumber(results.vendors.length) },
            {
              label: 'Pages',
              value: formatNumber(results.pages),
              ...(results.pages_failed > 0 && { note: `${results.pages_failed} failed` }),
            },
          ]}
        />
      )}
      <ScanNotices results={results} />
      <ViewLinks label="Results" views={tabs} current={view} mb={0} />
      {hasNoPages && (
        <EmptyState icon={IconAlertTriangle} title="No page could be scanned">
          The tab “Pages” shows the reasons.
        </EmptyState>
      )}
      {view === 'vendors' && !hasNoPages && <FoundVendors results={results} />}
      {view === 'findings' && !hasNoPages && <Findings summary={results} />}
      {view === 'unknown' && !hasNoPages && <UnrecognisedDomains results={results} />}
      {view === 'banner' && <ConsentBanner results={results} />}
      {view === 'pages' && <Pages scan={scan} />}
      {view === 'changes' && <Comparison scan={scan} />}
    </Stack>
  );
}
