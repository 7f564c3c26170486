import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../platform/db/index.ts';
import { type Brand, NO_BRAND } from './rules.ts';
import type { BrandingTable } from './tables.ts';

const ID = 1;

export async function readBrand(db: Db | Trx): Promise<Brand> {
  const row = await db.selectFrom('branding').selectAll().where('id', '=', ID).executeTakeFirst();
  return row ? toBrand(row) : NO_BRAND;
}

const toBrand = ({
  id: _id,
  support_url: supportUrl,
  ...same
}: Selectable<BrandingTable>): Brand => ({
  ...same,
  supportUrl,
});

export async function saveBrand(trx: Trx, { supportUrl, ...same }: Brand): Promise<void> {
  const columns = { ...same, support_url: supportUrl };
  await trx
    .insertInto('branding')
    .values({ id: ID, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}
