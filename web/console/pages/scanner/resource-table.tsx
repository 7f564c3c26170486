import { Anchor, Box, Checkbox, Group, Stack, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { ScanState } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { getCategoryLabel, StatusBadge } from '../../components/badges.tsx';
import { formatCount, getPath, toLabel } from '../../components/format.ts';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { explainNextStep, getRejection, getTitle, isBlockable } from './decisions.ts';
import { EvidenceDrawer } from './evidence.tsx';
import { ProofBadge } from './proof.tsx';
import { RESOURCES_PER_PAGE, type Resource } from './queries.ts';
import { ResourceActions } from './resource-actions.tsx';
import { StateLegend, StateMarks } from './state-marks.tsx';
import { GravestVerdict } from './verdicts.tsx';

export function Resources({
  scanId,
  visited,
  items,
  total,
  page,
  sort = 'urgency',
}: {
  scanId: number;
  /** The states of the scan. */
  visited: readonly ScanState[];
  items: readonly Resource[];
  total: number;
  page: number;
  sort?: string | undefined;
}) {
  const canManage = useCan('manage_options');
  const [selected, setSelected] = useState<readonly number[]>([]);
  const [shown, setShown] = useState<number>();
  const selectable = items.filter(({ state }) => state === 'open');
  // Scans of earlier versions have none.
  const hasVerdicts = items.some(({ verdict }) => verdict !== null);
  const chosen = selectable.filter(({ id }) => selected.includes(id));
  return (
    <div>
      <Group justify="space-between" mb="sm" style={{ rowGap: 0 }}>
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
        {hasVerdicts && <StateLegend visited={visited} />}
      </Group>
      <DataTable
        label="Findings"
        rows={items}
        getKey={({ id }) => id}
        getGroup={GROUPS[sort]}
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
                <Box className="break" miw={{ base: 0, lg: '11rem' }}>
                  {hasVerdicts ? (
                    <Anchor
                      component="button"
                      type="button"
                      ta="start"
                      fz="inherit"
                      fw={600}
                      c="var(--ink)"
                      mih={{ base: 44, md: 0 }}
                      aria-label={`Evidence: ${getTitle(resource)}`}
                      onClick={() => setShown(resource.id)}
                    >
                      {getTitle(resource)}
                    </Anchor>
                  ) : (
                    <strong>{getTitle(resource)}</strong>
                  )}{' '}
                  <Text span size="xs" c="dimmed">
                    {describe(resource)}
                  </Text>
                  <Text size="xs" c="dimmed" className="break">
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
          { title: 'Pages', cell: (resource) => <Pages resource={resource} /> },
          ...(hasVerdicts
            ? [
                {
                  title: 'Verdict',
                  cell: ({ states, verdicts }: Resource) => (
                    <Stack gap={6} align="flex-start">
                      <GravestVerdict verdicts={verdicts} />
                      <StateMarks visited={visited} seen={states} verdicts={verdicts} />
                    </Stack>
                  ),
                },
              ]
            : []),
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
      <TablePagination page={page} perPage={RESOURCES_PER_PAGE} total={total} noun="finding" />
      <EvidenceDrawer
        resource={items.find(({ id }) => id === shown)}
        visited={visited}
        onClose={() => setShown(undefined)}
      />
    </div>
  );
}

/** What follows the title: the type, the vendor unless it is the title, and the category. */
const describe = (resource: Resource): string =>
  [
    toLabel(resource.resource_type),
    resource.vendor?.name !== getTitle(resource) && resource.vendor?.name,
    resource.category && getCategoryLabel(resource.category),
  ]
    .filter(Boolean)
    .join(' · ');

const STATES = {
  open: 'Open',
  blocked: 'Blocked until consent',
  necessary: 'Strictly necessary',
  ignored: 'Ignored',
};

/** The headings of the orders that have any. */
const GROUPS: Partial<Record<string, (resource: Resource) => string>> = {
  urgency: ({ broken_promise, state }) =>
    broken_promise ? 'Broken promises' : state ? STATES[state] : 'No decision needed',
  vendor: ({ vendor }) => vendor?.name ?? 'No known vendor',
  category: ({ category }) => (category ? getCategoryLabel(category) : 'No category'),
};

/** The page that has a resource, or their number with a list of them. */
function Pages({ resource: { pages, page_urls } }: { resource: Resource }) {
  const [first] = page_urls;
  if (pages === 1 && first) {
    return (
      <Text size="xs" className="break">
        <Path url={first} />
      </Text>
    );
  }
  return (
    <Text component="details" size="xs" miw="5rem">
      <Box component="summary" py={{ base: 'sm', md: 0 }}>
        {formatCount(pages, 'page')}
      </Box>
      <ul role="list" className="plain">
        {page_urls.map((url) => (
          <li key={url}>
            <Path url={url} />
          </li>
        ))}
        {pages > page_urls.length && <li>and {pages - page_urls.length} more</li>}
      </ul>
    </Text>
  );
}

/** Breaks after slashes, where it has to. */
const Path = ({ url }: { url: string }) =>
  [...getPath(url).matchAll(/[^/]*\/?/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));

function Status({ resource }: { resource: Resource }) {
  const explanation = isBlockable(resource)
    ? undefined
    : (explainNextStep(resource) ?? getRejection(resource));
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

function StateBadge({ resource }: { resource: Resource }) {
  const { state, consent_state, proof } = resource;
  if (state === 'open') return <StatusBadge tone="bad">Open</StatusBadge>;
  if (state === 'blocked') return <ProofBadge proof={proof} />;
  if (state === 'necessary') return <StatusBadge tone="good">Strictly necessary</StatusBadge>;
  if (state === 'ignored') return <StatusBadge>Ignored</StatusBadge>;
  if (getRejection(resource)) return <StatusBadge>Not stored</StatusBadge>;
  return consent_state === 'before' ? (
    <StatusBadge>No consent needed</StatusBadge>
  ) : (
    <StatusBadge tone="good">After consent</StatusBadge>
  );
}
