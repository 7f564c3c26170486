import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

const KEPT =
  'public_id, idempotency_hash, request_hash, provider, tier, billing_interval, session_id, url, email, success_url, cancel_url, created_at, expires_at';

/** Orders of several at once and for good, and whose licence each event of the payment service bears on. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  // Made anew, since SQLite cannot change a check.
  await db.schema
    .createTable('checkout_orders_next')
    .addColumn('id', idType, id)
    .addColumn('public_id', text, (c) => c.notNull().unique())
    .addColumn('idempotency_hash', text, (c) => c.unique())
    .addColumn('request_hash', text, (c) => c.notNull())
    .addColumn('provider', text, (c) => c.notNull().check(sql`provider in ('stripe', 'test')`))
    .addColumn('tier', text, (c) => c.notNull())
    .addColumn('billing_interval', text, (c) =>
      c.notNull().check(sql`billing_interval in ('month', 'year', 'once')`),
    )
    .addColumn('quantity', integer, (c) => c.notNull().defaultTo(1))
    .addColumn('session_id', text, (c) => c.unique())
    .addColumn('url', text)
    .addColumn('email', text)
    .addColumn('success_url', text)
    .addColumn('cancel_url', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
  await sql`insert into checkout_orders_next (${sql.raw(KEPT)}) select ${sql.raw(KEPT)} from checkout_orders order by id`.execute(
    db,
  );
  await db.schema.dropTable('checkout_orders').execute();
  await db.schema.alterTable('checkout_orders_next').renameTo('checkout_orders').execute();
  await db.schema
    .createIndex('checkout_orders_created')
    .on('checkout_orders')
    .column('created_at')
    .execute();

  await db.schema
    .alterTable('purchases')
    .addColumn('quantity', integer, (c) => c.notNull().defaultTo(1))
    .execute();

  await db.schema
    .alterTable('payment_events')
    .addColumn('purchase_id', integer, (c) => c.references('purchases.id'))
    .execute();
  await sql`with recursive ours (purchase_id, event_id) as (
      select purchases.id, payment_refs.payment_event_id
      from purchases join payment_refs on payment_refs.ref = purchases.session_id
      union
      select ours.purchase_id, other.payment_event_id
      from ours
      join payment_refs as known on known.payment_event_id = ours.event_id
      join payment_refs as other on other.ref = known.ref)
    update payment_events set purchase_id = known.purchase_id
    from (select event_id, min(purchase_id) as purchase_id from ours group by event_id) as known
    where known.event_id = payment_events.id`.execute(db);
  await sql`create index payment_events_foreign on payment_events (at) where purchase_id is null`.execute(
    db,
  );
}

export const payments = { up };
