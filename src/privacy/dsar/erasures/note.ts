import type { Trx } from '../../../platform/db/index.ts';
import type { Dsar, DsarSite } from '../site.ts';
import { listErasure } from './list.ts';
import { insertErasure } from './store.ts';

/**
 * Lists what is erased of a person without a request, so that a database that is restored from an
 * earlier backup loses it again. The transaction is the one that erases it, and may no longer be refused.
 * @param sources the categories of the records
 */
export async function noteErasure(
  dsar: Pick<Dsar, 'platform'> & { site: Pick<DsarSite, 'dataDir'> },
  trx: Trx,
  email: string,
  sources: readonly string[],
): Promise<void> {
  for (const source of sources) {
    const erasure = { reference: '', source, email, visitorId: null };
    await insertErasure(trx, await listErasure(dsar, erasure));
  }
}
