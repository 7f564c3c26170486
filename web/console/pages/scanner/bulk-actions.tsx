import { Button, Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../components/form.tsx';
import { type Decision, DecisionDialog } from './decision-dialog.tsx';
import {
  getDecisionIds,
  isBlockable,
  notifyBlocked,
  STALE_AFTER_DECISION,
  sendDecision,
} from './decisions.ts';
import type { Resource } from './queries.ts';

/** Decides about the selected resources together. */
export function BulkActions({
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
    onDone: (answer) => notifyBlocked(answer),
  });
  return (
    <Group gap="sm" mih={44}>
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
