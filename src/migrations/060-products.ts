import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The tiers that were constants before, as plans of the default product. */
const PLANS = [
  ['starter', 'Starter', 1, ['dsar']],
  ['pro', 'Pro', 3, ['dsar', 'retention', 'reporting', 'advanced_integrations']],
  [
    'agency',
    'Agency',
    25,
    ['dsar', 'retention', 'reporting', 'advanced_integrations', 'white_label'],
  ],
] as const;

/** Products with their plans, and the product and feature overrides of each licence. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text, isPostgres } = columnsFor(db);
  await db.schema
    .createTable('products')
    .addColumn('id', idType, id)
    .addColumn('slug', text, (c) => c.notNull().unique())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('current_version', text)
    .addColumn('website', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('plans')
    .addColumn('id', idType, id)
    .addColumn('product_id', integer, (c) => c.notNull().references('products.id'))
    .addColumn('tier', text, (c) => c.notNull())
    .addColumn('label', text, (c) => c.notNull())
    .addColumn('sites_allowed', integer, (c) => c.notNull().check(sql`sites_allowed > 0`))
    .addColumn('features', text, (c) => c.notNull())
    .addColumn('development_sites_free', integer, (c) => c.notNull())
    .addColumn('grace_days', integer, (c) => c.notNull())
    .addColumn('trial_days', integer, (c) => c.notNull())
    .addColumn('prices', text, (c) => c.notNull())
    .addColumn('position', integer, (c) => c.notNull())
    .addColumn('archived_at', integer)
    .addUniqueConstraint('plans_tier', ['product_id', 'tier'])
    .execute();

  // The checksum of a migration needs the same text each time, so the database tells the time.
  const now = isPostgres
    ? sql`cast(extract(epoch from now()) * 1000 as bigint)`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`;
  await sql`insert into products (slug, name, created_at) values ('pavis', 'Pavis', ${now})`.execute(
    db,
  );
  for (const [position, [tier, label, sites, features]] of PLANS.entries()) {
    await sql`insert into plans (product_id, tier, label, sites_allowed, features, development_sites_free,
        grace_days, trial_days, prices, position)
      select id, ${tier}, ${label}, ${sites}, ${JSON.stringify(features)}, 0, 0, 0, '{}', ${position}
      from products where slug = 'pavis'`.execute(db);
  }

  // The default product is the first, with the id 1. SQLite cannot add a reference to an existing table.
  for (const table of ['licences', 'checkout_orders'])
    await db.schema
      .alterTable(table)
      .addColumn('product_id', integer, (c) => c.notNull().defaultTo(1))
      .execute();
  for (const column of ['features_added', 'features_removed'])
    await db.schema
      .alterTable('licences')
      .addColumn(column, text, (c) => c.notNull().defaultTo('[]'))
      .execute();
  await db.schema
    .createIndex('licences_product')
    .on('licences')
    .columns(['product_id', 'tier'])
    .execute();
}

export const products = { up };
