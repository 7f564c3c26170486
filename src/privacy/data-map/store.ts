import type { Insertable, Selectable } from 'kysely';
import { anyContains, countRows, type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import type { Asked } from '../settings/index.ts';
import type { DataMapEntryTable } from './tables.ts';

/** A processing activity of a vendor. */
export interface Entry extends Omit<Selectable<DataMapEntryTable>, 'data_categories'> {
  data_categories: string[];
  vendor_name: string;
  vendor_slug: string;
}

type Written = Omit<Entry, 'id' | 'vendor_name' | 'vendor_slug' | 'created_at' | 'updated_at'>;
/** Undefined: unchanged. */
export type EntryFields = { [K in keyof Written]?: Written[K] | undefined };

export interface EntryFilter {
  status?: string;
  legalBasis?: string;
  /** Part of the purpose, or of the name or slug of the vendor. */
  search?: string;
  /** `YYYY-MM-DD`, inclusive. */
  reviewUntil?: string;
  /** `YYYY-MM-DD`, exclusive. */
  reviewBefore?: string;
}

type Row = Omit<Entry, 'data_categories'> & { data_categories: string };

const toEntry = (row: Row): Entry => ({ ...row, data_categories: JSON.parse(row.data_categories) });

const toColumns = ({ data_categories, ...fields }: EntryFields) => ({
  ...fields,
  data_categories: data_categories && JSON.stringify(data_categories),
});

const entriesWithVendors = (db: Db | Trx) =>
  db
    .selectFrom('data_map_entries as entry')
    .innerJoin('vendors', 'vendors.id', 'entry.vendor_id')
    .selectAll('entry')
    .select(['vendors.name as vendor_name', 'vendors.slug as vendor_slug']);

/** Entries, newest first, and their total. */
export async function listEntries(
  db: Db,
  { offset, limit, ...filter }: EntryFilter & { offset: number; limit: number },
): Promise<{ entries: Entry[]; total: number }> {
  const { status, legalBasis, search, reviewUntil, reviewBefore } = filter;
  let query = entriesWithVendors(db);
  if (status !== undefined) query = query.where('entry.status', '=', status);
  if (legalBasis !== undefined) query = query.where('entry.legal_basis', '=', legalBasis);
  if (reviewUntil !== undefined) query = query.where('entry.review_date', '<=', reviewUntil);
  if (reviewBefore !== undefined) query = query.where('entry.review_date', '<', reviewBefore);
  if (search)
    query = query.where(anyContains(db, ['entry.purpose', 'vendors.name', 'vendors.slug'], search));
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.orderBy('entry.id', 'desc').offset(offset).limit(limit).execute();
  return { entries: rows.map(toEntry), total: Number(total) };
}

/** Locks an entry until the transaction ends, so that two changes of it follow each other. */
export async function lockEntry(trx: Trx, id: number): Promise<void> {
  const query = trx.selectFrom('data_map_entries').select('id').where('id', '=', id);
  await lockRows(trx, query).execute();
}

export async function findEntry(db: Db | Trx, id: number): Promise<Entry | undefined> {
  const row = await entriesWithVendors(db).where('entry.id', '=', id).executeTakeFirst();
  return row && toEntry(row);
}

/** All entries, oldest first. */
export async function listAllEntries(db: Db): Promise<Entry[]> {
  const rows = await entriesWithVendors(db).orderBy('entry.id').execute();
  return rows.map(toEntry);
}

/** All active entries, newest first. */
export async function listActiveEntries(db: Db): Promise<Entry[]> {
  const query = entriesWithVendors(db).where('entry.status', '=', 'active');
  const rows = await query.orderBy('entry.id', 'desc').execute();
  return rows.map(toEntry);
}

/** The ids of the vendors that have an active entry. */
export async function listActiveVendorIds(db: Db | Trx): Promise<Set<number>> {
  const rows = await db
    .selectFrom('data_map_entries')
    .select('vendor_id')
    .distinct()
    .where('status', '=', 'active')
    .execute();
  return new Set(rows.map(({ vendor_id }) => vendor_id));
}

/** The vendors and purposes that need consent, sorted. */
export async function readAskedOfVisitors(db: Db | Trx): Promise<Asked> {
  const rows = await db
    .selectFrom('data_map_entries')
    .innerJoin('vendors', 'vendors.id', 'data_map_entries.vendor_id')
    .select(['vendors.slug', 'vendors.name', 'data_map_entries.purpose'])
    .where('data_map_entries.status', '=', 'active')
    .where('data_map_entries.legal_basis', '=', 'consent')
    .orderBy('vendors.slug')
    .execute();
  const names = new Map(rows.map(({ slug, name }) => [slug, name]));
  return {
    vendors: [...names].map(([slug, name]) => ({ slug, name })),
    purposes: [...new Set(rows.map(({ purpose }) => purpose))].sort(),
  };
}

export const countEntriesOfVendor = (trx: Trx, vendorId: number): Promise<number> =>
  countRows(trx.selectFrom('data_map_entries').where('vendor_id', '=', vendorId));

export async function insertEntry(trx: Trx, fields: EntryFields, now: number): Promise<number> {
  const values = { ...toColumns(fields), created_at: now, updated_at: now };
  const { id } = await trx
    .insertInto('data_map_entries')
    .values(values as Insertable<DataMapEntryTable>)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateEntry(
  trx: Trx,
  id: number,
  fields: EntryFields,
  now: number,
): Promise<void> {
  await trx
    .updateTable('data_map_entries')
    .set({ ...toColumns(fields), updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** @returns whether it existed; true for only one of two simultaneous calls */
export async function deleteEntry(trx: Trx, id: number): Promise<boolean> {
  const query = trx.deleteFrom('data_map_entries').where('id', '=', id);
  return (await query.returning('id').executeTakeFirst()) !== undefined;
}
