import type { PreparedRemoval, RecordRemoval } from '../../../personal-data/index.ts';
import type { Condition, Trx } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { commitPersonal } from '../entries/entries.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { recordInLog } from '../records/store.ts';
import { toRanges } from './rules.ts';
import { keepPersonalHashes, lockIds, lockRecords, matchIds, type PersonalHash } from './store.ts';

interface DeletionOfRows extends Pick<RecordRemoval, 'at' | 'where'> {
  cause: RecordRemoval['cause'] | { readonly cause: 'request' };
}

/** Records per entry of the log. */
const BATCH = 1_000;

/**
 * Logs that consent records are anonymised or deleted, in the same transaction. The log commits to what anonymising
 * removes by its hash, which nobody can search without the salt.
 * @returns these records, which no concurrent insert matches, and the hashes that anonymised ones keep
 */
export async function logRemoval(
  trx: Trx,
  columns: EntryColumns,
  removal: RecordRemoval,
): Promise<PreparedRemoval> {
  const { action, cause, at } = removal;
  const all: number[] = [];
  const hashes: PersonalHash[] = [];
  for (;;) {
    const rows = await lockRecords(trx, columns, removal, {
      after: all.at(-1) ?? 0,
      limit: BATCH,
    });
    if (rows.length === 0) break;
    if (action === 'anonymise') {
      for (const row of rows) hashes.push([row.id, toHex(commitPersonal(row, columns))]);
    }
    const ids = rows.map(({ id }) => id);
    const facts = { action, ...cause, ids: toRanges(ids), count: ids.length };
    await recordInLog(trx, { kind: ENTRY_KINDS.removal, facts, at });
    all.push(...ids);
    if (rows.length < BATCH) break;
  }
  const where = matchIds(trx, 'consent_records', all);
  return action === 'anonymise' ? { where, kept: keepPersonalHashes(trx, hashes) } : { where };
}

/**
 * Logs that rows without personal data are deleted, in the same transaction.
 * @param cause `request`: a user deletes them
 * @returns a condition for these rows, which no concurrent insert matches
 */
export async function logDeletion(
  trx: Trx,
  table: 'scans',
  { cause, at, where }: DeletionOfRows,
): Promise<Condition> {
  const ids = await lockIds(trx, table, where);
  if (ids.length > 0) {
    const facts = { table, action: 'delete', ...cause, ids: toRanges(ids), count: ids.length };
    await recordInLog(trx, { kind: ENTRY_KINDS.removal, facts, at });
  }
  return matchIds(trx, table, ids);
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
