import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../platform/db/index.ts';
import { toCamelCase } from '../../platform/key-case.ts';
import type { Licence } from '../licences/index.ts';
import type { ActivationTable } from './tables.ts';

export type Activation = ReturnType<typeof toActivation>;

const toActivation = (row: Selectable<ActivationTable>) => ({
  ...toCamelCase(row),
  takesSlot: row.takes_slot === 1,
});

/** The active activations. */
export async function listInUse(db: Db, licenceId: number): Promise<Activation[]> {
  const rows = await db
    .selectFrom('activations')
    .selectAll()
    .where('licence_id', '=', licenceId)
    .where('deactivated_at', 'is', null)
    .execute();
  return rows.map(toActivation);
}

export const countSlotsInUse = async (db: Db, licenceId: number): Promise<number> =>
  (await listInUse(db, licenceId)).filter(({ takesSlot }) => takesSlot).length;

/** The whole history, oldest first. */
export async function listActivations(db: Db, licenceId: number): Promise<Activation[]> {
  const rows = await db
    .selectFrom('activations')
    .selectAll()
    .where('licence_id', '=', licenceId)
    .orderBy('id')
    .execute();
  return rows.map(toActivation);
}

/** The active sites of a customer's licences, newest first, with the identifier of their licence. */
export async function listSitesOfCustomer(
  db: Db,
  customerId: number,
): Promise<(Activation & { licence: string })[]> {
  const rows = await db
    .selectFrom('activations')
    .innerJoin('licences', 'licences.id', 'activations.licence_id')
    .selectAll('activations')
    .select('licences.public_id as licence')
    .where('licences.customer_id', '=', customerId)
    .where('deactivated_at', 'is', null)
    .orderBy('activated_at', 'desc')
    .orderBy('activations.id', 'desc')
    .execute();
  return rows.map(({ licence, ...row }) => ({ ...toActivation(row), licence }));
}

/** The history without activations that ended before a transfer, oldest first. */
export async function listOwnActivations(
  db: Db,
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

export async function markSlot(trx: Trx, id: number, takesSlot: boolean): Promise<void> {
  await trx
    .updateTable('activations')
    .set({ takes_slot: takesSlot ? 1 : 0 })
    .where('id', '=', id)
    .execute();
}

/** The slots that each licence uses, and its first activation. */
export async function listUse(
  db: Db,
  licenceIds: number[],
): Promise<Map<number, { sitesUsed: number; firstActivatedAt: number | null }>> {
  if (licenceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('activations')
    .select(({ fn }) => [
      'licence_id',
      fn.min('activated_at').as('first_activated_at'),
      sql<number>`sum(case when deactivated_at is null then takes_slot else 0 end)`.as(
        'sites_used',
      ),
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
