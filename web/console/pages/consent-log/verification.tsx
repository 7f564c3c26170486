import { Alert, Button, Progress, Radio, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { LogVerification } from '../../api/types.ts';
import { Allowed, useCan } from '../../components/access.tsx';
import { useChange } from '../../components/form.tsx';
import { formatMoment, formatNumber } from '../../components/format.ts';
import { notifyError } from '../../components/notify.ts';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { latestVerificationQuery } from './queries.ts';
import { ReportDetails, ReportSummary } from './report.tsx';

/** Starts verifications, and shows the progress and the result of the last one. */
export function Verification() {
  const latest = useQuery(latestVerificationQuery);
  return (
    <Section title="Verification">
      <Text size="sm" maw="46rem">
        A verification shows whether the records are still what was logged. It does not show that a
        visitor made a choice. A person with the key of the log can replace the whole log. Only
        checkpoints that others have, in emails or from witnesses, reveal that.
      </Text>
      <QueryResult query={latest} lines={3}>
        {(verification) => (
          <>
            <Start isRunning={verification?.status === 'running'} />
            <div role="status">
              <Outcome verification={verification} />
            </div>
            {verification?.status === 'running' && <Running verification={verification} />}
            {verification?.report && <ReportDetails report={verification.report} />}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function Start({ isRunning }: { isRunning: boolean }) {
  const [scope, setScope] = useState('deep');
  const starting = useChange({
    change: () =>
      write<LogVerification>('POST', '/consent/log/verifications', { deep: scope === 'deep' }),
    stale: [],
    onDone: (started) => queryClient.setQueryData(latestVerificationQuery.queryKey, started),
    onFailed(error) {
      notifyError(error);
      // Another user may have started one.
      void queryClient.invalidateQueries({ queryKey: latestVerificationQuery.queryKey });
    },
  });
  const isBusy = isRunning || starting.isPending;
  return (
    <Allowed>
      <Radio.Group label="What to verify" value={scope} onChange={setScope}>
        <Stack gap="xs" mt={6}>
          <Radio
            value="deep"
            label="Records with contents"
            description="Checks the signature, the entries, and the content of each record. Takes longer."
          />
          <Radio
            value="quick"
            label="Records without contents"
            description="Checks the signature, the entries, and whether each record is there."
          />
        </Stack>
      </Radio.Group>
      <div>
        {/* Not "disabled": the focus stays here. */}
        <Button
          data-disabled={isBusy}
          aria-disabled={isBusy}
          onClick={() => !isBusy && starting.mutate(undefined)}
        >
          Verify now
        </Button>
      </div>
    </Allowed>
  );
}

/** In short; screen readers announce it when it changes. */
function Outcome({ verification }: { verification: LogVerification | null }) {
  const canStart = useCan('manage_options');
  if (!verification) return <Text c="dimmed">Not verified yet.</Text>;
  const { status, deep, started_at, error, report } = verification;
  if (status === 'running')
    return `Verifying records ${deep ? 'with contents' : 'without contents'}`;
  if (report) return <ReportSummary report={report} />;
  return (
    <Alert
      role="group"
      color={status === 'failed' ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={status === 'failed' ? 'The verification failed' : 'The verification was interrupted'}
    >
      <span className="break">
        Started {formatMoment(started_at)}. {error ?? 'The server stopped before it was complete.'}{' '}
        {canStart && 'Start it again.'}
      </span>
    </Alert>
  );
}

function Running({ verification: { done, total } }: { verification: LogVerification }) {
  const isCounting = total === 0;
  return (
    <Stack gap="xs">
      <Progress.Root size="lg">
        {/* Full and striped until the length is known. */}
        <Progress.Section
          value={isCounting ? 100 : (100 * done) / total}
          {...(isCounting && { color: 'gray', withAria: false, role: 'progressbar' })}
          animated
          striped
          aria-label="Verification"
        />
      </Progress.Root>
      <Text size="sm" c="dimmed">
        {isCounting
          ? 'Counting entries and records.'
          : `${formatNumber(done)} of ${formatNumber(total)} entries and records checked.`}{' '}
        The server verifies in the background. You can leave this page.
      </Text>
    </Stack>
  );
}
