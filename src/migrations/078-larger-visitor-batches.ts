import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/**
 * Writes four times as many visitors to their index at once (SQLite): a batch of random ids changes all pages of a
 * segment, so larger batches write fewer pages for each row.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const { isPostgres, segmentIds } = columnsFor(db);
  if (isPostgres) return;
  const ids = sql.lit(segmentIds);
  const upto = sql`(select id from index_consent_records_visitor_id_upto)`;
  await sql`drop trigger consent_records_visitor_id_added`.execute(db);
  // Ids that are given in no order go in at once.
  await sql`create trigger consent_records_visitor_id_added after insert on consent_records
    when new.id - ${upto} not between 1 and 4095
    begin
      insert into index_consent_records_visitor_id
        select id / ${ids}, visitor_id, id from consent_records
        where id between ${upto} + 1 and new.id order by 1, 2, 3;
      insert into index_consent_records_visitor_id
        select new.id / ${ids}, new.visitor_id, new.id where new.id <= ${upto};
      update index_consent_records_visitor_id_upto set id = new.id where id < new.id;
    end`.execute(db);
}

export const largerVisitorBatches = { up };
