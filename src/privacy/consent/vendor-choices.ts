import type { Platform } from '../../platform/deps.ts';
import { type ChoosableVendor, readChoosableVendors, SCRIPTS_CHANGED } from '../scripts/index.ts';
import type { CurrentSettings } from '../settings/index.ts';
import { VENDORS_CHANGED } from '../vendors/index.ts';

/** Caches the vendors that visitors can choose, until the settings, the scripts or the vendors change on any node. */
export class VendorOffers {
  readonly #platform: Platform;
  #read: { settings: CurrentSettings; offer: Promise<readonly ChoosableVendor[]> } | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
    for (const topic of [SCRIPTS_CHANGED, VENDORS_CHANGED])
      platform.datastore.onChange(topic, () => {
        this.#read = undefined;
      });
  }

  async get(settings: CurrentSettings): Promise<readonly ChoosableVendor[]> {
    if (this.#read?.settings === settings) return this.#read.offer;
    const { db } = this.#platform.datastore;
    const read = { settings, offer: readChoosableVendors(db, settings.settings.consent) };
    this.#read = read;
    read.offer.catch(() => {
      if (this.#read === read) this.#read = undefined;
    });
    return read.offer;
  }
}
