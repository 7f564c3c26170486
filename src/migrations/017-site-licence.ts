import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The licence of the site itself, and those that it has still to be taken off. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('site_licence')
    .addColumn('id', integer, (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('sealed_key', text, (c) => c.notNull())
    .addColumn('key_hash', text, (c) => c.notNull())
    .addColumn('masked_key', text, (c) => c.notNull())
    .addColumn('site', text, (c) => c.notNull())
    .addColumn('is_activated', integer, (c) => c.notNull())
    .addColumn('verdict', text)
    .addColumn('checked_at', integer)
    .addColumn('tried_at', integer, (c) => c.notNull())
    .addColumn('failing_since', integer)
    .addColumn('saved_at', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('site_farewells')
    .addColumn('id', idType, id)
    .addColumn('sealed_key', text, (c) => c.notNull())
    .addColumn('key_hash', text, (c) => c.notNull())
    .addColumn('site', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute();
}

export const siteLicence = { up };
