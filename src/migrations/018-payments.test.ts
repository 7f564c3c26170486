import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database of before orders for good on %s', (engine) => {
  it('keeps its orders, and knows afterwards which events bear on a licence', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '018-payments');
    for (const statement of [
      `insert into customers (id, email, created_at) values (1, 'a@example.com', 1)`,
      `insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at) values (1, 'lic_1', 1, 'live', 'pro', 3, 0, 0, 1, 2)`,
      `insert into checkout_orders (public_id, idempotency_hash, request_hash, provider, tier, billing_interval, session_id, email, created_at, expires_at) values ('ord_1', 'i', 'r', 'test', 'agency', 'month', 'cs_test_1', 'b@example.com', 5, 6)`,
      `insert into purchases (session_id, licence_id, tier, expires_at, grace_days, is_suspended, is_revoked, renews) values ('cs_1', 1, 'pro', 2, 0, 0, 0, 1)`,
      ...['evt_session', 'evt_invoice', 'evt_refund', 'evt_foreign'].map(
        (id, at) =>
          `insert into payment_events (id, event_id, at, fact) values (${at + 1}, '${id}', ${at}, '{}')`,
      ),
      `insert into payment_refs (payment_event_id, ref) values (1, 'cs_1'), (1, 'in_1'), (2, 'in_1'), (2, 'pi_1'), (3, 'pi_1'), (4, 'in_9')`,
    ]) {
      await sql.raw(statement).execute(db);
    }

    await upgrade();
    expect(await db.selectFrom('checkout_orders').selectAll().execute()).toMatchObject([
      {
        public_id: 'ord_1',
        idempotency_hash: 'i',
        tier: 'agency',
        billing_interval: 'month',
        quantity: 1,
        session_id: 'cs_test_1',
        email: 'b@example.com',
        expires_at: 6,
      },
    ]);
    const events = db.selectFrom('payment_events').select(['event_id', 'purchase_id']);
    expect(await events.orderBy('id').execute()).toEqual([
      { event_id: 'evt_session', purchase_id: 1 },
      { event_id: 'evt_invoice', purchase_id: 1 },
      { event_id: 'evt_refund', purchase_id: 1 },
      { event_id: 'evt_foreign', purchase_id: null },
    ]);
    expect(await db.selectFrom('purchases').select('quantity').execute()).toEqual([
      { quantity: 1 },
    ]);
    await close();
  });
});
