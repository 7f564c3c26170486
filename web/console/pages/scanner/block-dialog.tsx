import { Alert, Button, Checkbox, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAll, write } from '../../api/client.ts';
import { settingsQuery } from '../../api/queries.ts';
import type { DecisionAnswer, Script } from '../../api/types.ts';
import { useChange } from '../../components/form.tsx';
import { formatCount } from '../../components/format.ts';
import { QueryResult } from '../../components/states.tsx';
import { getDecisionIds, isBlockable, STALE_AFTER_DECISION, sendDecision } from './decisions.ts';
import { allResourcesQuery, type Resource } from './queries.ts';

type Entry = DecisionAnswer['scripts'][number];

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
  onBlocked: (answer: DecisionAnswer) => void;
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
  onBlocked: (answer: DecisionAnswer) => void;
}) {
  const plan = useQuery({
    queryKey: ['resources', String(scanId), 'block-plan'],
    queryFn: () => sendDecision({ scan_id: scanId, decision: 'blocked', dry_run: true }),
    gcTime: 0,
  });
  const resources = useQuery(allResourcesQuery(String(scanId), { state: 'open' }));
  const [excluded, setExcluded] = useState<readonly string[]>([]);
  const [categories, setCategories] = useState<Record<string, string>>({});
  const blocking = useChange({
    change: () =>
      block(scanId, plan.data?.scripts ?? [], resources.data ?? [], excluded, categories),
    stale: STALE_AFTER_DECISION,
    onDone(answer) {
      onBlocked(answer);
      onClose();
    },
  });
  return (
    <Stack>
      <QueryResult query={plan} lines={6}>
        {({ scripts }) =>
          scripts.length === 0 ? (
            <Text>All resources are already in the script registry.</Text>
          ) : (
            <>
              <Text size="sm">
                Select what to block. Each resource is added to the script registry; its entry shows
                the snippet that replaces its tag. Cookies and requests are blocked with the script
                that causes them.
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
                {scripts.map((entry) => (
                  <PlannedEntry
                    key={entry.handle}
                    entry={entry}
                    isExcluded={excluded.includes(entry.handle)}
                    category={categories[entry.handle] ?? entry.category}
                    onToggle={(isIncluded) =>
                      setExcluded(
                        isIncluded
                          ? excluded.filter((handle) => handle !== entry.handle)
                          : [...excluded, entry.handle],
                      )
                    }
                    onCategory={(category) =>
                      setCategories({ ...categories, [entry.handle]: category })
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
  entry: Entry;
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

/** Blocks what is not excluded, then sets the categories that were changed. */
async function block(
  scanId: number,
  planned: readonly Entry[],
  resources: readonly Resource[],
  excluded: readonly string[],
  categories: Readonly<Record<string, string>>,
): Promise<DecisionAnswer> {
  const isExcluded = ({ handle }: Entry) => excluded.includes(handle);
  const urls = planned.filter(isExcluded).map(({ script_url }) => script_url);
  const kept = withoutLoadedBy(resources.filter(isBlockable), urls);
  const answer = await sendDecision({
    scan_id: scanId,
    decision: 'blocked',
    ...(urls.length > 0 && { findings: getDecisionIds(kept) }),
  });
  const changed = answer.scripts.filter(
    ({ handle, category }) => (categories[handle] ?? category) !== category,
  );
  if (changed.length > 0) {
    const registry = await listAll<Script>('/scripts');
    for (const { handle } of changed) {
      const id = registry.find((script) => script.handle === handle)?.id;
      if (id !== undefined) await write('PUT', `/scripts/${id}`, { category: categories[handle] });
    }
  }
  return answer;
}

/** Leaves out resources with these addresses and all that they load. */
function withoutLoadedBy(resources: readonly Resource[], urls: readonly string[]): Resource[] {
  const left = new Set(urls);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const { url, initiator } of resources)
      if (initiator && left.has(initiator.url)) left.add(url);
  }
  return resources.filter(({ url }) => !left.has(url));
}

/** What blocking has changed, and what could not be blocked. */
export function BlockResult({
  answer: { resources, scripts, skipped_reasons: reasons, proof },
}: {
  answer: DecisionAnswer;
}) {
  const skipped = reasons.reduce((sum, reason) => sum + reason.resources, 0);
  return (
    <Alert
      color="green"
      variant="light"
      styles={{ label: { color: 'var(--mantine-color-text)' } }}
      title={`${formatCount(resources, 'finding')} blocked, ${formatCount(scripts.length, 'entry', 'entries')} added to the script registry`}
    >
      {proof === null && 'Scan again to check that they no longer load before consent.'}
      {reasons.length > 0 && (
        <>
          {' '}
          {formatCount(skipped, 'finding')} could not be blocked by{' '}
          {skipped === 1 ? 'itself and stays' : 'themselves and stay'} open
          {proof !== null && ` if the check still sees ${skipped === 1 ? 'it' : 'them'}`}:
          <ul>
            {reasons.map(({ reason, resources: count }) => (
              <li key={reason}>
                {reasons.length > 1 && `${formatCount(count, 'finding')}: `}
                {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  );
}
