import type { Announce, Trx } from '../../../platform/db/index.ts';
import type { SavedFinding } from '../findings/store.ts';
import { SCAN_STATES } from '../observation.ts';
import { queueScan } from '../runs/queue.ts';

/** Queues a scan of the pages of findings, in all states. */
export const queueProof = (
  trx: Trx,
  announce: Announce,
  { findings, siteUrl, now }: { findings: readonly SavedFinding[]; siteUrl: string; now: number },
): Promise<number> => {
  const pages = [...new Set(findings.map(({ pageUrl }) => pageUrl))];
  const request = { depth: 0, states: SCAN_STATES, startedBy: 'proof', pages, siteUrl } as const;
  return queueScan(trx, announce, request, now);
};
