import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { anyContains, countRows, type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import type { VendorTable } from './tables.ts';

/** A company that receives data of visitors. */
export interface Vendor {
  id: number;
  slug: string;
  name: string;
  purpose: string;
  category: string;
  dataCategories: string[];
  defaultRetention: string;
  domains: string[];
  cookies: string[];
  /** The privacy policy as the installation has entered it. */
  privacyUrl: string | null;
  isBuiltin: boolean;
  /** The extension that brought it. */
  extension: string | null;
}

export type VendorFields = Omit<Vendor, 'id' | 'isBuiltin' | 'extension' | 'privacyUrl'> &
  Partial<Pick<Vendor, 'privacyUrl'>>;

type ReadonlyFields = { readonly [Name in keyof VendorFields]: Readonly<VendorFields[Name]> };

const toVendor = (row: Selectable<VendorTable>): Vendor => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  purpose: row.purpose,
  category: row.category,
  dataCategories: JSON.parse(row.data_categories),
  defaultRetention: row.default_retention,
  domains: JSON.parse(row.domains),
  cookies: JSON.parse(row.cookies),
  privacyUrl: row.privacy_url,
  isBuiltin: row.is_builtin === 1,
  extension: row.extension,
});

const toColumns = (fields: Partial<ReadonlyFields>): Updateable<VendorTable> => {
  const columns: Updateable<VendorTable> = {};
  if (fields.slug !== undefined) columns.slug = fields.slug;
  if (fields.name !== undefined) columns.name = fields.name;
  if (fields.purpose !== undefined) columns.purpose = fields.purpose;
  if (fields.category !== undefined) columns.category = fields.category;
  if (fields.defaultRetention !== undefined) columns.default_retention = fields.defaultRetention;
  if (fields.dataCategories) columns.data_categories = JSON.stringify(fields.dataCategories);
  if (fields.domains) columns.domains = JSON.stringify(fields.domains);
  if (fields.cookies) columns.cookies = JSON.stringify(fields.cookies);
  if (fields.privacyUrl !== undefined) columns.privacy_url = fields.privacyUrl;
  return columns;
};

/** Excludes vendors of extensions that are no longer installed. */
const presentVendors = (db: Db | Trx) => db.selectFrom('vendors').where('is_present', '=', 1);

/** A page of the vendors, by name, and how many there are; `search` is looked for in name and slug. */
export async function listVendors(
  db: Db,
  { search, offset, limit }: { search?: string; offset: number; limit: number },
): Promise<{ vendors: Vendor[]; total: number }> {
  let query = presentVendors(db);
  if (search) query = query.where(anyContains(db, ['name', 'slug'], search));
  const total = await countRows(query);
  const rows = await query
    .selectAll()
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute();
  return { vendors: rows.map(toVendor), total };
}

/** What a vendor sets, and its category. */
export type VendorCookies = Pick<Vendor, 'slug' | 'category' | 'cookies'>;

export async function listVendorCookies(db: Db): Promise<VendorCookies[]> {
  const rows = await presentVendors(db).select(['slug', 'category', 'cookies']).execute();
  return rows.map(({ cookies, ...vendor }) => ({ ...vendor, cookies: JSON.parse(cookies) }));
}

export async function listAllVendors(db: Db | Trx): Promise<Vendor[]> {
  return (await presentVendors(db).selectAll().orderBy('id').execute()).map(toVendor);
}

export async function findVendor(db: Db | Trx, id: number): Promise<Vendor | undefined> {
  const row = await presentVendors(db).selectAll().where('id', '=', id).executeTakeFirst();
  return row && toVendor(row);
}

/** @throws if no vendor has the slug */
export async function findVendorBySlug(trx: Trx, slug: string): Promise<Vendor> {
  const query = trx.selectFrom('vendors').selectAll().where('slug', '=', slug);
  return toVendor(await query.executeTakeFirstOrThrow());
}

/** Like `findVendor`, with a row lock until the transaction ends. */
export async function lockVendor(trx: Trx, id: number): Promise<Vendor | undefined> {
  const query = presentVendors(trx).selectAll().where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toVendor(row);
}

/** Like `lockVendor`, for several slugs. The constant order prevents deadlocks of two transactions. */
export async function lockVendorsBySlug(trx: Trx, slugs: readonly string[]): Promise<Vendor[]> {
  if (slugs.length === 0) return [];
  const query = presentVendors(trx).selectAll().where('slug', 'in', slugs).orderBy('id');
  return (await lockRows(trx, query).execute()).map(toVendor);
}

/** Adds a vendor; undefined if its slug is taken. */
export async function insertVendor(
  db: Db | Trx,
  fields: VendorFields,
  now: number,
): Promise<Vendor | undefined> {
  const row = await db
    .insertInto('vendors')
    .values({
      ...toColumns(fields),
      is_builtin: 0,
      created_at: now,
      updated_at: now,
    } as Insertable<VendorTable>)
    .onConflict((conflict) =>
      conflict
        .column('slug')
        // The slug of a hidden vendor, whose extension was removed, is free.
        .doUpdateSet({ ...toColumns(fields), extension: null, is_present: 1, updated_at: now })
        .where('vendors.is_present', '=', 0),
    )
    .returningAll()
    .executeTakeFirst();
  return row && toVendor(row);
}

const RENEWED = [
  'name',
  'purpose',
  'category',
  'data_categories',
  'default_retention',
  'domains',
  'cookies',
] as const;
/** Within the parameters that one statement takes. */
const ROWS_PER_STATEMENT = 50;

/**
 * Adds built-in vendors whose slug is free.
 * @param options.renew whether built-in vendors that the installation has never changed are updated
 */
export async function putBuiltins(
  trx: Trx,
  library: readonly ReadonlyFields[],
  { now, renew }: { now: number; renew: boolean },
): Promise<void> {
  const rows = library.map(
    (fields) =>
      ({
        ...toColumns(fields),
        is_builtin: 1,
        created_at: now,
        updated_at: now,
      }) as Insertable<VendorTable>,
  );
  while (rows.length > 0) {
    await trx
      .insertInto('vendors')
      .values(rows.splice(0, ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        renew
          ? conflict
              .column('slug')
              .doUpdateSet((eb) =>
                Object.fromEntries(RENEWED.map((name) => [name, eb.ref(`excluded.${name}`)])),
              )
              .where('vendors.is_builtin', '=', 1)
              .whereRef('vendors.updated_at', '=', 'vendors.created_at')
          : conflict.column('slug').doNothing(),
      )
      .execute();
  }
}

/** Adds or renews the vendor of an extension; false if the slug is another's. */
export async function putExtensionVendor(
  trx: Trx,
  fields: VendorFields,
  extension: string,
  now: number,
): Promise<boolean> {
  const columns = { ...toColumns(fields), extension, is_present: 1 as const, updated_at: now };
  const row = await trx
    .insertInto('vendors')
    .values({ ...columns, is_builtin: 0, created_at: now } as Insertable<VendorTable>)
    .onConflict((conflict) =>
      conflict.column('slug').doUpdateSet(columns).where('vendors.extension', 'is not', null),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Hides all vendors of extensions. */
export async function hideExtensionVendors(trx: Trx, now: number): Promise<void> {
  await trx
    .updateTable('vendors')
    .set({ is_present: 0, updated_at: now })
    .where('extension', 'is not', null)
    .execute();
}

export async function updateVendor(
  trx: Trx,
  id: number,
  fields: Partial<VendorFields>,
  now: number,
): Promise<Vendor> {
  const row = await trx
    .updateTable('vendors')
    .set({ ...toColumns(fields), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toVendor(row);
}

export async function deleteVendor(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('vendors').where('id', '=', id).execute();
}
