import type { Platform } from '../../../platform/deps.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { CurrentSettings } from '../../settings/index.ts';
import type { SavedFinding } from '../findings/store.ts';
import { queueProof } from '../proof/queue.ts';
import { assertOwnSite } from '../scans.ts';
import { lockScan } from '../store.ts';
import { evaluateScan, isRegistered } from './service.ts';

/**
 * Checks the blocked findings of a scan again, after their tags in the pages were changed. Those whose check is queued or
 * running are not checked twice.
 * @param request.siteUrl the protected site, which is the only one that servers scan
 * @returns the id of the proof scan
 * @throws NotFoundError; DomainError `conflict` for a scan of another site, or without a blocked finding
 */
export async function verifyBlocked(
  { datastore, clock }: Platform,
  current: CurrentSettings,
  { scanId, siteUrl }: { scanId: number; siteUrl: string },
): Promise<number> {
  return datastore.transaction(async (trx, announce) => {
    const scan = await lockScan(trx, scanId);
    assertOwnSite(scan, siteUrl);
    const { early, evaluate } = await evaluateScan(trx, scan, current);
    const findings = early.filter((finding) => isRegistered(evaluate(finding)));
    if (findings.length === 0) {
      throw new DomainError(
        'conflict',
        'nothing_blocked',
        'No finding of this scan is blocked. Block findings first, with POST /scanner/decisions.',
      );
    }
    const getPending = (each: SavedFinding) => evaluate(each).proof?.pendingScanId ?? 0;
    const unchecked = findings.filter((each) => getPending(each) === 0);
    return unchecked.length === 0
      ? Math.max(...findings.map(getPending))
      : queueProof(trx, announce, { findings: unchecked, siteUrl, now: clock.now() });
  });
}
