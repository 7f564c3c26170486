import { isDeepStrictEqual } from 'node:util';
import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { CATALOGUE_CHANGED } from './cache.ts';
import { type Catalogue, findProduct, type Product } from './rules.ts';
import { lockCatalogue, readCatalogue } from './store.ts';

interface Change {
  event: 'product_changed' | 'plan_changed';
  slug: string;
  details: Readonly<Record<string, unknown>>;
}

/** Makes one change at a time, records it in the security log and announces it to all nodes, unless nothing changed. */
export function changeCatalogue(
  { datastore, clock }: Platform,
  actor: string,
  apply: (trx: Trx, catalogue: Catalogue) => Promise<Change>,
): Promise<Product> {
  return datastore.transaction(async (trx, announce) => {
    await lockCatalogue(trx);
    const before = await readCatalogue(trx);
    const { event, slug, details } = await apply(trx, before);
    const changed = findProduct(await readCatalogue(trx), slug);
    if (!changed) throw new NotFoundError('The product');
    if (isDeepStrictEqual(changed, findProduct(before, slug))) return changed;
    const recorded = { event, actor, details: { product: slug, ...details } };
    await appendSecurityEvent(trx, recorded, clock.now());
    announce(CATALOGUE_CHANGED, slug);
    return changed;
  });
}
