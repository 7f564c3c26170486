import { type ListedErasure, unlistErasures, type Writer } from './erasure-list.ts';
import { hasErasure } from './store.ts';

/**
 * Removes erasures of a transaction that was not committed, so that the next start does not do what an administrator may
 * refuse until then. A commit whose answer is lost may have succeeded, so the database is asked. Never throws.
 */
export async function unlistUncommitted(
  dsar: Writer,
  erasures: readonly ListedErasure[],
): Promise<void> {
  const { datastore, log } = dsar.platform;
  const ids = erasures.map(({ id }) => id);
  try {
    if (await hasErasure(datastore.db, ids)) return;
    await unlistErasures(dsar, erasures);
  } catch (err) {
    log.warn({ err }, 'erasures that were not committed stay in the list');
  }
}
