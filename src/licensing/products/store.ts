import type { Insertable, Selectable, Updateable } from 'kysely';
import { type Db, lockName, type Trx } from '../../platform/db/index.ts';
import { toCamelCase } from '../../platform/key-case.ts';
import type { Catalogue, Plan, Product } from './rules.ts';
import type { PlanTable, ProductTable } from './tables.ts';

const toPlan = ({ product_id: _, ...row }: Selectable<PlanTable>): Plan => ({
  ...toCamelCase(row),
  features: JSON.parse(row.features),
  developmentSitesFree: row.development_sites_free === 1,
  trialWithoutCard: row.trial_without_card === 1,
  prices: JSON.parse(row.prices),
  formerPrices: JSON.parse(row.former_prices),
});

/** All products with their plans. Transactions read them here, other work in the cache. */
export async function readCatalogue(db: Db | Trx): Promise<Catalogue> {
  const products = await db.selectFrom('products').selectAll().orderBy('id').execute();
  const plans = await db
    .selectFrom('plans')
    .selectAll()
    .orderBy('position')
    .orderBy('id')
    .execute();
  return products.map(
    ({ website, ...row }): Product => ({
      ...toCamelCase(row),
      siteUrl: website,
      plans: plans.filter(({ product_id }) => product_id === row.id).map(toPlan),
    }),
  );
}

/** Serialises changes of the catalogue. */
export const lockCatalogue = (trx: Trx): Promise<void> => lockName(trx, 'catalogue');

export async function insertProduct(trx: Trx, values: Insertable<ProductTable>): Promise<void> {
  await trx.insertInto('products').values(values).execute();
}

export async function updateProductRow(
  trx: Trx,
  id: number,
  values: Updateable<ProductTable>,
): Promise<void> {
  await trx.updateTable('products').set(values).where('id', '=', id).execute();
}

export async function insertPlan(trx: Trx, values: Insertable<PlanTable>): Promise<void> {
  await trx.insertInto('plans').values(values).execute();
}

export async function updatePlanRow(
  trx: Trx,
  id: number,
  values: Updateable<PlanTable>,
): Promise<void> {
  await trx.updateTable('plans').set(values).where('id', '=', id).execute();
}

/** The number of licences of each plan. */
export async function countLicences(
  db: Db,
): Promise<(product: { id: number }, plan: { tier: string }) => number> {
  const rows = await db
    .selectFrom('licences')
    .select(({ fn }) => ['product_id', 'tier', fn.countAll<number>().as('licences')])
    .groupBy(['product_id', 'tier'])
    .execute();
  const counts = new Map(
    rows.map(({ product_id, tier, licences }) => [`${product_id} ${tier}`, Number(licences)]),
  );
  return ({ id }, { tier }) => counts.get(`${id} ${tier}`) ?? 0;
}
