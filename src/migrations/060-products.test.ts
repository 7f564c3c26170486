import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database from before products on %s', (engine) => {
  it('keeps its licences and orders, which get the default product', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '060-products');
    await sql`insert into customers (id, email, created_at) values (1, 'a@example.com', 1)`.execute(
      db,
    );
    for (const [id, tier] of [
      [1, 'starter'],
      [2, 'pro'],
      [3, 'agency'],
    ] as const)
      await sql`insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, issued_at, expires_at)
        values (${id}, ${`lic_${id}`}, 1, 'live', ${tier}, 7, 1, 2)`.execute(db);
    await upgrade();
    const rows = await db
      .selectFrom('licences')
      .innerJoin('products', 'products.id', 'licences.product_id')
      .innerJoin('plans', (join) =>
        join
          .onRef('plans.product_id', '=', 'licences.product_id')
          .onRef('plans.tier', '=', 'licences.tier'),
      )
      .select(['licences.public_id', 'products.slug', 'plans.label', 'licences.sites_allowed'])
      .select(['licences.features_added', 'licences.features_removed'])
      .orderBy('licences.id')
      .execute();
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['lic_1', 'pavis', 'Starter', 7, '[]', '[]'],
      ['lic_2', 'pavis', 'Pro', 7, '[]', '[]'],
      ['lic_3', 'pavis', 'Agency', 7, '[]', '[]'],
    ]);
    // The next product gets an id of its own.
    await sql`insert into products (slug, name, created_at) values ('other', 'Other', 1)`.execute(
      db,
    );
    const ids = await db.selectFrom('products').select('id').orderBy('id').execute();
    expect(ids).toEqual([{ id: 1 }, { id: 2 }]);
    await close();
  });
});
