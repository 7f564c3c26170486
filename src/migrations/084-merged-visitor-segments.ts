import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Lets entries of the index of visitors be in merged segments (SQLite, docs/adr/0035). */
async function up(db: Kysely<unknown>): Promise<void> {
  const { isPostgres, segmentIds } = columnsFor(db);
  if (isPostgres) return;
  const ids = sql.lit(segmentIds);
  // The segments of its id, one of each level (`platform/db/segment-levels.ts`).
  const segments = [0, 1, 2].map(
    (level) => sql`${sql.lit(level * 2 ** 40)} + old.id / ${sql.lit(segmentIds * 32 ** level)}`,
  );
  const isOld = sql`segment in (${sql.join(segments)})
    and visitor_id = old.visitor_id and id = old.id`;
  await sql`drop trigger consent_records_visitor_id_removed`.execute(db);
  await sql`drop trigger consent_records_visitor_id_changed`.execute(db);
  await sql`create trigger consent_records_visitor_id_removed after delete on consent_records
    begin
      delete from index_consent_records_visitor_id where ${isOld};
    end`.execute(db);
  // An entry that is changed comes to a small segment, where it shares pages with those changed with it.
  await sql`create trigger consent_records_visitor_id_changed
    after update of id, visitor_id on consent_records
    begin
      delete from index_consent_records_visitor_id where ${isOld};
      insert into index_consent_records_visitor_id
        select new.id / ${ids}, new.visitor_id, new.id
        where new.id <= (select id from index_consent_records_visitor_id_upto);
    end`.execute(db);
}

export const mergedVisitorSegments = { up };
