import type { Db } from '../../platform/db/index.ts';
import { toScanRecord } from './schemas.ts';
import { countScans, listScans } from './store.ts';

/** The scans, newest first, as the API lists them, and how many there are. */
export async function listScanRecords(
  db: Db,
  slice: { offset: number; limit: number },
): Promise<{ records: ReturnType<typeof toScanRecord>[]; total: number }> {
  const { scans, total } = await listScans(db, slice);
  const counts = await countScans(
    db,
    scans.map(({ id }) => id),
  );
  const records = scans.flatMap((scan) => {
    const of = counts.get(scan.id);
    return of ? [toScanRecord(scan, of)] : [];
  });
  return { records, total };
}
