import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database of before suspensions had a cause on %s', (engine) => {
  it('knows afterwards which are by hand and by whom, and which follow from payments', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '045-licence-restrictions');
    const licence = (id: number, suspended: number | null, revoked: number | null) =>
      `insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at, suspended_at, revoked_at) values (${id}, 'lic_${id}', 1, 'live', 'pro', 3, 0, 0, 1, 2, ${suspended}, ${revoked})`;
    const purchase = (id: number, suspended: 0 | 1, revoked: 0 | 1) =>
      `insert into purchases (id, session_id, licence_id, tier, expires_at, grace_days, is_suspended, is_revoked, renews) values (${id}, 'cs_${id}', ${id}, 'pro', 2, 0, ${suspended}, ${revoked}, 1)`;
    const event = (id: number, action: string, actor: string) =>
      `insert into licence_events (licence_id, at, actor, action, details) values (${id}, 5, '${actor}', '${action}', '{}')`;
    for (const statement of [
      `insert into customers (id, email, created_at) values (1, 'a@example.com', 1)`,
      // By hand, with and without a trace.
      licence(1, 7, null),
      event(1, 'suspended', 'console (ada)'),
      licence(2, 7, null),
      // By a payment only; by both; by a payment after a person had lifted theirs.
      licence(3, 7, null),
      purchase(3, 1, 0),
      licence(4, 7, null),
      purchase(4, 1, 0),
      event(4, 'suspended', 'command line (root)'),
      licence(5, 7, null),
      purchase(5, 1, 0),
      event(5, 'suspended', 'console (ada)'),
      event(5, 'reinstated', 'console (ada)'),
      `insert into payment_events (event_id, at, fact, purchase_id) values ('evt_1', 1, '{"kind":"dispute","dispute":"dp_1","outcome":"open"}', 5)`,
      // Revoked by a refund, at once with the purchase; and by hand.
      licence(6, null, 8),
      purchase(6, 0, 1),
      event(6, 'revoked', 'stripe'),
      licence(7, null, 8),
      event(7, 'revoked', 'command line'),
      licence(8, null, null),
    ]) {
      await sql.raw(statement).execute(db);
    }
    await upgrade();
    const rows = await db
      .selectFrom('licence_restrictions')
      .select(['licence_id', 'effect', 'cause', 'purchase_id', 'since', 'actor'])
      .orderBy('licence_id')
      .orderBy('id')
      .execute();
    expect(rows.map((row) => Object.values(row))).toEqual([
      [1, 'suspended', 'manual', null, 7, 'console (ada)'],
      [2, 'suspended', 'manual', null, 7, ''],
      [3, 'suspended', 'unpaid', 3, 7, 'stripe'],
      [4, 'suspended', 'unpaid', 4, 7, 'stripe'],
      [4, 'suspended', 'manual', null, 7, 'command line (root)'],
      [5, 'suspended', 'disputed', 5, 7, 'stripe'],
      [6, 'revoked', 'refunded', 6, 8, 'stripe'],
      [7, 'revoked', 'manual', null, 8, 'command line'],
    ]);
    await close();
  });
});
