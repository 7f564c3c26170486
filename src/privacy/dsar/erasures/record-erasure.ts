import type { Trx } from '../../../platform/db/index.ts';
import { hashErased, listErasures, readErasures, type Writer } from './erasure-list.ts';
import { insertErasure } from './store.ts';
import { unlistUncommitted } from './unlist-uncommitted.ts';

/**
 * Lists an erasure without a request, so that a restored backup repeats it. Called before the transaction that erases,
 * which may run more than once.
 * @param sources the categories of the records
 */
export async function recordErasure(
  dsar: Writer,
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

/**
 * Whether records of a person were erased at or after a moment, also if a restored database does not have the erasure.
 * @param source the category of the records
 * @param since epoch milliseconds
 */
export async function wasErased(
  dsar: Writer,
  { email, source, since }: { email: string; source: string; since: number },
): Promise<boolean> {
  const hash = hashErased(dsar, 'email', email);
  const listed = await readErasures(dsar);
  return listed.some(
    (each) => each.email === hash && each.source === source && Date.parse(each.at) >= since,
  );
}
