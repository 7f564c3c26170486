import { Button, Card, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { write } from '../../api/client.ts';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { formatCount, formatMoment, formatNumber, toLabel } from '../../components/format.ts';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import { QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { NoRetention } from './no-retention.tsx';
import { policiesQuery, type RunAnswer } from './queries.ts';

/** A dry run beside a run. */
export function RunPanel() {
  const policies = useQuery(policiesQuery);
  const [policy, setPolicy] = useState('');
  const body = policy ? { policy_id: Number(policy) } : {};
  const trying = useChange({
    change: () => write<RunAnswer>('POST', '/retention/run', { ...body, dry_run: true }),
    stale: [],
  });
  const running = useChange({
    change: () => write<RunAnswer>('POST', '/retention/run', { ...body, dry_run: false }),
    stale: [['policies'], ['policy'], ['runs'], ['consent'], ['cases']],
    onDone: ({ policies_run }) =>
      policies_run > 0
        ? notifySuccess('The run is finished.')
        : notifyError(new Error('No policy was run: none is active, or an extension excluded it.')),
  });
  const tried = trying.data;
  // A run leaves other records due than those that the dry run counted.
  const isOutdated = running.submittedAt > trying.submittedAt;
  return (
    <QueryResult query={policies} absent={<NoRetention />}>
      {(all) => (
        <Stack gap="lg">
          <Card>
            <Group gap="sm" align="flex-end">
              <NativeSelect
                label="Policies"
                value={policy}
                data={[
                  { value: '', label: 'All active policies' },
                  ...all.map(({ id, name, is_active }) => ({
                    value: String(id),
                    label: is_active ? name : `${name} (inactive)`,
                    disabled: !is_active,
                  })),
                ]}
                onChange={({ currentTarget }) => {
                  setPolicy(currentTarget.value);
                  trying.reset();
                  running.reset();
                }}
              />
              <Button loading={trying.isPending} onClick={() => trying.mutate(undefined)}>
                Dry run
              </Button>
              <ConfirmButton
                title="Run now?"
                text={
                  tried
                    ? `${formatCount(tried.total_affected, 'record')} will be anonymised or deleted permanently.`
                    : ''
                }
                confirm="Run"
                onConfirm={() => running.mutate(undefined)}
                button={(open) => (
                  <Button
                    variant="default"
                    disabled={!tried || isOutdated}
                    loading={running.isPending}
                    onClick={open}
                  >
                    Run now
                  </Button>
                )}
              />
              {(!tried || isOutdated) && (
                <Text span size="sm" c="dimmed">
                  Start with a dry run. It changes nothing.
                </Text>
              )}
            </Group>
          </Card>
          <Side title="Dry run" answer={tried} />
          <Side title="Run" answer={running.data} />
        </Stack>
      )}
    </QueryResult>
  );
}

function Side({ title, answer }: { title: string; answer: RunAnswer | undefined }) {
  let content: ReactNode = <Card c="dimmed">Not started.</Card>;
  if (answer) {
    content = (
      <>
        <DataTable
          label={title}
          rows={answer.results}
          getKey={({ policy_id }) => policy_id}
          columns={[
            { title: 'Policy', cell: ({ policy_name }) => policy_name },
            { title: 'Action', cell: ({ action }) => toLabel(action) },
            {
              title: 'Records',
              align: 'end',
              cell: ({ records_affected }) => formatNumber(records_affected),
            },
            {
              title: 'On legal hold',
              align: 'end',
              cell: ({ records_held }) => formatNumber(records_held),
            },
            { title: 'Note', cell: ({ error }) => error },
          ]}
        />
        <Text size="sm" c="dimmed" mt="xs">
          {formatCount(answer.total_affected, 'record')}, counted up to {formatMoment(answer.as_of)}
        </Text>
      </>
    );
  }
  return (
    <section aria-live="polite">
      <Title order={2} mb="sm">
        {title}
      </Title>
      {content}
    </section>
  );
}
