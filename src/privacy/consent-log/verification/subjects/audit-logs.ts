import type { Db } from '../../../../platform/db/index.ts';
import type { AuditHead } from '../../audit-heads/store.ts';
import { RowDigest } from '../../records/row-digest.ts';
import { listEvents } from './store.ts';

/** Whether the events of an audit log are as facts state. If some were deleted, the others cannot be compared. */
export async function isSameLog(
  db: Db,
  { log, columns, first_id, last_id, count, sha256 }: AuditHead,
): Promise<boolean> {
  if (count === 0) return true;
  const digest = new RowDigest();
  for await (const row of listEvents(db, { table: log, columns, first_id, last_id }))
    digest.add(row);
  return digest.count < count || (digest.count === count && digest.finish() === sha256);
}
