import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Finding, ScanResults } from '../../api/types.ts';
import { words } from '../../parts/format.ts';
import { Choice, Pager, SearchField, Table, useAddress } from '../../parts/list.tsx';
import { Empty } from '../../parts/states.tsx';
import { Category, Tag } from '../../parts/tag.tsx';
import { AllGates } from './all-gates.tsx';
import { Gate } from './gate.tsx';
import { bringerOf } from './gated.ts';

const route = getRouteApi('/inside/scanner/$id');
const PER_PAGE = 50;
const pathOf = (url: string): string => new URL(url).pathname;

/** Every thing on every page, by type, vendor and page. */
export function Findings({ results }: { results: ScanResults }) {
  const { type, vendor, at, only, search, page = '1' } = route.useSearch();
  const change = useAddress();
  const text = search?.toLowerCase() ?? '';
  const isWanted = (finding: Finding) =>
    (!type || finding.resource_type === type) &&
    (!vendor || finding.vendor?.slug === vendor) &&
    (!at || finding.page_url === at) &&
    (only !== 'before' || finding.needs_consent) &&
    (!text || `${finding.name} ${finding.url} ${finding.host}`.toLowerCase().includes(text));
  const found = results.results.filter(isWanted);
  const first = (Number(page) - 1) * PER_PAGE;
  const pages = [...new Set(results.results.map(({ page_url }) => page_url))].sort();
  return (
    <>
      <AllGates results={results} />
      <search className="filters">
        <SearchField label="Search" value={search} />
        <Choice
          name="type"
          label="Type"
          value={type}
          options={results.types.map(({ resource_type, count }) => ({
            value: resource_type,
            label: `${words(resource_type)} (${count})`,
          }))}
        />
        <Choice
          name="vendor"
          label="Vendor"
          value={vendor}
          options={results.vendors.map(({ slug, name }) => ({ value: slug, label: name }))}
        />
        <Choice
          name="at"
          label="Page"
          value={at}
          options={pages.map((url) => ({ value: url, label: pathOf(url) }))}
        />
        <Choice
          name="only"
          label="Consent"
          value={only}
          options={[{ value: 'before', label: 'Before consent, and should not' }]}
        />
      </search>
      {found.length === 0 ? (
        <Empty
          icon="scanner"
          title="Nothing like that was found"
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
          <Table
            label="Findings"
            rows={found.slice(first, first + PER_PAGE)}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'What',
                cell: (finding) => (
                  <>
                    <strong>{titleOf(finding)}</strong>
                    <div className="soft small break">{finding.url}</div>
                    <BroughtBy bringer={bringerOf(finding, results.results)} />
                  </>
                ),
              },
              { title: 'Type', cell: ({ resource_type }) => words(resource_type) },
              { title: 'Vendor', cell: ({ vendor: whose }) => whose?.name ?? '–' },
              { title: 'Category', cell: ({ category }) => <Category id={category} /> },
              { title: 'Page', cell: ({ page_url }) => pathOf(page_url) },
              { title: 'Consent', cell: (finding) => <Consent finding={finding} /> },
              {
                title: '',
                cell: (finding) => (
                  <Gate finding={bringerOf(finding, results.results) ?? finding} />
                ),
              },
            ]}
          />
          <Pager page={Number(page)} perPage={PER_PAGE} total={found.length} noun="finding" />
        </>
      )}
    </>
  );
}

const titleOf = ({ name, host }: Finding): string => name || host;

function BroughtBy({ bringer }: { bringer: Finding | undefined }) {
  return bringer && <div className="small break">Brought by {titleOf(bringer)}</div>;
}

function Consent({ finding }: { finding: Finding }) {
  if (finding.needs_consent) return <Tag tone="bad">Before</Tag>;
  if (finding.blocked) return <Tag tone="good">Waits</Tag>;
  return finding.consent_state === 'before' ? <Tag>Not needed</Tag> : <Tag tone="good">After</Tag>;
}
