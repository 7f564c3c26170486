import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What is ordered, what the payment service says about it, and which licence came of it. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema.alterTable('outbox_mails').addColumn('sealed', text).execute();

  await db.schema
    .createTable('checkout_orders')
    .addColumn('id', idType, id)
    .addColumn('public_id', text, (c) => c.notNull().unique())
    .addColumn('idempotency_hash', text, (c) => c.unique())
    .addColumn('request_hash', text, (c) => c.notNull())
    .addColumn('provider', text, (c) => c.notNull().check(sql`provider in ('stripe', 'test')`))
    .addColumn('tier', text, (c) => c.notNull())
    .addColumn('billing_interval', text, (c) =>
      c.notNull().check(sql`billing_interval in ('month', 'year')`),
    )
    .addColumn('session_id', text, (c) => c.unique())
    .addColumn('url', text)
    .addColumn('email', text)
    .addColumn('success_url', text)
    .addColumn('cancel_url', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('checkout_orders_created')
    .on('checkout_orders')
    .column('created_at')
    .execute();

  await db.schema
    .createTable('payment_events')
    .addColumn('id', idType, id)
    .addColumn('event_id', text, (c) => c.notNull().unique())
    .addColumn('at', integer, (c) => c.notNull())
    .addColumn('fact', text, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('payment_refs')
    .addColumn('id', idType, id)
    .addColumn('payment_event_id', integer, (c) => c.notNull().references('payment_events.id'))
    .addColumn('ref', text, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('payment_refs_ref')
    .on('payment_refs')
    .columns(['ref', 'payment_event_id'])
    .execute();
  await db.schema
    .createIndex('payment_refs_event')
    .on('payment_refs')
    .column('payment_event_id')
    .execute();

  await db.schema
    .createTable('purchases')
    .addColumn('id', idType, id)
    .addColumn('session_id', text, (c) => c.notNull().unique())
    .addColumn('licence_id', integer, (c) => c.notNull().unique().references('licences.id'))
    .addColumn('tier', text, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .addColumn('grace_days', integer, (c) => c.notNull())
    .addColumn('is_suspended', integer, (c) => c.notNull())
    .addColumn('is_revoked', integer, (c) => c.notNull())
    .addColumn('renews', integer, (c) => c.notNull())
    .execute();
}

export const checkout = { up };
