import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import type { Db, Trx } from '../../platform/db/index.ts';
import { DomainError, NotFoundError } from '../../platform/errors.ts';
import { SCAN_STATES, type ScanState } from './observation.ts';
import { countScans, findScan, type Scan, type ScanCounts } from './store.ts';

/** A scan to start. */
export interface ScanRequest {
  depth: number;
  states: readonly ScanState[];
  startedBy: Scan['startedBy'];
  /** Scans only these pages, without a crawl. */
  pages?: readonly string[];
}

/** With `before`, which every visit begins with, in the order of `SCAN_STATES`. */
export const toScanStates = (states: readonly ScanState[]): ScanState[] =>
  SCAN_STATES.filter((state) => state === 'before' || states.includes(state));

/** @throws NotFoundError */
export async function getScan(db: Db | Trx, id: number): Promise<Scan> {
  const scan = await findScan(db, id);
  if (!scan) throw new NotFoundError('The scan');
  return scan;
}

/** @throws NotFoundError */
export async function getScanCounts(db: Db | Trx, id: number): Promise<ScanCounts> {
  const counts = (await countScans(db, [id])).get(id);
  if (!counts) throw new NotFoundError('The scan');
  return counts;
}

/** A scan and its counts as `complete` and hooks have them. */
export const toScanSummary = ({ id, status }: Scan, { pages, findings, vendors }: ScanCounts) => ({
  scan_id: id,
  status,
  pages,
  findings,
  vendors,
});

/** The data of the webhook event `scan.finished`. */
export const toFinishedScan = (scan: Scan, counts: ScanCounts) => {
  const { scan_id: id, ...summary } = toScanSummary(scan, counts);
  return {
    scan: {
      id,
      ...summary,
      site_url: scan.siteUrl,
      started_at: toIsoMoment(scan.startedAt),
      completed_at: toIsoMomentOrNull(scan.completedAt),
    },
  };
};

/** Why a scan in a status cannot be worked on, and what to do. */
export const STATUS_MESSAGES: Readonly<Record<Scan['status'], string>> = {
  queued: 'The scan has not started yet. Wait for the server to start it, or cancel it.',
  started: 'The scan is still running.',
  completed: 'The scan is completed. Start a new scan.',
  cancelled: 'The scan was cancelled. Resume it, or start a new scan.',
  interrupted: 'The scan was interrupted. Resume it, or start a new scan.',
  failed: 'The scan failed. Resume it, or start a new scan.',
};

/** The refusal of `assertOwnSite`, as an example for the API reference. */
export const OTHER_SITE = {
  other_site:
    'This is a scan of https://other.example. The server scans pages of https://example.com only.',
} as const;

/**
 * @param siteUrl the protected site, which is the only one that servers scan
 * @throws DomainError `conflict` `other_site`
 */
export function assertOwnSite(scan: Scan, siteUrl: string): void {
  if (scan.siteUrl === siteUrl) return;
  throw new DomainError(
    'conflict',
    'other_site',
    `This is a scan of ${scan.siteUrl}. The server scans pages of ${siteUrl} only. To scan the other site again, run pavis scan ${scan.siteUrl}`,
  );
}

/** @throws DomainError `scan_STATUS` if the scan is in none of these states */
export function assertStatus({ status }: Scan, allowed: readonly Scan['status'][]): void {
  if (!allowed.includes(status))
    throw new DomainError('conflict', `scan_${status}`, STATUS_MESSAGES[status]);
}
