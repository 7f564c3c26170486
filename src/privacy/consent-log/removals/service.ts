import type { RecordRemoval } from '../../../personal-data/index.ts';
import type { Condition, Trx } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { recordInLog } from '../records/store.ts';
import { toRanges } from './rules.ts';
import { keepPersonalHashes, lockRecords, matchIds } from './store.ts';

/** Records per entry of the log. */
const BATCH = 1_000;

/**
 * Logs that consent records are anonymised or deleted, in the same transaction. The log commits to what anonymising
 * removes by its hash, which nobody can search without the salt.
 * @returns a condition for these records, which no concurrent insert matches
 */
export async function logRemoval(
  trx: Trx,
  columns: EntryColumns,
  removal: RecordRemoval,
): Promise<Condition> {
  const { action, cause, at } = removal;
  const all: number[] = [];
  for (;;) {
    const rows = await lockRecords(trx, columns, removal, {
      after: all.at(-1) ?? 0,
      limit: BATCH,
    });
    if (rows.length === 0) break;
    if (action === 'anonymise') await keepPersonalHashes(trx, columns, rows);
    const ids = rows.map(({ id }) => id);
    const facts = { action, ...cause, ids: toRanges(ids), count: ids.length };
    await recordInLog(trx, { kind: ENTRY_KINDS.removal, facts, at });
    all.push(...ids);
    if (rows.length < BATCH) break;
  }
  return matchIds(trx, all);
}
