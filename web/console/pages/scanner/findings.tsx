import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { IconScan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { DecisionAnswer, ScanResults } from '../../api/types.ts';
import { Allowed } from '../../components/access.tsx';
import { FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { formatCount, getPath, toLabel } from '../../components/format.ts';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { BlockDialog, BlockResult } from './block-dialog.tsx';
import { countSkipped } from './decisions.ts';
import { ProofStatus } from './proof.tsx';
import { type Resource, resourcesQuery } from './queries.ts';
import { Resources } from './resource-table.tsx';

const route = getRouteApi('/app/scanner/$id');
/** What the filter calls the decision states. */
const STATES = [
  ['open', 'Open'],
  ['blocked', 'Blocked until consent'],
  ['necessary', 'Strictly necessary'],
  ['ignored', 'Ignored'],
] as const;
const NO_FILTERS = {
  type: undefined,
  vendor: undefined,
  at: undefined,
  only: undefined,
  verdict: undefined,
  search: undefined,
};

/** Resources of a scan, one per row with all its pages, by type, vendor, page and decision. */
export function Findings({ summary }: { summary: ScanResults }) {
  const { type, vendor, at, only, verdict, search, sort, page = '1' } = route.useSearch();
  const scanId = summary.scan_id;
  const change = useUrlState();
  const resources = useQuery(
    resourcesQuery(String(scanId), {
      resource_type: type,
      vendor,
      page_url: at,
      search,
      orderby: sort,
      verdict,
      ...(only === 'before'
        ? { needs_consent: 'true', consent_state: 'before' }
        : only === 'broken'
          ? { broken_promise: 'true' }
          : { state: only }),
      page: Number(page),
    }),
  );
  return (
    <Stack>
      <Allowed>
        <BlockOpenResources scanId={scanId} open={summary.open_resources} />
      </Allowed>
      <ProofStatus scanId={scanId} />
      <FilterBar name="findings" mb={0}>
        <SearchField label="Search" value={search} />
        <SelectFilter
          name="type"
          label="Type"
          value={type}
          options={summary.types.map(({ resource_type }) => ({
            value: resource_type,
            label: toLabel(resource_type),
          }))}
        />
        <SelectFilter
          name="vendor"
          label="Vendor"
          value={vendor}
          options={summary.vendors.map(({ slug, name }) => ({ value: slug, label: name }))}
        />
        <SelectFilter
          name="at"
          label="Page"
          value={at}
          options={summary.urls.map(({ url }) => ({ value: url, label: getPath(url) }))}
        />
        <SelectFilter
          name="only"
          label="Status"
          value={only}
          options={[
            ...STATES.map(([value, label]) => ({ value, label })),
            { value: 'before', label: 'Loaded before consent' },
            { value: 'broken', label: 'Broken promises' },
          ]}
        />
        <SelectFilter
          name="sort"
          label="Sort by"
          value={sort}
          all="Urgency"
          options={[
            { value: 'name', label: 'Name' },
            { value: 'vendor', label: 'Vendor' },
            { value: 'category', label: 'Category' },
            { value: 'pages', label: 'Pages' },
            { value: 'first_seen', label: 'First seen' },
          ]}
        />
      </FilterBar>
      <QueryResult query={resources} lines={12}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState
              icon={IconScan}
              title={
                only === 'open' && summary.open === 0 ? 'No open findings' : 'No matching findings'
              }
              action={
                <Button variant="default" onClick={() => change(NO_FILTERS)}>
                  Clear filters
                </Button>
              }
            />
          ) : (
            <Resources
              // Not by the findings: a list that is refreshed would close an open menu, or a dialog with what was typed.
              key={page}
              scanId={scanId}
              visited={summary.states}
              items={items}
              total={total}
              page={Number(page)}
              sort={sort}
            />
          )
        }
      </QueryResult>
    </Stack>
  );
}

/** Offers to block every open resource of the scan at once. */
function BlockOpenResources({ scanId, open }: { scanId: number; open: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const [blocked, setBlocked] = useState<{
    answer: DecisionAnswer;
    resources: readonly Resource[];
    openBefore: number;
  }>();
  // After blocking, not until the new number is loaded, and not for what could not be blocked.
  const isOffered = blocked
    ? open !== blocked.openBefore && open > countSkipped(blocked.answer)
    : open > 0;
  return (
    <>
      {isOffered && (
        <Card withBorder padding="md" aria-label="Block until consent" component="section">
          <Group justify="space-between">
            <Text>
              <strong>{formatCount(open, 'open finding')}</strong> {open === 1 ? 'needs' : 'need'} a
              decision.
            </Text>
            <Button onClick={() => setIsOpen(true)}>Block all until consent</Button>
          </Group>
        </Card>
      )}
      {(open > 0 || blocked) && (
        <div role="status">
          {blocked && <BlockResult answer={blocked.answer} open={blocked.resources} />}
        </div>
      )}
      <BlockDialog
        scanId={scanId}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onBlocked={(answer, resources) => setBlocked({ answer, resources, openBefore: open })}
      />
    </>
  );
}
