import type { Trx } from '../../../platform/db/index.ts';
import type { Dsar, DsarSite } from '../context.ts';
import { listErasures } from './erasure-list.ts';
import { insertErasure } from './store.ts';
import { unlistUncommitted } from './unlist-uncommitted.ts';

/**
 * Lists an erasure without a request, so that a restored backup repeats it. Called before the transaction that erases,
 * which may run more than once.
 * @param sources the categories of the records
 */
export async function recordErasure(
  dsar: Pick<Dsar, 'platform'> & { site: Pick<DsarSite, 'dataDir'> },
  email: string,
  sources: readonly string[],
): Promise<{ insert(trx: Trx): Promise<void>; withdraw(): Promise<void> }> {
  const listed = await listErasures(
    dsar,
    sources.map((source) => ({ reference: '', source, email, visitorId: null })),
  );
  return {
    async insert(trx) {
      for (const each of listed) await insertErasure(trx, each);
    },
    withdraw: () => unlistUncommitted(dsar, listed),
  };
}
