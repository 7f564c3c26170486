import { type RawBuilder, sql } from 'kysely';
import type { RecordRemoval } from '../../../personal-data/index.ts';
import { fromHex, listRows, lockedRows, type Trx } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import type { RawRow } from '../entries/encoding.ts';
import { commitPersonal } from '../entries/entries.ts';
import { selectRecord } from '../entries/store.ts';

type Row = RawRow & { id: number };

/** The next records that are removed, in the order of their ids. They stay as they are until the transaction ends. */
export async function lockRecords(
  trx: Trx,
  columns: EntryColumns,
  { where }: Pick<RecordRemoval, 'where'>,
  { after, limit }: { after: number; limit: number },
): Promise<Row[]> {
  const { rows } = await sql<Row>`select ${selectRecord(trx, columns)} from consent_records
    where ${where} and consent_records.id > ${after}
    order by consent_records.id limit ${limit} ${lockedRows(trx)}`.execute(trx);
  return rows;
}

/** Keeps the hash of the personal data of records in place of their salt, unless they have it already. */
export async function keepPersonalHashes(
  trx: Trx,
  columns: EntryColumns,
  rows: readonly Row[],
): Promise<void> {
  const hashes = rows.map((row) => {
    const hash = Buffer.from(commitPersonal(row, columns));
    return [row.id, hash.toString('hex')] as const;
  });
  await sql`with hashes(id, hash) as (${listRows(trx, ['integer', 'text'], hashes)})
    update consent_records set salt = null, personal_hash = ${fromHex(trx, sql`hashes.hash`)}
    from hashes where consent_records.id = hashes.id`.execute(trx);
}

/** Matches records by their ids. */
export const matchIds = (trx: Trx, ids: readonly number[]): RawBuilder<unknown> => {
  const rows = ids.map((id) => [id] as const);
  return sql`consent_records.id in (${listRows(trx, ['integer'], rows)})`;
};
