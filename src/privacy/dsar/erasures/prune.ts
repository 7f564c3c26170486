import type { Dsar } from '../context.ts';
import { pruneErasures } from './erasure-list.ts';
import { deleteErasures } from './store.ts';

/** No backup is older than this: see docs/guides/backup.md. */
const YEARS = 3;
const YEAR_MS = 366 * 86_400_000;

/** Takes erasures off the list that no backup can bring back any more. */
export async function pruneOldErasures(dsar: Dsar): Promise<void> {
  const { datastore, clock } = dsar.platform;
  const before = clock.now() - YEARS * YEAR_MS;
  await pruneErasures(dsar, before);
  await deleteErasures(datastore.db, before);
}
