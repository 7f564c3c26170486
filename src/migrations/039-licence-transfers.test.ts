import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database of before transfers had a date on %s', (engine) => {
  it('knows afterwards since when each licence has its customer', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '039-licence-transfers');
    for (const statement of [
      `insert into customers (id, email, created_at) values (1, 'a@example.com', 1)`,
      ...[1, 2].map(
        (id) =>
          `insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at) values (${id}, 'lic_${id}', 1, 'live', 'pro', 3, 0, 0, 1, 2)`,
      ),
      `insert into licence_events (licence_id, at, actor, action, details) values (1, 3, 'a', 'transferred', '{}'), (1, 7, 'a', 'transferred', '{}'), (1, 9, 'a', 'extended', '{}'), (2, 8, 'a', 'issued', '{}')`,
    ]) {
      await sql.raw(statement).execute(db);
    }
    await upgrade();
    const licences = db.selectFrom('licences').select(['public_id', 'transferred_at']);
    expect(await licences.orderBy('id').execute()).toEqual([
      { public_id: 'lic_1', transferred_at: 7 },
      { public_id: 'lic_2', transferred_at: null },
    ]);
    await close();
  });
});
