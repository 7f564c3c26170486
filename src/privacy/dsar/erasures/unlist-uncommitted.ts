import type { Datastore } from '../../../platform/db/index.ts';
import { type ListedErasure, unlistErasures, type Writer } from './erasure-list.ts';
import { insertErasure } from './store.ts';

/**
 * Removes erasures of a transaction that was not committed, so that the next start does not do what an administrator may
 * refuse until then. A commit that fails may have been made, or be made later, so the database is asked. Erasures stay in
 * the list while it does not tell: the next start repeats those that were neither made nor done again. Never throws.
 */
export async function unlistUncommitted(
  dsar: Writer,
  erasures: readonly ListedErasure[],
): Promise<void> {
  const { datastore, log } = dsar.platform;
  try {
    if (await isCommitted(datastore, erasures)) return;
    await unlistErasures(dsar, erasures);
  } catch (err) {
    log.warn({ err }, 'erasures that may not have been committed stay in the list');
  }
}

/**
 * Inserts the erasures and rolls back, because the unique index waits for a commit that is under way. Reading would not
 * find its rows, which a commit shows only after a stalled standby has confirmed it.
 * @throws DomainError `service_unavailable` if that takes too long
 */
async function isCommitted(
  datastore: Datastore,
  erasures: readonly ListedErasure[],
): Promise<boolean> {
  const rollback = new Error('rolled back');
  let isKnown = false;
  const asking = datastore.transaction(async (trx) => {
    for (const each of erasures) if (!(await insertErasure(trx, each))) isKnown = true;
    throw rollback;
  });
  await asking.catch((error) => {
    if (error !== rollback) throw error;
  });
  return isKnown;
}
