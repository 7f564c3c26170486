import { Button, Card, Group, Loader, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Scan } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { formatCount, formatMoment, formatNumber } from '../../components/format.ts';
import { notifyError } from '../../components/notify.ts';
import { allResourcesQuery, isRunning, latestProofQuery, type Resource } from './queries.ts';

type Proof = NonNullable<Resource['proof']>;

/** Whether blocking a resource has taken effect, as far as it was checked. */
export function ProofBadge({ proof }: { proof: Proof | null }) {
  switch (proof?.status) {
    case 'pending':
      return (
        <StatusBadge tone="info">
          <Loader size={10} mr={6} color="currentColor" aria-hidden />
          Checking…
        </StatusBadge>
      );
    case 'proven':
      return <StatusBadge tone="good">Blocked until consent, proven</StatusBadge>;
    case 'not_proven':
      return <StatusBadge tone="warn">Blocked, not proven</StatusBadge>;
    default:
      return <StatusBadge tone="good">Blocked</StatusBadge>;
  }
}

/** The check of the blocked resources of a scan: its progress, then its result. */
export function ProofStatus({ scanId }: { scanId: number }) {
  const latest = useQuery(latestProofQuery);
  const [scan] = latest.data?.items ?? [];
  const isChecking = scan !== undefined && isRunning(scan);
  const wasChecking = useRef(false);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wasChecking.current && !isChecking)
      for (const key of ['results', 'resources', 'scans'])
        void queryClient.invalidateQueries({ queryKey: [key] });
    wasChecking.current = isChecking;
  }, [isChecking]);
  if (!scan || scan.scan_id < scanId) return null;
  return (
    <div role="status" ref={region} tabIndex={-1}>
      {isChecking ? (
        <Checking scan={scan} />
      ) : (
        <ProofResult scanId={scanId} proof={scan} onAgain={() => region.current?.focus()} />
      )}
    </div>
  );
}

function Checking({ scan: { pages, pages_failed, pages_planned } }: { scan: Scan }) {
  const visited = pages + pages_failed;
  return (
    <Card padding="md" component="section" aria-label="Check of blocked resources">
      <Text mb="xs">
        <strong>Checking.</strong> Pavis visits the pages again to prove that what you blocked no
        longer loads without consent.
      </Text>
      <Progress.Root size="lg">
        <Progress.Section
          value={visited === 0 ? 100 : (100 * visited) / pages_planned}
          {...(visited === 0 && { color: 'gray', withAria: false, role: 'progressbar' })}
          animated
          striped
          aria-label={`${formatNumber(visited)} of ${formatCount(pages_planned, 'page')} checked`}
        />
      </Progress.Root>
    </Card>
  );
}

/** @param onAgain called once another check is queued: its button is gone then */
function ProofResult({
  scanId,
  proof,
  onAgain,
}: {
  scanId: number;
  proof: Scan;
  onAgain: () => void;
}) {
  const resources = useQuery(allResourcesQuery(String(scanId)));
  // Pending ones were read before the check ended, and are being read again.
  const checked = resources.data?.filter(({ proof }) => proof && proof.status !== 'pending') ?? [];
  if (checked.length === 0) return null;
  const proven = checked.filter((each) => each.proof?.status === 'proven').length;
  const failed = checked.length - proven;
  const Icon = failed === 0 ? IconShieldCheck : IconAlertTriangle;
  return (
    <Card padding="md" component="section" aria-label="Check of blocked resources">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Icon
          size={22}
          color={failed === 0 ? 'var(--good)' : 'var(--warn)'}
          style={{ flex: 'none' }}
          aria-hidden
        />
        <Stack gap={4}>
          <Title order={2} size="h4">
            {failed === 0
              ? `${formatCount(proven, 'resource')} blocked until consent, proven`
              : `${formatNumber(proven)} of ${formatCount(checked.length, 'blocked resource')} proven`}
          </Title>
          <Text size="sm">
            {failed === 0
              ? 'The check saw none of them before a choice, after rejection or after withdrawal.'
              : 'The others are listed below with the reason and what to do.'}{' '}
            <Link to="/scanner/$id" params={{ id: String(proof.scan_id) }}>
              Checked {formatMoment(proof.completed_at)}
            </Link>
          </Text>
          {failed > 0 && <CheckAgain scanId={scanId} onQueued={onAgain} />}
        </Stack>
      </Group>
    </Card>
  );
}

/** Queues another check, after the pages were changed. */
function CheckAgain({ scanId, onQueued }: { scanId: number; onQueued: () => void }) {
  const canWrite = useCan('manage_options');
  const checking = useMutation({
    mutationFn: () => write<Scan>('POST', `/scanner/scans/${scanId}/verify`),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['scans'] });
      onQueued();
    },
    onError: notifyError,
  });
  if (!canWrite) return null;
  return (
    <Group mt="xs">
      <Button
        variant="default"
        size="xs"
        loading={checking.isPending}
        onClick={() => checking.mutate()}
      >
        Check again
      </Button>
    </Group>
  );
}
