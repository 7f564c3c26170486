import { LRUCache } from 'lru-cache';
import type { Platform } from '../../../platform/deps.ts';
import { SETTINGS_CHANGED } from '../service.ts';
import { type ConsentVersion, findConsentVersion, findConsentVersionAt } from '../store.ts';

const CACHED_MAX = 50;

/** Caches banner versions, which never change. */
export class ConsentVersions {
  readonly #platform: Platform;
  readonly #known = new LRUCache<number, ConsentVersion>({ max: CACHED_MAX });

  constructor(platform: Platform) {
    this.#platform = platform;
    // After a restore of the database, other versions can have the same numbers.
    platform.datastore.onChange(SETTINGS_CHANGED, () => this.#known.clear());
  }

  async find(version: number): Promise<ConsentVersion | undefined> {
    const known = this.#known.get(version);
    if (known) return known;
    const found = await findConsentVersion(this.#platform.datastore.db, version);
    if (found) this.#known.set(version, found);
    return found;
  }

  /** The version that was in force at a moment, in epoch milliseconds. */
  findAt(at: number): Promise<ConsentVersion | undefined> {
    return findConsentVersionAt(this.#platform.datastore.db, at);
  }
}
