import { Button } from '@mantine/core';
import { IconWorldSearch } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { Finding, ScanResults } from '../../api/types.ts';
import { Allowed } from '../../components/access.tsx';
import { CategoryBadge, StatusBadge } from '../../components/badges.tsx';
import { formatCount, toLabel } from '../../components/format.ts';
import { EmptyState } from '../../components/states.tsx';
import {
  DataTable,
  SearchField,
  SelectFilter,
  TablePagination,
  useUrlState,
} from '../../components/table.tsx';
import { BlockAll } from './block-all.tsx';
import { Decide } from './decide.tsx';
import { explainOpen, titleOf } from './decisions.ts';
import { FindingActions } from './finding-actions.tsx';

const route = getRouteApi('/app/scanner/$id');
const PER_PAGE = 50;
/** What the filter calls the states of a finding. */
const STATES = [
  ['open', 'Open'],
  ['blocked', 'Blocked until consent'],
  ['necessary', 'Strictly necessary'],
  ['ignored', 'Ignored'],
] as const;
const isState = (text: string | undefined): boolean => STATES.some(([state]) => state === text);
const pathOf = (url: string): string => new URL(url).pathname;

/** Every thing on every page, by type, vendor and page. */
export function Findings({ results }: { results: ScanResults }) {
  const { type, vendor, at, only, search, page = '1' } = route.useSearch();
  const change = useUrlState();
  const text = search?.toLowerCase() ?? '';
  const isWanted = (finding: Finding) =>
    (!type || finding.resource_type === type) &&
    (!vendor || finding.vendor?.slug === vendor) &&
    (!at || finding.page_url === at) &&
    (only !== 'before' || finding.needs_consent) &&
    (!isState(only) || finding.state === only) &&
    (!text || `${finding.name} ${finding.url} ${finding.host}`.toLowerCase().includes(text));
  const found = results.results.filter(isWanted);
  const open = found.filter(({ state }) => state === 'open');
  const first = (Number(page) - 1) * PER_PAGE;
  const pages = [...new Set(results.results.map(({ page_url }) => page_url))].sort();
  return (
    <>
      <Allowed>
        <BlockAll results={results} />
      </Allowed>
      <search className="filters">
        <SearchField label="Search" value={search} />
        <SelectFilter
          name="type"
          label="Type"
          value={type}
          options={results.types.map(({ resource_type, count }) => ({
            value: resource_type,
            label: `${toLabel(resource_type)} (${count})`,
          }))}
        />
        <SelectFilter
          name="vendor"
          label="Vendor"
          value={vendor}
          options={results.vendors.map(({ slug, name }) => ({ value: slug, label: name }))}
        />
        <SelectFilter
          name="at"
          label="Page"
          value={at}
          options={pages.map((url) => ({ value: url, label: pathOf(url) }))}
        />
        <SelectFilter
          name="only"
          label="State"
          value={only}
          options={[
            ...STATES.map(([value, label]) => ({ value, label })),
            { value: 'before', label: 'Loaded before consent' },
          ]}
        />
      </search>
      {open.length > 1 && (
        <div className="row between" style={{ marginBottom: '0.75rem' }}>
          <span>
            <strong>{formatCount(open.length, 'open finding')}</strong> in this list.
          </span>
          <Allowed>
            <Decide
              findings={open}
              button={(show) => (
                <Button variant="default" onClick={show}>
                  Decide about all in this list
                </Button>
              )}
            />
          </Allowed>
        </div>
      )}
      {found.length === 0 ? (
        <EmptyState
          icon={IconWorldSearch}
          title={only === 'open' && results.open === 0 ? 'No open findings' : 'No such findings'}
          action={
            <Button
              variant="default"
              onClick={() =>
                change({
                  type: undefined,
                  vendor: undefined,
                  at: undefined,
                  only: undefined,
                  search: undefined,
                })
              }
            >
              Show everything
            </Button>
          }
        />
      ) : (
        <>
          <DataTable
            label="Findings"
            rows={found.slice(first, first + PER_PAGE)}
            getKey={({ id }) => id}
            columns={[
              {
                title: 'What',
                cell: (finding) => (
                  <>
                    <strong>{titleOf(finding)}</strong>
                    <div className="soft small break">{finding.url}</div>
                    {finding.initiator && (
                      <div className="small break">
                        Loaded by {finding.initiator.name || finding.initiator.url}
                      </div>
                    )}
                  </>
                ),
              },
              { title: 'Type', cell: ({ resource_type }) => toLabel(resource_type) },
              { title: 'Vendor', cell: ({ vendor: whose }) => whose?.name ?? '–' },
              { title: 'Category', cell: ({ category }) => <CategoryBadge id={category} /> },
              { title: 'Page', cell: ({ page_url }) => pathOf(page_url) },
              { title: 'State', cell: (finding) => <State finding={finding} /> },
              {
                title: '',
                cell: (finding) => (
                  <Allowed>
                    <FindingActions finding={finding} />
                  </Allowed>
                ),
              },
            ]}
          />
          <TablePagination
            page={Number(page)}
            perPage={PER_PAGE}
            total={found.length}
            noun="finding"
          />
        </>
      )}
    </>
  );
}

function State({ finding }: { finding: Finding }) {
  const explanation = explainOpen(finding) ?? finding.decision?.reason;
  return (
    <>
      <StateTag finding={finding} />
      {explanation && <div className="soft small break">{explanation}</div>}
    </>
  );
}

function StateTag({ finding: { state, consent_state } }: { finding: Finding }) {
  if (state === 'open') return <StatusBadge tone="bad">Open</StatusBadge>;
  if (state === 'blocked') return <StatusBadge tone="good">Blocked</StatusBadge>;
  if (state === 'necessary') return <StatusBadge tone="good">Strictly necessary</StatusBadge>;
  if (state === 'ignored') return <StatusBadge>Ignored</StatusBadge>;
  return consent_state === 'before' ? (
    <StatusBadge>Not needed</StatusBadge>
  ) : (
    <StatusBadge tone="good">After consent</StatusBadge>
  );
}
