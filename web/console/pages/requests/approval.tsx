import { Box, Button, Group, Modal, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/client.ts';
import { useChange } from '../../components/form.tsx';
import { formatCount } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { REQUIRED, useMissing } from '../../components/required.ts';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { useKeptInput } from '../../components/typed-text.ts';
import { formatKept, type Ground, KEEP_GROUNDS } from './grounds.ts';
import { erasureQuery } from './queries.ts';
import type { Decision, ErasurePreview, Task } from './types.ts';

/** Whether an administrator has to approve a task before it begins. */
export const awaitsApproval = ({ kind, status }: Task): boolean =>
  kind === 'erase' && status === 'waiting';

/** What an erasure would do in each source, to approve or refuse it. */
export function Approval({ caseId }: { caseId: string }) {
  const previews = useQuery(erasureQuery(caseId));
  return (
    <Section title="Approve the erasure">
      <Text c="dimmed">
        Nothing is erased until you approve it. Data in sources that you refuse is kept; the
        requester is informed of the ground and the reason.
      </Text>
      <QueryResult query={previews} lines={4}>
        {(all) => <ApprovalForm caseId={caseId} previews={all} />}
      </QueryResult>
    </Section>
  );
}

type Decisions = Record<string, Pick<Decision, 'ground' | 'reason'> | undefined>;

function ApprovalForm({
  caseId,
  previews,
}: {
  caseId: string;
  previews: readonly ErasurePreview[];
}) {
  /** The refused sources. */
  const [refused, setRefused] = useKeptInput<Decisions>('approval', {}, (decisions) =>
    Object.values(decisions).some((refusal) => refusal?.reason),
  );
  const [isAsking, setIsAsking] = useState(false);
  const missing = useMissing();
  const deciding = useChange({
    change: (decisions: Decision[]) =>
      write('POST', `/dsar/cases/${caseId}/approve`, { decisions }),
    stale: [['case', caseId]],
    done: 'The decisions were saved.',
    onDone: () => setIsAsking(false),
  });
  const decisions = previews.map(
    ({ source }): Decision =>
      refused[source]
        ? { source, decision: 'refuse', ...refused[source] }
        : { source, decision: 'approve' },
  );
  const approved = decisions.filter(({ decision }) => decision === 'approve').length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const answers = Object.values(refused).flatMap((refusal) =>
      refusal ? [refusal.ground ?? '', refusal.reason ?? ''] : [],
    );
    setIsAsking(!missing.isMissing(...answers));
  };
  const empty = previews.filter(isEmpty);
  const toItem = (preview: ErasurePreview) => (
    <SourceDecision
      key={preview.source}
      preview={preview}
      refusal={refused[preview.source]}
      getError={missing.getError}
      onChange={(refusal) => setRefused({ ...refused, [preview.source]: refusal })}
    />
  );
  return (
    <Stack component="form" onSubmit={submit}>
      <ItemList>{previews.filter((each) => !isEmpty(each)).map(toItem)}</ItemList>
      {empty.length > 0 && (
        <details>
          <Box component="summary" c="dimmed" py={{ base: 'sm', md: 0 }}>
            {formatCount(empty.length, 'source')} without data about this person
          </Box>
          <ItemList>{empty.map(toItem)}</ItemList>
        </details>
      )}
      <div>
        <Button type="submit">Save decisions</Button>
      </div>
      <Modal
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        title={approved > 0 ? 'Erase this data?' : 'Keep all data?'}
        centered
      >
        <Stack>
          <Text>
            {formatCount(approved, 'source')} approved, {previews.length - approved} refused.{' '}
            {approved > 0 && 'Erased data cannot be restored.'}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsAsking(false)}>
              Cancel
            </Button>
            <Button
              {...(approved > 0 && { color: 'red' })}
              loading={deciding.isPending}
              onClick={() => deciding.mutate(decisions)}
            >
              {approved > 0 ? 'Erase' : 'Keep'}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}

/** Whether a source holds nothing about the person. */
const isEmpty = ({ outcome, error }: ErasurePreview): boolean =>
  !error && outcome !== null && outcome.erased + outcome.anonymised + outcome.kept.length === 0;

function SourceDecision({
  preview,
  refusal,
  getError,
  onChange,
}: {
  preview: ErasurePreview;
  refusal: Pick<Decision, 'ground' | 'reason'> | undefined;
  getError: ReturnType<typeof useMissing>['getError'];
  onChange: (refusal: Pick<Decision, 'ground' | 'reason'> | undefined) => void;
}) {
  const { label } = preview;
  return (
    <Item
      title={label}
      text={describe(preview)}
      actions={
        <NativeSelect
          aria-label={`Decision: ${label}`}
          value={refusal ? 'refuse' : 'approve'}
          data={[
            { value: 'approve', label: 'Approve' },
            { value: 'refuse', label: 'Refuse' },
          ]}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === 'refuse' ? {} : undefined)
          }
        />
      }
    >
      {refusal && (
        <Stack>
          <NativeSelect
            label={`Ground: ${label}`}
            {...REQUIRED}
            error={getError(refusal.ground ?? '', 'Choose a ground.')}
            value={refusal.ground ?? ''}
            data={[{ value: '', label: 'Not chosen' }, ...KEEP_GROUNDS]}
            onChange={({ currentTarget }) =>
              onChange({ ...refusal, ground: currentTarget.value as Ground })
            }
          />
          <Textarea
            label={`Reason: ${label}`}
            description="Sent to the requester"
            {...REQUIRED}
            error={getError(refusal.reason ?? '', 'Enter a reason.')}
            minRows={2}
            value={refusal.reason ?? ''}
            onChange={({ currentTarget }) => onChange({ ...refusal, reason: currentTarget.value })}
          />
        </Stack>
      )}
    </Item>
  );
}

function describe({ outcome, error }: ErasurePreview): string {
  if (error) return `The preview failed: ${error}`;
  if (!outcome) return 'The extension does not support previews.';
  const { erased, anonymised, kept } = outcome;
  const outcomes = [
    erased > 0 && `${erased} to be erased`,
    anonymised > 0 && `${anonymised} to be anonymised`,
    ...kept.map(formatKept),
  ].filter(Boolean);
  return outcomes.join(' · ') || 'No data about this person';
}
