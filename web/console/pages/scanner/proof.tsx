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
import {
  allResourcesQuery,
  isRunning,
  latestProofQuery,
  type Resource,
  scanQuery,
} from './queries.ts';

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
  const resources = useQuery({
    ...allResourcesQuery(String(scanId)),
    enabled: (latest.data?.items[0]?.scan_id ?? 0) > scanId,
  });
  const proofs = resources.data?.flatMap(({ proof }) => proof ?? []) ?? [];
  // Another scan may have been checked since.
  const pendingId = Math.max(0, ...proofs.map(({ pending_scan_id }) => pending_scan_id ?? 0));
  const pending = useQuery({ ...scanQuery(String(pendingId)), enabled: pendingId > 0 });
  const isChecking = pending.isLoading || (pending.data !== undefined && isRunning(pending.data));
  const hasEnded = pending.data !== undefined && !isChecking;
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasEnded) return;
    for (const key of ['results', 'resources', 'scans'])
      void queryClient.invalidateQueries({ queryKey: [key] });
  }, [hasEnded]);
  if (proofs.length === 0) return null;
  return (
    <div role="status" ref={region} tabIndex={-1}>
      {isChecking ? (
        pending.data && <Checking scan={pending.data} />
      ) : (
        <ProofResult scanId={scanId} proofs={proofs} onAgain={() => region.current?.focus()} />
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
  proofs,
  onAgain,
}: {
  scanId: number;
  proofs: readonly Proof[];
  onAgain: () => void;
}) {
  // Pending ones were read before the check ended, and are being read again.
  const checked = proofs.filter(({ status }) => status !== 'pending');
  const [latest] = checked.toSorted((a, b) => b.scan_id - a.scan_id);
  if (!latest) return null;
  const proven = checked.filter(({ status }) => status === 'proven').length;
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
            <Link to="/scanner/$id" params={{ id: String(latest.scan_id) }}>
              Checked {formatMoment(latest.checked_at)}
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
      for (const key of ['scans', 'resources'])
        await queryClient.invalidateQueries({ queryKey: [key] });
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
