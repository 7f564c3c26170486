import type { Db, Trx } from '../../../platform/db/index.ts';
import { findActorId } from '../actor.ts';
import type { Licence } from '../rules.ts';
import { updateLicence } from '../store.ts';
import type { Restriction, RestrictionEffect } from './rules.ts';

/** Oldest first. */
export async function listRestrictions(db: Db | Trx, licenceId: number): Promise<Restriction[]> {
  const rows = await db
    .selectFrom('licence_restrictions')
    .selectAll()
    .where('licence_id', '=', licenceId)
    .orderBy('id')
    .execute();
  return rows.map(({ effect, cause, purchase_id, since, actor }) => ({
    effect,
    cause,
    purchaseId: purchase_id,
    since,
    actor,
  }));
}

/** Adds a restriction, or updates the cause of one with the same effect and purchase. */
export async function addRestriction(
  trx: Trx,
  licenceId: number,
  { effect, cause, purchaseId, since, actor }: Restriction,
): Promise<Licence> {
  if (!(await changeCause(trx, licenceId, { effect, cause, purchaseId }))) {
    await trx
      .insertInto('licence_restrictions')
      .values({
        licence_id: licenceId,
        effect,
        cause,
        purchase_id: purchaseId,
        since,
        actor,
        actor_id: findActorId(actor),
      })
      .execute();
  }
  return writeMoments(trx, licenceId);
}

/** Updates the cause of a restriction. @returns false if there is none */
export async function changeCause(
  trx: Trx,
  licenceId: number,
  { effect, cause, purchaseId }: Pick<Restriction, 'effect' | 'cause' | 'purchaseId'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('licence_restrictions')
    .set({ cause })
    .where('licence_id', '=', licenceId)
    .where('effect', '=', effect)
    .where('purchase_id', purchaseId === null ? 'is' : '=', purchaseId)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) > 0;
}

/** Lifts the restrictions of an effect: all, or those of one purchase. */
export async function liftRestrictions(
  trx: Trx,
  licenceId: number,
  { effect, purchaseId }: { effect: RestrictionEffect; purchaseId?: number },
): Promise<Licence> {
  let query = trx
    .deleteFrom('licence_restrictions')
    .where('licence_id', '=', licenceId)
    .where('effect', '=', effect);
  if (purchaseId !== undefined) query = query.where('purchase_id', '=', purchaseId);
  await query.execute();
  return writeMoments(trx, licenceId);
}

/** Copies the first moments to the row of the licence, which is all that validation reads. */
async function writeMoments(trx: Trx, licenceId: number): Promise<Licence> {
  const all = await listRestrictions(trx, licenceId);
  const since = (wanted: RestrictionEffect): number | null => {
    const moments = all.flatMap(({ effect, since: at }) => (effect === wanted ? [at] : []));
    return moments.length > 0 ? Math.min(...moments) : null;
  };
  return updateLicence(trx, licenceId, {
    suspended_at: since('suspended'),
    revoked_at: since('revoked'),
  });
}
