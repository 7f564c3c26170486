import type { Insertable, Selectable } from 'kysely';
import type { Db, Trx } from '../../platform/db/index.ts';
import type { Licence } from '../licences/index.ts';
import type { ActivationTable } from './tables.ts';

/** A site's use of a licence; moments in epoch milliseconds. */
export interface Activation {
  id: number;
  siteKey: string;
  siteUrl: string;
  takesSlot: boolean;
  activatedAt: number;
  deactivatedAt: number | null;
}

export interface LicenceUse {
  sitesUsed: number;
  firstActivatedAt: number | null;
}

const toActivation = (row: Selectable<ActivationTable>): Activation => ({
  id: row.id,
  siteKey: row.site_key,
  siteUrl: row.site_url,
  takesSlot: row.takes_slot === 1,
  activatedAt: row.activated_at,
  deactivatedAt: row.deactivated_at,
});

/** The activations in use. */
export async function listInUse(db: Db | Trx, licenceId: number): Promise<Activation[]> {
  const rows = await db
    .selectFrom('activations')
    .selectAll()
    .where('licence_id', '=', licenceId)
    .where('deactivated_at', 'is', null)
    .execute();
  return rows.map(toActivation);
}

/** The whole history, oldest first. */
export async function listActivations(db: Db | Trx, licenceId: number): Promise<Activation[]> {
  const rows = await db
    .selectFrom('activations')
    .selectAll()
    .where('licence_id', '=', licenceId)
    .orderBy('id')
    .execute();
  return rows.map(toActivation);
}

/** The history as far as it is the present customer's, oldest first: what ended before a transfer is not. */
export async function listOwnActivations(
  db: Db | Trx,
  { id, transferredAt }: Pick<Licence, 'id' | 'transferredAt'>,
): Promise<Activation[]> {
  const all = await listActivations(db, id);
  return transferredAt === null
    ? all
    : all.filter(({ deactivatedAt }) => deactivatedAt === null || deactivatedAt > transferredAt);
}

export async function wasEverActivated(
  trx: Trx,
  licenceId: number,
  siteKey: string,
): Promise<boolean> {
  const row = await trx
    .selectFrom('activations')
    .select('id')
    .where('licence_id', '=', licenceId)
    .where('site_key', '=', siteKey)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertActivation(
  trx: Trx,
  values: Insertable<ActivationTable>,
): Promise<Activation> {
  const row = await trx
    .insertInto('activations')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toActivation(row);
}

export async function markDeactivated(trx: Trx, id: number, at: number): Promise<void> {
  await trx.updateTable('activations').set({ deactivated_at: at }).where('id', '=', id).execute();
}

/** Writes down whether an activation takes a slot. */
export async function markSlot(trx: Trx, id: number, takesSlot: boolean): Promise<void> {
  await trx
    .updateTable('activations')
    .set({ takes_slot: takesSlot ? 1 : 0 })
    .where('id', '=', id)
    .execute();
}

/** How many slots each licence uses, and since when it is in use at all. */
export async function listUse(db: Db, licenceIds: number[]): Promise<Map<number, LicenceUse>> {
  if (licenceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('activations')
    .select(({ fn, eb }) => [
      'licence_id',
      fn.min('activated_at').as('first_activated_at'),
      fn
        .sum<number>(
          eb
            .case()
            .when(eb.and([eb('deactivated_at', 'is', null), eb('takes_slot', '=', 1)]))
            .then(1)
            .else(0)
            .end(),
        )
        .as('sites_used'),
    ])
    .where('licence_id', 'in', licenceIds)
    .groupBy('licence_id')
    .execute();
  return new Map(
    rows.map((row) => [
      row.licence_id,
      { sitesUsed: Number(row.sites_used), firstActivatedAt: row.first_activated_at },
    ]),
  );
}
