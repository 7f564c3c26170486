import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database of before customers had transfers on %s', (engine) => {
  it('knows afterwards when a licence was last transferred away from each customer', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '090-customer-transfers');
    for (const statement of [
      ...[1, 2, 3].map(
        (id) =>
          `insert into customers (id, email, created_at, active_until) values (${id}, 'a${id}@example.com', 1, 5)`,
      ),
      `insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at) values (1, 'lic_1', 3, 'live', 'pro', 3, 0, 0, 1, 9)`,
      `insert into licence_events (licence_id, at, actor, action, details) values
        (1, 3, 'a', 'transferred', '{"from_customer":1,"to_customer":2}'), (1, 4, 'a', 'transferred', '{"from_customer":2,"to_customer":1}'),
        (1, 7, 'a', 'transferred', '{"from_customer":1,"to_customer":3}'), (1, 8, 'a', 'transferred', '{}'), (1, 9, 'a', 'extended', '{}')`,
    ]) {
      await sql.raw(statement).execute(db);
    }
    await upgrade();
    const customers = db.selectFrom('customers').select(['id', 'transferred_at', 'active_until']);
    expect(await customers.orderBy('id').execute()).toEqual([
      { id: 1, transferred_at: 7, active_until: 7 },
      { id: 2, transferred_at: 4, active_until: 5 },
      { id: 3, transferred_at: null, active_until: 5 },
    ]);
    await close();
  });
});
