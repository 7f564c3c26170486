import { SnapshotCache } from '../../platform/cache/snapshot-cache.ts';
import type { CorePlatform } from '../../platform/deps.ts';
import { type Catalogue, hasPlan } from './rules.ts';
import { readCatalogue } from './store.ts';

/** Topic of changes to products and plans. */
export const CATALOGUE_CHANGED = 'catalogue';

const ALL = '';
const LIMITS = { max: 1, ttl: 5 * 60_000 };

/**
 * The products and plans, kept in memory. A change on any node invalidates them. Transactions call `readCatalogue`
 * instead, because SQLite has one connection.
 */
export class CatalogueCache {
  readonly #cache: SnapshotCache<Catalogue>;

  constructor({ datastore, clock }: Pick<CorePlatform, 'datastore' | 'clock'>) {
    // Validation needs it as well, so it uses connections that other requests cannot use up.
    const { db } = datastore.bulkhead('hot');
    this.#cache = new SnapshotCache(() => readCatalogue(db), {
      found: LIMITS,
      missing: LIMITS,
      clock,
    });
    datastore.onChange(CATALOGUE_CHANGED, () => this.#cache.clear());
  }

  /**
   * @param needed plans that were read from the database. The announcement of a new plan may arrive later than its
   *   first licence, so a plan that is missing is read again.
   */
  async read(needed: readonly { productId: number; tier: string }[] = []): Promise<Catalogue> {
    const known = await this.#cache.get(ALL);
    if (known && needed.every((plan) => hasPlan(known, plan))) return known;
    this.#cache.clear();
    return (await this.#cache.get(ALL)) ?? [];
  }
}

declare module '../../platform/deps.ts' {
  interface Platform {
    catalogue: CatalogueCache;
  }
}
