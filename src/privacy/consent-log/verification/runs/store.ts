import type { Selectable, Updateable } from 'kysely';
import { countRows, type Db, type Trx } from '../../../../platform/db/index.ts';
import type { ConsentLogVerificationTable } from './tables.ts';

export type VerificationRow = Selectable<ConsentLogVerificationTable>;

export const findVerification = (db: Db, id: number): Promise<VerificationRow | undefined> =>
  db.selectFrom('consent_log_verifications').selectAll().where('id', '=', id).executeTakeFirst();

/** Verifications, newest first, and how many there are. */
export async function listVerifications(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: VerificationRow[]; total: number }> {
  const rows = await db
    .selectFrom('consent_log_verifications')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total: await countRows(db.selectFrom('consent_log_verifications')) };
}

/** The newest verification that has not ended. */
export const findUnfinishedVerification = (trx: Trx): Promise<VerificationRow | undefined> =>
  trx
    .selectFrom('consent_log_verifications')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

export const insertVerification = (
  trx: Trx,
  { deep, now }: { deep: boolean; now: number },
): Promise<VerificationRow> =>
  trx
    .insertInto('consent_log_verifications')
    .values({ deep: deep ? 1 : 0, started_at: now, last_seen_at: now, done: 0, total: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Deletes all but the newest. */
export async function deleteOldVerifications(trx: Trx, kept: number): Promise<void> {
  await trx
    .deleteFrom('consent_log_verifications')
    .where('id', 'not in', (eb) =>
      eb.selectFrom('consent_log_verifications').select('id').orderBy('id', 'desc').limit(kept),
    )
    .execute();
}

/** Changes a verification that has not ended. */
export async function updateVerification(
  db: Db,
  id: number,
  changes: Updateable<ConsentLogVerificationTable>,
): Promise<void> {
  await db
    .updateTable('consent_log_verifications')
    .set(changes)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
}
