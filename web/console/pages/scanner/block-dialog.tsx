import { Alert, Button, Checkbox, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { settingsQuery } from '../../api/queries.ts';
import type { DecisionAnswer } from '../../api/types.ts';
import { useChange } from '../../components/form.tsx';
import { formatCount, joinNames } from '../../components/format.ts';
import { QueryResult } from '../../components/states.tsx';
import { block, type PlannedScript } from './block.ts';
import { countSkipped, getTitle, STALE_AFTER_DECISION, sendDecision } from './decisions.ts';
import { allResourcesQuery, latestProofQuery, type Resource } from './queries.ts';

/** Asks which scripts to block and in which category, then adds them to the script registry. */
export function BlockDialog({
  scanId,
  isOpen,
  onClose,
  onBlocked,
}: {
  scanId: number;
  isOpen: boolean;
  onClose: () => void;
  onBlocked: (answer: DecisionAnswer, resources: readonly Resource[]) => void;
}) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Block resources until consent"
      size="xl"
      centered
    >
      <BlockForm scanId={scanId} onClose={onClose} onBlocked={onBlocked} />
    </Modal>
  );
}

function BlockForm({
  scanId,
  onClose,
  onBlocked,
}: {
  scanId: number;
  onClose: () => void;
  onBlocked: (answer: DecisionAnswer, resources: readonly Resource[]) => void;
}) {
  const plan = useQuery({
    queryKey: ['resources', String(scanId), 'block-plan'],
    queryFn: () => sendDecision({ scan_id: scanId, decision: 'blocked', dry_run: true }),
    gcTime: 0,
  });
  const resources = useQuery(allResourcesQuery(String(scanId), { state: 'open' }));
  // By address: handles and labels of new entries change if others are excluded.
  const [excluded, setExcluded] = useState<readonly string[]>([]);
  const [categories, setCategories] = useState<Record<string, string>>({});
  const blocking = useChange({
    change: () =>
      block(scanId, plan.data?.scripts ?? [], resources.data ?? [], excluded, categories),
    stale: STALE_AFTER_DECISION,
    onDone(answer) {
      onBlocked(answer, resources.data ?? []);
      onClose();
    },
  });
  return (
    <Stack>
      <QueryResult query={plan} lines={6}>
        {(answer) =>
          answer.scripts.length === 0 ? (
            <>
              <Text>No script can be added to the script registry.</Text>
              <SkippedReasons answer={answer} resources={resources.data ?? []} />
            </>
          ) : (
            <>
              <Text size="sm">
                Select what to block. Each resource is added to the script registry; its entry shows
                the snippet that replaces its tag. Cookies and requests are blocked with the script
                that causes them, and requests of your own scripts by their address.
              </Text>
              <Stack
                component="ul"
                role="list"
                className="plain"
                gap="sm"
                mah="50dvh"
                style={{ overflowY: 'auto' }}
                aria-label="Resources to block"
              >
                {answer.scripts.map((entry) => (
                  <PlannedEntry
                    key={entry.script_url}
                    entry={entry}
                    isExcluded={excluded.includes(entry.script_url)}
                    category={categories[entry.script_url] ?? entry.category}
                    onToggle={(isIncluded) =>
                      setExcluded(
                        isIncluded
                          ? excluded.filter((url) => url !== entry.script_url)
                          : [...excluded, entry.script_url],
                      )
                    }
                    onCategory={(category) =>
                      setCategories({ ...categories, [entry.script_url]: category })
                    }
                  />
                ))}
              </Stack>
            </>
          )
        }
      </QueryResult>
      <Group justify="flex-end">
        {/* The button beside it is disabled at first, and cannot take the focus. */}
        <Button data-autofocus variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={blocking.isPending}
          disabled={
            !plan.data ||
            !resources.data ||
            (plan.data.scripts.length > 0 && excluded.length === plan.data.scripts.length)
          }
          onClick={() => blocking.mutate(undefined)}
        >
          {excluded.length > 0 ? 'Block selected' : 'Block all'}
        </Button>
      </Group>
    </Stack>
  );
}

function PlannedEntry({
  entry: { label, category: proposed, script_url },
  isExcluded,
  category,
  onToggle,
  onCategory,
}: {
  entry: PlannedScript;
  isExcluded: boolean;
  category: string;
  onToggle: (isIncluded: boolean) => void;
  onCategory: (category: string) => void;
}) {
  const { data: settings } = useQuery(settingsQuery);
  const categories = settings?.consent.categories.filter(({ required }) => !required) ?? [];
  const isKnown = categories.some(({ id }) => id === proposed);
  return (
    <Group component="li" justify="space-between" align="flex-start">
      <Checkbox
        flex="1 1 18rem"
        checked={!isExcluded}
        onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
        label={label}
        description={script_url}
        styles={{ body: { alignItems: 'flex-start' }, description: { overflowWrap: 'anywhere' } }}
      />
      <NativeSelect
        aria-label={`Consent category: ${label}, ${script_url}`}
        value={category}
        disabled={isExcluded}
        data={[
          ...(isKnown ? [] : [proposed]),
          ...categories.map(({ id, label: name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget }) => onCategory(currentTarget.value)}
      />
    </Group>
  );
}

/** What blocking has changed, and what could not be blocked until the check tells of it. */
export function BlockResult({
  answer,
  open,
}: {
  answer: DecisionAnswer;
  open: readonly Resource[];
}) {
  const { resources, scripts, proof } = answer;
  const latest = useQuery(latestProofQuery);
  const isChecked =
    proof !== null &&
    latest.data?.items.some(
      ({ scan_id, status }) => scan_id >= proof.scan_id && status === 'completed',
    );
  const skipped = countSkipped(answer);
  return (
    <Alert
      color="green"
      variant="light"
      styles={{ label: { color: 'var(--mantine-color-text)' } }}
      title={`${formatCount(resources, 'finding')} blocked, ${formatCount(scripts.length, 'entry', 'entries')} added to the script registry`}
    >
      {proof === null && 'Scan again to check that they no longer load before consent.'}
      {skipped > 0 && !isChecked && (
        <>
          {' '}
          {formatCount(skipped, 'finding')} could not be blocked by{' '}
          {skipped === 1 ? 'itself and stays' : 'themselves and stay'} open
          {proof !== null && ` if the check still sees ${skipped === 1 ? 'it' : 'them'}`}:
          <SkippedReasons answer={answer} resources={open} />
        </>
      )}
    </Alert>
  );
}

function SkippedReasons({
  answer: { skipped, skipped_reasons: reasons },
  resources,
}: {
  answer: DecisionAnswer;
  /** Those that were open before. */
  resources: readonly Resource[];
}) {
  const formatNames = (reason: string): string => {
    const ids = skipped.filter((each) => each.reason === reason).map((each) => each.finding_id);
    const named = resources.filter(({ decision_ids }) =>
      decision_ids.some((id) => ids.includes(id)),
    );
    return joinNames([...new Set(named.map(getTitle))]);
  };
  return (
    <ul>
      {reasons.map(({ reason }) => (
        <li key={reason} className="break">
          {[formatNames(reason), reason].filter(Boolean).join(': ')}
        </li>
      ))}
    </ul>
  );
}
