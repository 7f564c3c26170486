import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What happened to users, by whom, and when each was last seen. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);

  await db.schema.alterTable('users').addColumn('last_seen_at', integer).execute();
  await db.schema
    .createTable('user_events')
    .addColumn('id', idType, id)
    // Of no row any more once the user was deleted.
    .addColumn('user_id', integer, (c) => c.notNull())
    .addColumn('login', text, (c) => c.notNull())
    .addColumn('at', integer, (c) => c.notNull())
    .addColumn('actor', text, (c) => c.notNull())
    .addColumn('action', text, (c) => c.notNull())
    .addColumn('details', text, (c) => c.notNull())
    .addColumn('anonymised_at', integer)
    .execute();
  await db.schema.createIndex('user_events_user').on('user_events').column('user_id').execute();
  for (const [name, half] of [
    ['user_events_due', sql`anonymised_at is null`],
    ['user_events_anonymised', sql`anonymised_at is not null`],
  ] as const) {
    await sql`create index ${sql.ref(name)} on user_events (at, id, anonymised_at) where ${half}`.execute(
      db,
    );
  }
}

export const userLog = { up };
