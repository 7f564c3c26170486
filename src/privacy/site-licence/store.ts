import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db, Trx } from '../../platform/db/index.ts';
import type { Verdict } from './rules.ts';
import type { SiteLicenceTable } from './tables.ts';

const ONLY = 1;

/** The licence of the site; moments in epoch milliseconds. */
export interface SiteLicence {
  sealedKey: string;
  keyHash: string;
  maskedKey: string;
  siteUrl: string;
  isActivated: boolean;
  verdict: Verdict | null;
  checkedAt: number | null;
  triedAt: number;
  failingSince: number | null;
}

const toSiteLicence = (row: Selectable<SiteLicenceTable>): SiteLicence => ({
  sealedKey: row.sealed_key,
  keyHash: row.key_hash,
  maskedKey: row.masked_key,
  siteUrl: row.site,
  isActivated: row.is_activated === 1,
  verdict: row.verdict === null ? null : (JSON.parse(row.verdict) as Verdict),
  checkedAt: row.checked_at,
  triedAt: row.tried_at,
  failingSince: row.failing_since,
});

export async function readSiteLicence(db: Db | Trx): Promise<SiteLicence | undefined> {
  const row = await db
    .selectFrom('site_licence')
    .selectAll()
    .where('id', '=', ONLY)
    .executeTakeFirst();
  return row && toSiteLicence(row);
}

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
  { keyHash, siteUrl }: SiteLicence,
  changes: Updateable<SiteLicenceTable>,
): Promise<void> {
  await db
    .updateTable('site_licence')
    .set(changes)
    .where('key_hash', '=', keyHash)
    .where('site', '=', siteUrl)
    .execute();
}

export async function deleteSiteLicence(trx: Trx): Promise<void> {
  await trx.deleteFrom('site_licence').execute();
}

export interface PendingDeactivation {
  id: number;
  sealedKey: string;
  keyHash: string;
  siteUrl: string;
}

export async function insertPendingDeactivation(
  trx: Trx,
  { sealedKey, keyHash, siteUrl }: SiteLicence,
  now: number,
): Promise<void> {
  await trx
    .insertInto('site_farewells')
    .values({ sealed_key: sealedKey, key_hash: keyHash, site: siteUrl, created_at: now })
    .execute();
}

/** Oldest first. */
export async function listPendingDeactivations(db: Db): Promise<PendingDeactivation[]> {
  const rows = await db.selectFrom('site_farewells').selectAll().orderBy('id').execute();
  return rows.map((row) => ({
    id: row.id,
    sealedKey: row.sealed_key,
    keyHash: row.key_hash,
    siteUrl: row.site,
  }));
}

export async function deletePendingDeactivation(db: Db, id: number): Promise<void> {
  await db.deleteFrom('site_farewells').where('id', '=', id).execute();
}

export async function cancelPendingDeactivations(
  trx: Trx,
  { keyHash, siteUrl }: Pick<SiteLicence, 'keyHash' | 'siteUrl'>,
): Promise<void> {
  await trx
    .deleteFrom('site_farewells')
    .where('key_hash', '=', keyHash)
    .where('site', '=', siteUrl)
    .execute();
}
