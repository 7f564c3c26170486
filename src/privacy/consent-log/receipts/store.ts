import { type RawBuilder, sql } from 'kysely';
import { type Db, findIdsByKey } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import type { RawRow } from '../entries/encoding.ts';
import { selectRecord } from '../entries/store.ts';

/**
 * A consent record of a visitor that is not anonymised: the one with an id, or the newest.
 * @param visitorId an unguessable id
 */
export async function findRecord(
  db: Db,
  columns: EntryColumns,
  { visitorId, id }: { visitorId: string; id: number | undefined },
): Promise<RawRow | undefined> {
  const { rows } = await sql<RawRow>`${selectTheirs(db, columns, visitorId)}
    ${id === undefined ? sql`` : sql`and consent_records.id = ${id}`}
    order by consent_records.id desc limit 1`.execute(db);
  return rows[0];
}

/** The consent records of a visitor after an id, in order, without the anonymised ones. */
export async function listRecords(
  db: Db,
  columns: EntryColumns,
  { visitorId, after, limit }: { visitorId: string; after: number; limit: number },
): Promise<RawRow[]> {
  const { rows } = await sql<RawRow>`${selectTheirs(db, columns, visitorId)}
    and consent_records.id > ${after} order by consent_records.id limit ${limit}`.execute(db);
  return rows;
}

function selectTheirs(db: Db, columns: EntryColumns, visitorId: string): RawBuilder<unknown> {
  const ids = findIdsByKey(
    db,
    'consent_records',
    'visitor_id',
    (key) => sql`${key} = ${visitorId}`,
  );
  return sql`select ${selectRecord(db, columns)} from consent_records
    where consent_records.id in (${ids}) and consent_records.anonymised_at is null`;
}
