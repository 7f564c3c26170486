import { Button, Group, Modal, NativeSelect, Radio, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { write } from '../../api/client.ts';
import { settingsQuery } from '../../api/queries.ts';
import type { Finding } from '../../api/types.ts';
import { showFieldErrors, useChange } from '../../components/form.tsx';
import { formatCount } from '../../components/format.ts';
import {
  explainOpen,
  isOwnCookie,
  STALE_AFTER_DECISION,
  sendDecision,
  titleOf,
} from './decisions.ts';

interface Fields extends Record<string, unknown> {
  decision: 'necessary' | 'ignored' | 'classified';
  reason: string;
  pattern: string;
  category: string;
}

/** A button that opens the decision about findings: strictly necessary, ignored, or a classified cookie. */
export function Decide({
  findings,
  button,
}: {
  findings: readonly Finding[];
  button: (open: () => void) => ReactNode;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [first] = findings;
  if (!first) return null;
  const isOne = findings.every(({ name }) => name === first.name);
  return (
    <>
      {button(open)}
      <Modal
        opened={isOpen}
        onClose={close}
        title={
          isOne
            ? `Decide about ${titleOf(first)}`
            : `Decide about ${formatCount(findings.length, 'finding')}`
        }
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <DecisionForm findings={findings} first={first} isOne={isOne} onDone={close} />
      </Modal>
    </>
  );
}

function DecisionForm({
  findings,
  first,
  isOne,
  onDone,
}: {
  findings: readonly Finding[];
  first: Finding;
  isOne: boolean;
  onDone: () => void;
}) {
  const settings = useQuery(settingsQuery);
  const categories = settings.data?.consent.categories ?? [];
  const canClassify = isOne && isOwnCookie(first);
  const form = useForm<Fields>({
    initialValues: {
      decision: canClassify ? 'classified' : 'necessary',
      reason: first.decision?.reason ?? '',
      pattern: first.name,
      category: categories.find(({ required }) => required)?.id ?? 'functional',
    },
    validate: {
      reason: (value) => (value.trim() ? null : 'Say why, in a sentence.'),
      pattern: (value, { decision }) =>
        decision !== 'classified' || value.replaceAll('*', '').trim()
          ? null
          : 'A name, or a pattern such as shop_*.',
    },
  });
  const saving = useChange({
    change: ({ decision, reason, pattern, category }: Fields): Promise<unknown> =>
      decision === 'classified'
        ? write('POST', '/scanner/cookies', { pattern: pattern.trim(), category, purpose: reason })
        : sendDecision({
            scan_id: first.scan_id,
            findings: findings.map(({ id }) => id),
            decision,
            reason,
          }),
    stale: STALE_AFTER_DECISION,
    done: 'The decision was saved.',
    onDone,
    onFailed: (error) => showFieldErrors(form, error),
  });
  const reopening = useChange({
    change: () =>
      sendDecision({
        scan_id: first.scan_id,
        findings: findings.map(({ id }) => id),
        decision: 'open',
      }),
    stale: STALE_AFTER_DECISION,
    done: 'The decision was withdrawn.',
    onDone,
  });
  const isClassifying = form.values.decision === 'classified';
  const explanation = isOne ? explainOpen(first) : undefined;
  return (
    <form className="stack" noValidate onSubmit={form.onSubmit((fields) => saving.mutate(fields))}>
      {explanation && <p className="soft small break">{explanation}</p>}
      <Radio.Group
        label="Decision"
        description="It applies to all pages and to later scans."
        {...form.getInputProps('decision')}
      >
        <div className="stack" style={{ gap: '0.6rem', marginTop: '0.4rem' }}>
          {canClassify && (
            <Radio
              value="classified"
              label="Classify the cookie"
              description="Gives it a category and a purpose, here and in later scans."
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
            description="It stays as it is, for the reason that you give."
          />
        </div>
      </Radio.Group>
      {isClassifying && (
        <>
          <TextInput
            label="Name or pattern"
            description="* stands for any characters, for example shop_*."
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
        required
        autosize
        minRows={2}
        maxLength={1000}
        {...form.getInputProps('reason')}
      />
      <Group justify="flex-end">
        {first.decision && (
          <Button
            variant="subtle"
            color="red"
            loading={reopening.isPending}
            onClick={() => reopening.mutate(undefined)}
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
    </form>
  );
}
