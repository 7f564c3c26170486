import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Sign-ins, refused credentials, changes of users and exports, with the address for as long as retention leaves it. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);

  await db.schema
    .createTable('security_events')
    .addColumn('id', idType, id)
    .addColumn('at', integer, (c) => c.notNull())
    .addColumn('last_at', integer, (c) => c.notNull())
    .addColumn('event', text, (c) => c.notNull())
    // Of no row any more once the user was deleted.
    .addColumn('user_id', integer)
    .addColumn('login', text)
    .addColumn('actor_id', integer)
    .addColumn('actor', text)
    .addColumn('address', text)
    .addColumn('user_agent', text)
    .addColumn('details', text, (c) => c.notNull())
    .addColumn('count', integer, (c) => c.notNull())
    .addColumn('processed', integer, (c) => c.notNull())
    .addColumn('slot', text, (c) => c.unique())
    .addColumn('alert', text)
    .addColumn('alerted_at', integer)
    .addColumn('anonymised_at', integer)
    .execute();

  // In two halves, as retention processes them.
  for (const [name, half] of [
    ['security_events_due', sql`anonymised_at is null`],
    ['security_events_anonymised', sql`anonymised_at is not null`],
  ] as const) {
    await sql`create index ${sql.ref(name)} on security_events (at, id, anonymised_at) where ${half}`.execute(
      db,
    );
  }
  await db.schema
    .createIndex('security_events_user')
    .on('security_events')
    .columns(['user_id', 'event', 'id'])
    .execute();
  await sql`create index security_events_unprocessed on security_events (id) where processed < count`.execute(
    db,
  );
  await sql`create index security_events_alert on security_events (alert, alerted_at) where alert is not null`.execute(
    db,
  );
}

export const securityLog = { up };
