import type { Db } from '../../../platform/db/index.ts';
import { listConsentVersions } from '../../settings/index.ts';
import { SCAN_STATES } from '../observation.ts';
import { tallyVerdicts } from '../results/store.ts';
import { assertStatus, getScan, getScanCounts } from '../scans.ts';
import type { Scan, ScanCounts } from '../store.ts';
import { PICTURES_KEPT } from '../visits/rules.ts';
import { listAllVisits, type SavedVisit } from '../visits/store.ts';
import { type EvidencePage, listEvidencePages } from './store.ts';

/** What an evidence pack is made of, without recordings, pictures and findings, which are read page by page. */
export interface Pack {
  scan: Scan;
  counts: ScanCounts;
  verdicts: Awaited<ReturnType<typeof tallyVerdicts>>;
  pages: PackPage[];
  /** The version of the Pavis banner that was in force when the scan started; null if there was none. */
  bannerVersion: number | null;
  /**
   * When the scan was completed, otherwise when it started, in epoch milliseconds: also the time of the files, so that a
   * pack can be made again.
   */
  createdAt: number;
}

export interface PackPage extends EvidencePage {
  /** Counted from 1. */
  number: number;
  /** Empty for scans that did not record visits. */
  visits: SavedVisit[];
}

/** @throws NotFoundError; DomainError `scan_queued`, `scan_started` for a scan that has not ended */
export async function readPack(db: Db, scanId: number): Promise<Pack> {
  const scan = await getScan(db, scanId);
  assertStatus(scan, ['completed', 'cancelled', 'interrupted', 'failed']);
  const pages = await listEvidencePages(db, scanId);
  const visits = Map.groupBy(await listAllVisits(db, scanId), ({ pageUrl }) => pageUrl);
  const versions = await listConsentVersions(db);
  const shown = versions.find(({ createdAt }) => createdAt <= scan.startedAt);
  return {
    scan,
    counts: await getScanCounts(db, scanId),
    verdicts: await tallyVerdicts(db, scanId),
    pages: pages.map((page, at) => ({
      ...page,
      number: at + 1,
      visits: (visits.get(page.url) ?? []).sort(byState),
    })),
    bannerVersion: shown?.version ?? null,
    createdAt: scan.completedAt ?? scan.startedAt,
  };
}

const byState = (a: SavedVisit, b: SavedVisit): number =>
  SCAN_STATES.indexOf(a.state) - SCAN_STATES.indexOf(b.state);

/** The path of a visit's picture in the pack. */
export const toPicturePath = ({ number }: PackPage, { state }: SavedVisit): string =>
  `pictures/${String(number).padStart(3, '0')}-${state}.jpg`;

/** Pictures that were removed from the visits of a scan. The hashes identify them in an earlier pack. */
export const listRemovedPictures = ({ pages }: Pack): { path: string; sha256: string }[] =>
  pages.flatMap((page) =>
    page.visits.flatMap((visit) =>
      visit.pictureSha256 === null || visit.hasPicture
        ? []
        : [{ path: toPicturePath(page, visit), sha256: visit.pictureSha256 }],
    ),
  );

/** What a pack cannot show, because the scan did not record it or because it was removed. */
export function listUnrecorded(pack: Pack): string[] {
  const { scan, pages, verdicts } = pack;
  const visits = pages.flatMap((page) => page.visits);
  // The browser can end in the middle of a scan.
  if (scan.engine === 'html' && visits.length === 0)
    return [
      'The scan ran without a browser: there are no visits, requests, cookies, pictures and verdicts. The findings are those of the pages’ HTML and headers.',
    ];
  const missing: string[] = [];
  if (visits.length === 0)
    missing.push(
      'The scan did not record its visits: there are no requests, cookies and pictures, and no outcome for each state. It was made before Pavis recorded them, or no page could be visited.',
    );
  if (verdicts.length === 0 && visits.length === 0)
    missing.push(
      'The findings have no verdicts. The report lists which of them loaded before consent.',
    );
  const scanned = pages.filter(({ state }) => state === 'scanned');
  const unvisited = scanned.filter((page) => page.visits.length === 0).length;
  if (visits.length > 0 && unvisited > 0)
    missing.push(
      `${unvisited} of ${scanned.length} scanned pages were read without a browser: they have no visits, requests, cookies, pictures and verdicts.`,
    );
  const without = visits.filter(({ pictureSha256 }) => pictureSha256 === null).length;
  if (without > 0)
    missing.push(
      `${without} of ${visits.length} visits have no picture: none could be taken, or the scan had reached its maximum of pictures.`,
    );
  const removed = listRemovedPictures(pack).length;
  if (removed > 0)
    missing.push(
      `The pictures of ${removed} of ${visits.length} visits were removed. ${PICTURES_KEPT}`,
    );
  return missing;
}
