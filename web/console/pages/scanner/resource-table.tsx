import { Anchor, Box, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ScanState } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { CategoryBadge, StatusBadge } from '../../components/badges.tsx';
import { notifySuccess, useChange } from '../../components/form.tsx';
import { formatCount, getPath, toLabel } from '../../components/format.ts';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { type Decision, DecisionDialog } from './decision-dialog.tsx';
import {
  describeProof,
  explainNextStep,
  getDecisionIds,
  getTitle,
  isBlockable,
  STALE_AFTER_DECISION,
  sendDecision,
} from './decisions.ts';
import { EvidenceDrawer } from './evidence.tsx';
import { ProofBadge } from './proof.tsx';
import { RESOURCES_PER_PAGE, type Resource } from './queries.ts';
import { ResourceActions } from './resource-actions.tsx';
import { StateLegend, StateMarks } from './state-marks.tsx';
import { VerdictBadges } from './verdicts.tsx';

export function Resources({
  scanId,
  visited,
  items,
  total,
  page,
}: {
  scanId: number;
  /** The states of the scan. */
  visited: readonly ScanState[];
  items: readonly Resource[];
  total: number;
  page: number;
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
          ...(hasVerdicts
            ? [
                {
                  title: 'Verdict',
                  cell: ({ states, verdicts }: Resource) => (
                    <Stack gap={6} align="flex-start">
                      <VerdictBadges verdicts={verdicts} />
                      <StateMarks visited={visited} seen={states} verdicts={verdicts} />
                    </Stack>
                  ),
                },
              ]
            : []),
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
      <EvidenceDrawer
        resource={items.find(({ id }) => id === shown)}
        visited={visited}
        onClose={() => setShown(undefined)}
      />
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
    onDone: (answer) =>
      notifySuccess(
        `${formatCount(blockable.length, 'resource')} blocked until consent. ${describeProof(answer)}`,
      ),
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
  const explanation = isBlockable(resource) ? undefined : explainNextStep(resource);
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

function StateBadge({ resource: { state, consent_state, proof } }: { resource: Resource }) {
  if (state === 'open') return <StatusBadge tone="bad">Open</StatusBadge>;
  if (state === 'blocked') return <ProofBadge proof={proof} />;
  if (state === 'necessary') return <StatusBadge tone="good">Strictly necessary</StatusBadge>;
  if (state === 'ignored') return <StatusBadge>Ignored</StatusBadge>;
  return consent_state === 'before' ? (
    <StatusBadge>No consent needed</StatusBadge>
  ) : (
    <StatusBadge tone="good">After consent</StatusBadge>
  );
}
