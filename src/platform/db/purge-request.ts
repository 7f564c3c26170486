import { randomUUID } from 'node:crypto';
import type { Db, Trx } from './database.ts';
import { findFact, recordFact } from './installation-facts.ts';

const NAME = 'purge_requested';

/** Requests a purge of the database files, in the transaction that deletes personal data. */
export const requestPurge = (trx: Trx): Promise<void> => recordFact(trx, NAME, randomUUID());

/** The id of the latest request; undefined if none is open. */
export const findPurgeRequest = (db: Db): Promise<string | undefined> => findFact(db, NAME);

/** Completes a request, unless another was made since. */
export async function completePurgeRequest(db: Db, id: string): Promise<void> {
  await db.deleteFrom('installation').where('name', '=', NAME).where('value', '=', id).execute();
}
