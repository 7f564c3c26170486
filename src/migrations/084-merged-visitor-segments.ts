import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';
import { selectSegmentsOfId } from '../platform/db/segment-levels.ts';

/** Lets entries of the index of visitors be in merged segments (SQLite, docs/adr/0035). */
async function up(db: Kysely<unknown>): Promise<void> {
  const { isPostgres, segmentIds } = columnsFor(db);
  if (isPostgres) return;
  const ids = sql.lit(segmentIds);
  const isOld = sql`segment in (${selectSegmentsOfId(sql`old.id`, segmentIds)})
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
