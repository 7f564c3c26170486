import { listUsers } from '../../../identity/users/index.ts';
import { queueMail } from '../../../mail/index.ts';
import type { Announce, Db, Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { publishAction } from '../../../platform/hooks/committed.ts';
import { type CurrentSettings, getSenderName } from '../../settings/index.ts';
import { evaluateScan } from '../decisions/service.ts';
import type { SavedFinding } from '../findings/store.ts';
import { getScan } from '../scans.ts';
import type { Scan } from '../store.ts';
import { renderRegression } from './messages.ts';
import { type ComparedScan, findRegression, type WorseResource } from './rules.ts';
import {
  findComparableScan,
  listPartialUrls,
  listReachedStates,
  listUnknownHostPages,
  listUnscannedUrls,
} from './store.ts';

/** Writes the hook and the emails of a regression, in the transaction that completes the scan. */
export type ReportRegression = (trx: Trx, announce: Announce) => Promise<void>;

/**
 * Compares a scan that is about to be completed with an earlier one. Reads before the transaction, to keep that short.
 * @returns undefined if nothing got worse, or there is no scan to compare it with
 */
export async function prepareReport(
  platform: Platform,
  scan: Scan,
  current: CurrentSettings,
  consoleUrl: string,
): Promise<ReportRegression | undefined> {
  const { db } = platform.datastore;
  if (scan.startedBy === 'proof') return undefined;
  const previousId = await findComparableScan(db, scan);
  if (previousId === undefined) return undefined;
  const earlier = await readCompared(db, await getScan(db, previousId), current);
  const later = await readCompared(db, scan, current);
  const regression = findRegression(earlier, later);
  if (!regression) return undefined;

  const { settings } = current;
  const mail = renderRegression(regression, {
    siteUrl: scan.siteUrl,
    language: settings.consent.languages[0] ?? 'en',
    link: `${consoleUrl}/scanner/${scan.id}`,
  });
  const users = await listUsers(platform);
  const administrators = users.filter(({ role }) => role === 'administrator');
  return async (trx, announce) => {
    publishAction(announce, 'svc_scan_regression', {
      scan_id: scan.id,
      previous_scan_id: previousId,
      new_without_consent: regression.withoutConsent.map(toItem),
      broken_promises: regression.brokenPromises.map((worse) => ({
        ...toItem(worse),
        verdicts: [...worse.verdicts],
      })),
      unknown_vendors: regression.unknownHosts.map((host) => ({ host })),
    });
    const fromName = getSenderName(settings);
    for (const { email: to } of administrators) {
      const about = `scanner/scans/${scan.id}`;
      const queued = { ...mail, to, kind: 'scan_regression', about, fromName };
      await queueMail(trx, announce, queued, platform.clock.now());
    }
  };
}

async function readCompared(db: Db, scan: Scan, current: CurrentSettings): Promise<ComparedScan> {
  const { early, evaluate } = await evaluateScan(db, scan, current);
  const isAccepted = (finding: SavedFinding): boolean => {
    const { state, decision } = evaluate(finding);
    return state === 'necessary' || ['necessary', 'ignored'].includes(decision?.decision ?? '');
  };
  return {
    states: scan.states,
    reached: await listReachedStates(db, scan.id),
    findings: early.filter((finding) => !isAccepted(finding)),
    unknownHosts: await listUnknownHostPages(db, scan.id),
    partialPages: await listPartialUrls(db, scan.id),
    unscannedPages: await listUnscannedUrls(db, scan.id),
  };
}

const toItem = ({ finding, pageUrls }: WorseResource) => ({
  resource_type: finding.resourceType,
  name: finding.name,
  url: finding.url,
  host: finding.host,
  vendor: finding.vendor?.slug ?? null,
  category: finding.category,
  page_urls: [...new Set(pageUrls)],
});
