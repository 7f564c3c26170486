import type { Insertable, Selectable, Updateable } from 'kysely';
import { type Db, lockName, type Trx } from '../../platform/db/index.ts';
import type { Verdict } from './rules.ts';
import type { SiteLicenceTable } from './tables.ts';

const ONLY = 1;

/** Moments are epoch milliseconds. */
export interface SiteLicence extends Omit<Selectable<SiteLicenceTable>, 'verdict'> {
  verdict: Verdict | null;
}

export async function readSiteLicence(db: Db | Trx): Promise<SiteLicence | undefined> {
  const row = await db
    .selectFrom('site_licence')
    .selectAll()
    .where('id', '=', ONLY)
    .executeTakeFirst();
  return row && { ...row, verdict: row.verdict === null ? null : JSON.parse(row.verdict) };
}

/** One change at a time: of two keys that are saved at once, the first is the former key of the second. */
export const lockSiteLicence = (trx: Trx): Promise<void> => lockName(trx, 'site_licence');

export async function replaceSiteLicence(
  trx: Trx,
  row: Omit<Insertable<SiteLicenceTable>, 'id'>,
): Promise<void> {
  await trx
    .insertInto('site_licence')
    .values({ id: ONLY, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Records a check, unless the key was replaced meanwhile. */
export async function recordCheck(
  db: Db,
  { key_hash, site }: SiteLicence,
  changes: Updateable<SiteLicenceTable>,
): Promise<void> {
  await db
    .updateTable('site_licence')
    .set(changes)
    .where('key_hash', '=', key_hash)
    .where('site', '=', site)
    .execute();
}

export async function deleteSiteLicence(trx: Trx): Promise<void> {
  await trx.deleteFrom('site_licence').execute();
}

export async function insertPendingDeactivation(
  trx: Trx,
  { sealed_key, key_hash, site }: SiteLicence,
  now: number,
): Promise<void> {
  const values = { sealed_key, key_hash, site, created_at: now };
  await trx.insertInto('site_farewells').values(values).execute();
}

/** Oldest first. */
export const listPendingDeactivations = (db: Db | Trx) =>
  db.selectFrom('site_farewells').selectAll().orderBy('id').execute();

export async function deletePendingDeactivation(db: Db | Trx, id: number): Promise<void> {
  await db.deleteFrom('site_farewells').where('id', '=', id).execute();
}
