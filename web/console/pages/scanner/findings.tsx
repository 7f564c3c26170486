import { Box, Button, Card, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconScan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { DecisionAnswer, ScanResults } from '../../api/types.ts';
import { Allowed, useCan } from '../../components/access.tsx';
import { CategoryBadge, StatusBadge } from '../../components/badges.tsx';
import { FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, getPath, toLabel } from '../../components/format.ts';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { BlockDialog, BlockResult } from './block-dialog.tsx';
import { type Decision, DecisionDialog } from './decision-dialog.tsx';
import {
  explainOpen,
  getDecisionIds,
  getTitle,
  isBlockable,
  STALE_AFTER_DECISION,
  sendDecision,
} from './decisions.ts';
import { RESOURCES_PER_PAGE, type Resource, resourcesQuery } from './queries.ts';
import { ResourceActions } from './resource-actions.tsx';

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
  search: undefined,
};

/** Resources of a scan, one per row with all its pages, by type, vendor, page and decision. */
export function Findings({ summary }: { summary: ScanResults }) {
  const { type, vendor, at, only, search, sort, page = '1' } = route.useSearch();
  const scanId = summary.scan_id;
  const change = useUrlState();
  const resources = useQuery(
    resourcesQuery(String(scanId), {
      resource_type: type,
      vendor,
      page_url: at,
      search,
      orderby: sort,
      ...(only === 'before' ? { needs_consent: 'true' } : { state: only }),
      page: Number(page),
    }),
  );
  return (
    <Stack>
      <Allowed>
        <BlockOpenResources scanId={scanId} open={summary.open} />
      </Allowed>
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
              key={items.map(({ id }) => id).join()}
              scanId={scanId}
              items={items}
              total={total}
              page={Number(page)}
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
  const [answer, setAnswer] = useState<DecisionAnswer>();
  return (
    <>
      {open > 0 && !answer && (
        <Card withBorder padding="md" aria-label="Block until consent" component="section">
          <Group justify="space-between">
            <Text>
              <strong>{formatCount(open, 'finding')}</strong> {open === 1 ? 'loads' : 'load'} before
              consent.
            </Text>
            <Button onClick={() => setIsOpen(true)}>Block all until consent</Button>
          </Group>
        </Card>
      )}
      <div role="status">{answer && <BlockResult answer={answer} />}</div>
      <BlockDialog
        scanId={scanId}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onBlocked={setAnswer}
      />
    </>
  );
}

function Resources({
  scanId,
  items,
  total,
  page,
}: {
  scanId: number;
  items: readonly Resource[];
  total: number;
  page: number;
}) {
  const canManage = useCan('manage_options');
  const [selected, setSelected] = useState<readonly number[]>([]);
  const selectable = items.filter(({ state }) => state === 'open');
  const chosen = selectable.filter(({ id }) => selected.includes(id));
  return (
    <div>
      {canManage && selectable.length > 0 && (
        <BulkActions
          scanId={scanId}
          chosen={chosen}
          total={selectable.length}
          onSelectAll={(isSelected) =>
            setSelected(isSelected ? selectable.map(({ id }) => id) : [])
          }
        />
      )}
      <DataTable
        label="Findings"
        rows={items}
        getKey={({ id }) => id}
        columns={[
          {
            title: 'Resource',
            cell: (resource) => (
              <Group gap="sm" wrap="nowrap" align="flex-start">
                {canManage && (
                  <Checkbox
                    mt={2}
                    disabled={resource.state !== 'open'}
                    aria-label={`Select ${getTitle(resource)}, ${resource.url}`}
                    checked={selected.includes(resource.id)}
                    onChange={({ currentTarget: { checked } }) =>
                      setSelected(
                        checked
                          ? [...selected, resource.id]
                          : selected.filter((id) => id !== resource.id),
                      )
                    }
                  />
                )}
                <Box className="break" miw={{ base: 0, lg: '18rem' }}>
                  <strong>{getTitle(resource)}</strong>{' '}
                  <Text span size="xs" c="dimmed">
                    {toLabel(resource.resource_type)}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {resource.url}
                  </Text>
                  {resource.initiator && (
                    <Text size="xs">
                      Loaded by {resource.initiator.name || resource.initiator.url}
                    </Text>
                  )}
                </Box>
              </Group>
            ),
          },
          { title: 'Vendor', cell: ({ vendor }) => vendor?.name ?? '–' },
          { title: 'Category', cell: ({ category }) => <CategoryBadge id={category} /> },
          { title: 'Pages', cell: (resource) => <Pages resource={resource} /> },
          { title: 'Status', cell: (resource) => <Status resource={resource} /> },
          ...(canManage
            ? [
                {
                  title: '',
                  align: 'end' as const,
                  cell: (resource: Resource) => (
                    <ResourceActions scanId={scanId} resource={resource} />
                  ),
                },
              ]
            : []),
        ]}
      />
      <TablePagination page={page} perPage={RESOURCES_PER_PAGE} total={total} noun="resource" />
    </div>
  );
}

/** Decides about the selected resources together. */
function BulkActions({
  scanId,
  chosen,
  total,
  onSelectAll,
}: {
  scanId: number;
  chosen: readonly Resource[];
  total: number;
  onSelectAll: (isSelected: boolean) => void;
}) {
  const [decision, setDecision] = useState<Decision>();
  const blockable = chosen.filter(isBlockable);
  const blocking = useChange({
    change: () =>
      sendDecision({
        scan_id: scanId,
        findings: getDecisionIds(blockable),
        decision: 'blocked',
      }),
    stale: STALE_AFTER_DECISION,
    done: `${formatCount(blockable.length, 'resource')} blocked until consent. Scan again to check.`,
  });
  return (
    <Group mb="sm" gap="sm" mih={44}>
      <Checkbox
        label={
          chosen.length > 0 ? `${chosen.length} of ${total} selected` : 'Select all on this page'
        }
        checked={chosen.length === total}
        indeterminate={chosen.length > 0 && chosen.length < total}
        onChange={({ currentTarget: { checked } }) => onSelectAll(checked)}
      />
      {chosen.length > 0 && (
        <>
          <Button
            size="xs"
            disabled={blockable.length === 0}
            loading={blocking.isPending}
            onClick={() => blocking.mutate(undefined)}
          >
            Block until consent
          </Button>
          <Button size="xs" variant="default" onClick={() => setDecision('necessary')}>
            Strictly necessary
          </Button>
          <Button size="xs" variant="default" onClick={() => setDecision('ignored')}>
            Ignore
          </Button>
        </>
      )}
      <DecisionDialog
        scanId={scanId}
        resources={chosen}
        decision={decision}
        onClose={() => setDecision(undefined)}
      />
    </Group>
  );
}

/** The page that has a resource, or their number with a list of them. */
function Pages({ resource: { pages, page_urls } }: { resource: Resource }) {
  const [first] = page_urls;
  if (pages === 1 && first) return <span className="break">{getPath(first)}</span>;
  return (
    <details>
      <Box component="summary" py={{ base: 'sm', md: 0 }} style={{ whiteSpace: 'nowrap' }}>
        {formatCount(pages, 'page')}
      </Box>
      <Text component="ul" size="xs" className="plain">
        {page_urls.map((url) => (
          <li key={url}>{getPath(url)}</li>
        ))}
        {pages > page_urls.length && <li>and {pages - page_urls.length} more</li>}
      </Text>
    </details>
  );
}

function Status({ resource }: { resource: Resource }) {
  const explanation = explainOpen(resource) ?? resource.decision?.reason;
  return (
    <>
      <StateBadge resource={resource} />
      {explanation && (
        <Text size="xs" c="dimmed" className="break" maw="18rem">
          {explanation}
        </Text>
      )}
    </>
  );
}

function StateBadge({ resource: { state, consent_state } }: { resource: Resource }) {
  if (state === 'open') return <StatusBadge tone="bad">Open</StatusBadge>;
  if (state === 'blocked') return <StatusBadge tone="good">Blocked</StatusBadge>;
  if (state === 'necessary') return <StatusBadge tone="good">Strictly necessary</StatusBadge>;
  if (state === 'ignored') return <StatusBadge>Ignored</StatusBadge>;
  return consent_state === 'before' ? (
    <StatusBadge>No consent needed</StatusBadge>
  ) : (
    <StatusBadge tone="good">After consent</StatusBadge>
  );
}
