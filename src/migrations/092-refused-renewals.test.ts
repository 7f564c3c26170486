import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database of before refused renewals were marked on %s', (engine) => {
  it('knows afterwards which renewals were refused', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '092-refused-renewals');
    for (const statement of [
      `insert into customers (id, email, created_at) values (1, 'a@example.com', 1)`,
      `insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at) values (1, 'lic_1', 1, 'live', 'pro', 3, 0, 0, 1, 2)`,
      ...[1, 2, 3].map(
        (id) =>
          `insert into purchases (session_id, licence_id, tier, expires_at, grace_days, is_suspended, is_revoked, renews, replaced) values ('cs_${id}', 1, 'pro', 2, 0, 0, 0, 0, '{}')`,
      ),
      `insert into licence_events (licence_id, at, actor, action, details) values
        (1, 3, 'a', 'renewed', '{"session":"cs_1"}'), (1, 4, 'a', 'renewal_refused', '{"session":"cs_2"}'),
        (1, 5, 'a', 'renewal_refused', '{}')`,
    ]) {
      await sql.raw(statement).execute(db);
    }
    await upgrade();
    const purchases = db.selectFrom('purchases').select(['session_id', 'is_refused']);
    expect(await purchases.orderBy('id').execute()).toEqual([
      { session_id: 'cs_1', is_refused: 0 },
      { session_id: 'cs_2', is_refused: 1 },
      { session_id: 'cs_3', is_refused: 0 },
    ]);
    await close();
  });

  it('no longer takes refunded, refused and replaced purchases for renewed by a subscription', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '092-refused-renewals');
    const purchases: [licence: number, replaced: string | null, isRevoked: number][] = [
      // A purchase with a renewal that was refunded.
      [1, null, 0],
      [1, '{}', 1],
      // A purchase, its renewal, and one that was refused.
      [2, null, 0],
      [2, '{}', 0],
      [2, '{}', 0],
    ];
    for (const statement of [
      `insert into customers (id, email, created_at) values (1, 'a@example.com', 1)`,
      ...[1, 2].map(
        (id) =>
          `insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at) values (${id}, 'lic_${id}', 1, 'live', 'pro', 3, 0, 0, 1, 2)`,
      ),
      ...purchases.map(
        ([licence, replaced, isRevoked], at) =>
          `insert into purchases (session_id, licence_id, tier, expires_at, grace_days, is_suspended, is_revoked, renews, replaced) values ('cs_${at}', ${licence}, 'pro', 2, 0, 0, ${isRevoked}, 1, ${replaced ? `'${replaced}'` : 'null'})`,
      ),
      `insert into licence_events (licence_id, at, actor, action, details) values (2, 4, 'a', 'renewal_refused', '{"session":"cs_4"}')`,
    ]) {
      await sql.raw(statement).execute(db);
    }
    await upgrade();
    const rows = await db.selectFrom('purchases').select('renews').orderBy('id').execute();
    expect(rows.map(({ renews }) => renews)).toEqual([1, 0, 0, 1, 0]);
    await close();
  });
});
