import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

const PURCHASE =
  'insert into purchases (session_id, licence_id, tier, expires_at, grace_days, is_suspended, is_revoked, renews) values';

describe.each(ENGINES)('A database of before renewals on %s', (engine) => {
  it('keeps its purchases and what refers to them, and takes several of one licence', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '047-renewals');
    const execute = (statement: string) => sql.raw(statement).execute(db);
    for (const statement of [
      `insert into customers (id, email, created_at) values (1, 'a@example.com', 1)`,
      `insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at) values (1, 'lic_1', 1, 'live', 'pro', 3, 0, 0, 1, 2)`,
      `${PURCHASE} ('cs_1', 1, 'pro', 2, 0, 0, 0, 1)`,
      `insert into payment_events (event_id, at, fact, purchase_id) values ('evt_1', 1, '{}', 1), ('evt_2', 2, '{}', null)`,
      `delete from payment_events where event_id = 'evt_2'`,
      `insert into payment_refs (payment_event_id, ref) values (1, 'cs_1')`,
    ]) {
      await execute(statement);
    }

    await upgrade();
    await execute(`${PURCHASE} ('cs_2', 1, 'agency', 9, 0, 0, 0, 1)`);
    const purchases = db.selectFrom('purchases').select(['id', 'session_id', 'licence_id']);
    expect(await purchases.orderBy('id').execute()).toEqual([
      { id: 1, session_id: 'cs_1', licence_id: 1 },
      { id: 2, session_id: 'cs_2', licence_id: 1 },
    ]);
    await expect(execute(`${PURCHASE} ('cs_2', 1, 'pro', 9, 0, 0, 0, 1)`)).rejects.toThrow();
    // An id is never given twice.
    await execute(
      `insert into payment_events (event_id, at, fact, purchase_id) values ('evt_3', 3, '{}', 2)`,
    );
    const events = db.selectFrom('payment_events').select(['id', 'purchase_id']).orderBy('id');
    expect(await events.execute()).toEqual([
      { id: 1, purchase_id: 1 },
      { id: 3, purchase_id: 2 },
    ]);
    await expect(
      execute(`insert into payment_refs (payment_event_id, ref) values (99, 'cs_9')`),
    ).rejects.toThrow();
    await expect(
      execute(
        `insert into payment_events (event_id, at, fact, purchase_id) values ('evt_9', 3, '{}', 99)`,
      ),
    ).rejects.toThrow();
    if (engine === 'sqlite') {
      expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([]);
    }
    await close();
  });
});
