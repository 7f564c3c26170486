import { sql } from 'kysely';
import type { PreparedRemoval, RecordRemoval } from '../../../personal-data/index.ts';
import {
  type Condition,
  fromHex,
  listRows,
  lockedRows,
  type Trx,
} from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import type { RawRow } from '../entries/encoding.ts';
import { selectRecord } from '../entries/store.ts';

type Row = RawRow & { id: number };

/** The next records that are removed, in the order of their ids. They stay as they are until the transaction ends. */
export async function lockRecords(
  trx: Trx,
  columns: EntryColumns,
  { where }: Pick<RecordRemoval, 'where'>,
  { after, limit }: { after: number; limit: number },
): Promise<Row[]> {
  // No index has the sum, so that the one of what is removed is used: in the order of ids, the whole table may be read.
  const id = sql`consent_records.id + 0`;
  const { rows } = await sql<Row>`select ${selectRecord(trx, columns)} from consent_records
    where ${where} and ${id} > ${after}
    order by ${id} limit ${limit} ${lockedRows(trx)}`.execute(trx);
  return rows;
}

/** The hash of the personal data of a record, in hexadecimal, with the id of the record. */
export type PersonalHash = readonly [id: number, hash: string];

/** Keeps the hash of the personal data of records in place of their salt. */
export const keepPersonalHashes = (
  trx: Trx,
  hashes: readonly PersonalHash[],
): NonNullable<PreparedRemoval['kept']> => ({
  table: sql`hashes(id, hash) as (${listRows(trx, ['integer', 'text'], hashes)})`,
  name: 'hashes',
  on: sql`consent_records.id = hashes.id`,
  changes: [sql`salt = null`, sql`personal_hash = ${fromHex(trx, sql`hashes.hash`)}`],
});

/** The ids of the rows of a table that match, in order. They stay as they are until the transaction ends. */
export async function lockIds(trx: Trx, table: string, where: Condition): Promise<number[]> {
  const id = sql.ref(`${table}.id`);
  const { rows } = await sql<{ id: number }>`select ${id} as id from ${sql.table(table)}
    where ${where} order by ${id} ${lockedRows(trx)}`.execute(trx);
  return rows.map((row) => row.id);
}

export const matchIds = (trx: Trx, table: string, ids: readonly number[]): Condition => {
  const rows = ids.map((id) => [id] as const);
  return sql`${sql.ref(`${table}.id`)} in (${listRows(trx, ['integer'], rows)})`;
};
