import type { Announce, Trx } from '../../../platform/db/index.ts';
import { type ScanRequest, toScanStates } from '../scans.ts';
import { insertScan, NO_ENGINE, type Scan } from '../store.ts';

/** The topic of changes to scans, by scan ID. */
export const SCAN_CHANGED = 'scan';

/** A scan that a process runs. Its engine is known once it has started. */
export const newScan = (
  { depth, states, startedBy, siteUrl }: ScanRequest & { siteUrl: string },
  runner: Scan['runner'],
  now: number,
) => ({
  siteUrl,
  depth,
  states: toScanStates(states),
  startedBy,
  engine: NO_ENGINE,
  startedAt: now,
  robotsExcluded: 0,
  crawlLimit: null,
  runner,
});

/** Queues a scan, which the next free server runs. @returns its id */
export async function queueScan(
  trx: Trx,
  announce: Announce,
  request: ScanRequest & { siteUrl: string },
  now: number,
): Promise<number> {
  const pages = (request.pages ?? []).map((url) => ({ url, distance: null }));
  const scan = { ...newScan(request, 'server', now), status: 'queued' } as const;
  const id = await insertScan(trx, scan, pages);
  announce(SCAN_CHANGED, String(id));
  return id;
}
