import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Endpoints of webhooks, the events for them, and the deliveries of each event. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', idType, id)
    .addColumn('url', text, (c) => c.notNull())
    .addColumn('description', text, (c) => c.notNull())
    .addColumn('event_types', text, (c) => c.notNull())
    .addColumn('secret', text, (c) => c.notNull())
    .addColumn('previous_secret', text)
    .addColumn('previous_secret_until', integer)
    .addColumn('is_active', integer, (c) => c.notNull())
    .addColumn('inactive_reason', text)
    .addColumn('failing_since', integer)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('updated_at', integer, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('webhook_events')
    .addColumn('id', idType, id)
    .addColumn('message_id', text, (c) => c.notNull().unique())
    .addColumn('type', text, (c) => c.notNull())
    .addColumn('payload', text, (c) => c.notNull())
    .addColumn('email', text)
    .addColumn('visitor_id', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('anonymised_at', integer)
    .execute();
  // In two halves, as retention processes them.
  for (const [name, half] of [
    ['webhook_events_due', sql`anonymised_at is null`],
    ['webhook_events_anonymised', sql`anonymised_at is not null`],
  ] as const) {
    await sql`create index ${sql.ref(name)} on webhook_events (created_at, id) where ${half}`.execute(
      db,
    );
  }
  for (const column of ['email', 'visitor_id']) {
    await sql`create index ${sql.ref(`webhook_events_${column}`)} on webhook_events (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db);
  }

  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', idType, id)
    .addColumn('event_id', integer, (c) => c.notNull().references('webhook_events.id'))
    // Without a reference: an event must not fail because its endpoint is deleted at the same time.
    .addColumn('endpoint_id', integer, (c) => c.notNull())
    .addColumn('status', text, (c) =>
      c.notNull().check(sql`status in ('pending', 'sending', 'delivered', 'failed')`),
    )
    .addColumn('attempts', integer, (c) => c.notNull())
    .addColumn('due_at', integer)
    .addColumn('last_attempt_at', integer)
    .addColumn('last_status', integer)
    .addColumn('last_error', text)
    .addColumn('last_response', text)
    .addColumn('delivered_at', integer)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addUniqueConstraint('webhook_deliveries_event', ['event_id', 'endpoint_id'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['endpoint_id', 'due_at'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_endpoint')
    .on('webhook_deliveries')
    .columns(['endpoint_id', 'status', 'id'])
    .execute();

  await db.schema
    .createTable('webhook_once_keys')
    .addColumn('key', text, (c) => c.primaryKey())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
}

export const webhooks = { up };
