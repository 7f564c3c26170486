import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The index of visitors as `platform/db/random-keys.ts` reads it: on SQLite a table, written in batches. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { isPostgres } = columnsFor(db);
  const ids = sql.lit(isPostgres ? 65_536 : 16_384);
  await db.schema.dropIndex('consent_records_visitor').execute();
  if (isPostgres) {
    await sql`create index consent_records_visitor
      on consent_records ((id / ${ids}), visitor_id, id)`.execute(db);
    return;
  }
  await sql`create table index_consent_records_visitor_id (
    segment integer not null, visitor_id text not null, id integer not null,
    primary key (segment, visitor_id, id)) without rowid`.execute(db);
  await sql`create table index_consent_records_visitor_id_upto (id integer not null)`.execute(db);
  await sql`insert into index_consent_records_visitor_id
    select id / ${ids}, visitor_id, id from consent_records`.execute(db);
  await sql`insert into index_consent_records_visitor_id_upto
    select coalesce(max(id), 0) from consent_records`.execute(db);

  const upto = sql`(select id from index_consent_records_visitor_id_upto)`;
  // Ids that are given in no order go in at once.
  await sql`create trigger consent_records_visitor_id_added after insert on consent_records
    when new.id - ${upto} not between 1 and 1023
    begin
      insert into index_consent_records_visitor_id
        select id / ${ids}, visitor_id, id from consent_records
        where id between ${upto} + 1 and new.id order by 1, 2, 3;
      insert into index_consent_records_visitor_id
        select new.id / ${ids}, new.visitor_id, new.id where new.id <= ${upto};
      update index_consent_records_visitor_id_upto set id = new.id where id < new.id;
    end`.execute(db);
  await sql`create trigger consent_records_visitor_id_removed after delete on consent_records
    begin
      delete from index_consent_records_visitor_id
        where segment = old.id / ${ids} and visitor_id = old.visitor_id and id = old.id;
    end`.execute(db);
  await sql`create trigger consent_records_visitor_id_changed
    after update of id, visitor_id on consent_records
    begin
      delete from index_consent_records_visitor_id
        where segment = old.id / ${ids} and visitor_id = old.visitor_id and id = old.id;
      insert into index_consent_records_visitor_id
        select new.id / ${ids}, new.visitor_id, new.id where new.id <= ${upto};
    end`.execute(db);
}

export const visitorsInBatches = { up };
