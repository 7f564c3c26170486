import { Button, type ButtonProps } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Scan, ScanState } from '../../api/types.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { notifyError } from '../../components/notify.ts';
import { lastScanQuery } from './queries.ts';
import { ALL_STATES } from './states.ts';

interface ScanOptions {
  scan_depth: number;
  states: readonly ScanState[];
}
export const DEFAULT_OPTIONS: ScanOptions = { scan_depth: 1, states: ALL_STATES };

/** Starts a scan on the server and opens it. */
export function useNewScan() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (options: ScanOptions) => write<Scan>('POST', '/scanner/scans', options),
    async onSuccess({ scan_id }) {
      void queryClient.invalidateQueries({ queryKey: ['scans'] });
      await navigate({ to: '/scanner/$id', params: { id: String(scan_id) } });
    },
    onError: notifyError,
  });
}

/** Starts a scan with the default options, or opens the one that runs. */
export function FirstScanButton(props: Pick<ButtonProps, 'variant'> & { children: string }) {
  const starting = useNewScan();
  const running = useQuery(lastScanQuery).data?.running;
  return running ? (
    <LinkButton variant="default" to="/scanner/$id" params={{ id: String(running.scan_id) }}>
      View the running scan
    </LinkButton>
  ) : (
    <Button
      {...props}
      loading={starting.isPending}
      onClick={() => starting.mutate(DEFAULT_OPTIONS)}
    />
  );
}
