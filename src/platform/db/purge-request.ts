import { randomUUID } from 'node:crypto';
import type { Db, Trx } from './database.ts';

const NAME = 'purge_requested';

/** Asks, in the transaction that removes something personal, for a purge of the files after it. */
export async function requestPurge(trx: Trx): Promise<void> {
  const value = randomUUID();
  await trx
    .insertInto('installation')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The mark of the latest request; undefined where there is none. */
export async function findPurgeRequest(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst();
  return row?.value;
}

/** Ends a request, unless another has been made since. */
export async function completePurgeRequest(db: Db, value: string): Promise<void> {
  await db.deleteFrom('installation').where('name', '=', NAME).where('value', '=', value).execute();
}
