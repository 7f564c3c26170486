import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import type { RawRow } from '../entries/encoding.ts';
import { listInOrder, selectRecord } from '../entries/store.ts';

/** Days in the time zone of the site, inclusive. */
export interface Period {
  from: string;
  to: string;
}

/** The lowest and the highest id of the consent records of a period; undefined without records. */
export async function findIdRange(
  db: Db,
  { from, to }: Period,
): Promise<{ first: number; last: number } | undefined> {
  const { rows } = await sql<{ first: unknown; last: unknown }>`
    select min(id) as first, max(id) as last from consent_records
    where day >= ${from} and day <= ${to}`.execute(db);
  const [row] = rows;
  return row && row.first !== null
    ? { first: Number(row.first), last: Number(row.last) }
    : undefined;
}

/** Consent records of a period whose ids are within limits, in order. */
export function listRecordsOf(
  db: Db,
  columns: EntryColumns,
  { from, to }: Period,
  { first, last, limit }: { first: number; last: number; limit: number },
): Promise<RawRow[]> {
  const records = sql`consent_records where consent_records.id >= ${first}
    and consent_records.id <= ${last} and day >= ${from} and day <= ${to}`;
  return listInOrder(db, 1, { selected: selectRecord(db, columns), from: records, limit });
}
