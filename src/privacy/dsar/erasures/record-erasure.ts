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
 * Reads the list of erasures.
 * @returns a function that says whether records of a category of a person were erased at or after a moment, in epoch
 *   milliseconds, also if a restored database does not have the erasure
 */
export async function readErasureCheck(
  dsar: Writer,
): Promise<(about: { email: string; source: string; since: number }) => boolean> {
  const listed = await readErasures(dsar);
  return ({ email, source, since }) => {
    const hash = hashErased(dsar, 'email', email);
    return listed.some(
      (each) => each.email === hash && each.source === source && Date.parse(each.at) >= since,
    );
  };
}
