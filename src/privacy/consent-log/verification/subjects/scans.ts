import type { Db } from '../../../../platform/db/index.ts';
import { type HashedRows, hashRows } from '../../records/store.ts';
import { sha256 } from './banner.ts';
import { findScanId, listScanPictures } from './store.ts';

/** What the log states of a scan. Scans that were logged by the first versions have no columns. */
export interface ScanFacts {
  scan: number;
  record?: HashedRows;
  pages: HashedRows;
  findings: HashedRows;
  visits: HashedRows;
}

/** What of a scan is not as facts state. `pictures`: those that are still there. */
export type ScanPart = 'record' | 'pages' | 'findings' | 'visits' | 'pictures';

const TABLES = {
  record: 'scans',
  pages: 'scan_pages',
  findings: 'scan_findings',
  visits: 'scan_visits',
} as const;

export const hasScan = async (db: Db, { scan }: ScanFacts): Promise<boolean> =>
  (await findScanId(db, scan)) !== undefined;

/** Compares a scan, its pages, findings and visits with their hashes, and pictures with those of the visits. */
export async function findChangedPart(db: Db, facts: ScanFacts): Promise<ScanPart | undefined> {
  const { scan } = facts;
  for (const part of ['record', 'pages', 'findings', 'visits'] as const) {
    const { columns, count, sha256: hash } = facts[part] ?? {};
    if (columns === undefined) continue;
    const where = [part === 'record' ? 'id' : 'scan_id', scan] as const;
    const found = await hashRows(db, { table: TABLES[part], columns, where, limit: count ?? 0 });
    if (found.count !== count || found.sha256 !== hash) return part;
  }
  for await (const { picture, picture_sha256: hash } of listScanPictures(db, scan)) {
    if (!(picture instanceof Uint8Array) || sha256(picture) !== hash) return 'pictures';
  }
  return undefined;
}
