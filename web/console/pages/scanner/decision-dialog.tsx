import {
  Button,
  Group,
  Modal,
  NativeSelect,
  Radio,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { settingsQuery } from '../../api/queries.ts';
import { showFieldErrors, useChange } from '../../components/form.tsx';
import { formatCount } from '../../components/format.ts';
import { REQUIRED } from '../../components/required.ts';
import { useKeptInput } from '../../components/typed-text.ts';
import {
  explainOpen,
  getDecisionIds,
  getStableName,
  getTitle,
  isOwnCookie,
  STALE_AFTER_DECISION,
  sendDecision,
} from './decisions.ts';
import type { Resource } from './queries.ts';

export type Decision = 'necessary' | 'ignored' | 'classified';

interface Fields extends Record<string, unknown> {
  decision: Decision;
  reason: string;
  pattern: string;
  category: string;
}

/** Records why resources are strictly necessary or ignored, or classifies a cookie of the site. */
export function DecisionDialog({
  scanId,
  resources,
  decision,
  onClose,
}: {
  scanId: number;
  resources: readonly Resource[];
  /** The decision that is chosen first; the dialog is closed without one. */
  decision: Decision | undefined;
  onClose: () => void;
}) {
  const [first] = resources;
  const title =
    first && resources.length === 1 ? getTitle(first) : formatCount(resources.length, 'resource');
  return (
    <Modal
      opened={decision !== undefined && first !== undefined}
      onClose={onClose}
      title={`Record a decision: ${title}`}
      centered
    >
      {first && decision && (
        <DecisionForm {...{ scanId, resources, first, decision }} onDone={onClose} />
      )}
    </Modal>
  );
}

function DecisionForm({
  scanId,
  resources,
  first,
  decision: proposed,
  onDone,
}: {
  scanId: number;
  resources: readonly Resource[];
  first: Resource;
  decision: Decision;
  onDone: () => void;
}) {
  const settings = useQuery(settingsQuery);
  const categories = settings.data?.consent.categories ?? [];
  const isOne = resources.length === 1;
  const canClassify = isOne && isOwnCookie(first);
  const saved = first.decision?.reason ?? '';
  const [typed, setTyped] = useKeptInput<Fields>(
    `decision:${isOne ? first.id : 'several'}`,
    {
      decision: proposed,
      reason: saved,
      pattern: getStableName(first),
      category: categories.find(({ required }) => required)?.id ?? 'functional',
    },
    ({ reason }) => reason !== saved,
  );
  const form = useForm<Fields>({
    initialValues: { ...typed, decision: proposed },
    onValuesChange: setTyped,
    validate: {
      reason: (value) => (value.trim() ? null : 'Enter a reason.'),
      pattern: (value, { decision }) =>
        decision !== 'classified' || value.replaceAll('*', '').trim()
          ? null
          : 'Enter a name or a pattern, for example shop_*.',
    },
  });
  const saving = useChange({
    change: ({ decision, reason, pattern, category }: Fields): Promise<unknown> =>
      decision === 'classified'
        ? write('POST', '/scanner/cookies', { pattern: pattern.trim(), category, purpose: reason })
        : sendDecision({
            scan_id: scanId,
            findings: getDecisionIds(resources),
            decision,
            reason,
          }),
    stale: STALE_AFTER_DECISION,
    done: 'The decision was saved.',
    onDone,
    onFailed: (error) => showFieldErrors(form, error),
  });
  const withdrawing = useChange({
    change: () =>
      sendDecision({ scan_id: scanId, findings: getDecisionIds(resources), decision: 'open' }),
    stale: STALE_AFTER_DECISION,
    done: 'The decision was withdrawn.',
    onDone,
  });
  const isClassifying = form.values.decision === 'classified';
  const explanation = isOne ? explainOpen(first) : undefined;
  return (
    <form noValidate onSubmit={form.onSubmit((fields) => saving.mutate(fields))}>
      <Stack>
        {explanation && (
          <Text size="sm" c="dimmed" className="break">
            {explanation}
          </Text>
        )}
        <Radio.Group
          label="Decision"
          description="Applies to all pages and to later scans."
          {...form.getInputProps('decision')}
        >
          <Stack gap="xs" mt="xs">
            {canClassify && (
              <Radio
                value="classified"
                label="Classify the cookie"
                description="Assigns a category and a purpose, here and in later scans."
              />
            )}
            <Radio
              value="necessary"
              label="Strictly necessary"
              description="The site cannot provide what the visitor asked for without it."
            />
            <Radio
              value="ignored"
              label="Ignore"
              description="It keeps loading before consent. The reason stays on record."
            />
          </Stack>
        </Radio.Group>
        {isClassifying && (
          <>
            <TextInput
              label="Name or pattern"
              description="* matches any characters, for example shop_*."
              {...form.getInputProps('pattern')}
            />
            <NativeSelect
              label="Category"
              data={categories.map(({ id, label, required }) => ({
                value: id,
                label: required ? `${label} (strictly necessary)` : label,
              }))}
              {...form.getInputProps('category')}
            />
          </>
        )}
        <Textarea
          label={isClassifying ? 'Purpose' : 'Reason'}
          {...REQUIRED}
          minRows={2}
          maxLength={1000}
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end">
          {first.decision && (
            <Button
              variant="subtle"
              color="red"
              loading={withdrawing.isPending}
              onClick={() => withdrawing.mutate(undefined)}
            >
              Withdraw decision
            </Button>
          )}
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Save decision
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
