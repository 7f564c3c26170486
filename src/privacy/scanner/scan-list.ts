import type { Db } from '../../platform/db/index.ts';
import { toScanRecord } from './schemas.ts';
import { countScans, listScans, type ScanSlice } from './store.ts';

/** The scans, newest first, as the API lists them. */
export async function listScanRecords(
  db: Db,
  slice: ScanSlice,
): Promise<{ records: ReturnType<typeof toScanRecord>[]; total: number }> {
  const { scans, total } = await listScans(db, slice);
  const ids = scans.map(({ id }) => id);
  const counts = await countScans(db, ids);
  const records = scans.flatMap((scan) => {
    const of = counts.get(scan.id);
    return of ? [toScanRecord(scan, of)] : [];
  });
  return { records, total };
}
