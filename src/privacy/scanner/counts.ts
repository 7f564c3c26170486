import type { Db, Trx } from '../../platform/db/index.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { countScans, type Scan, type ScanCounts } from './store.ts';

/** A scan and its counts as `complete` answers and as hooks get it. */
export const toScanSummary = ({ id, status }: Scan, { pages, findings, vendors }: ScanCounts) => ({
  scan_id: id,
  status,
  pages,
  findings,
  vendors,
});

export async function getScanCounts(db: Db | Trx, scanId: number): Promise<ScanCounts> {
  const counts = (await countScans(db, [scanId])).get(scanId);
  if (!counts) throw new NotFoundError('The scan');
  return counts;
}
