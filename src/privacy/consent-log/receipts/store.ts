import { sql } from 'kysely';
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
  const theirs = findIdsByKey(
    db,
    'consent_records',
    'visitor_id',
    (key) => sql`${key} = ${visitorId}`,
  );
  const { rows } = await sql<RawRow>`select ${selectRecord(db, columns)} from consent_records
    where consent_records.id in (${theirs}) and consent_records.anonymised_at is null
      ${id === undefined ? sql`` : sql`and consent_records.id = ${id}`}
    order by consent_records.id desc limit 1`.execute(db);
  return rows[0];
}
