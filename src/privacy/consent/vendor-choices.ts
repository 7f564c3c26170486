import type { Platform } from '../../platform/deps.ts';
import { type ChoosableVendor, readChoosableVendors, SCRIPTS_CHANGED } from '../scripts/index.ts';
import type { CurrentSettings } from '../settings/index.ts';
import { listKnownVendors, VENDORS_CHANGED } from '../vendors/index.ts';

export interface VendorOffer {
  /** Vendors that visitors can choose one by one. */
  choosable: readonly ChoosableVendor[];
  /** The slugs of all vendors. */
  slugs: ReadonlySet<string>;
}

/** Caches the vendors that visitors can choose, until the settings, the scripts or the vendors change on any node. */
export class VendorOffers {
  readonly #platform: Platform;
  #read: { settings: CurrentSettings; offer: Promise<VendorOffer> } | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
    for (const topic of [SCRIPTS_CHANGED, VENDORS_CHANGED])
      platform.datastore.onChange(topic, () => {
        this.#read = undefined;
      });
  }

  async get(settings: CurrentSettings): Promise<VendorOffer> {
    if (this.#read?.settings === settings) return this.#read.offer;
    const read = { settings, offer: this.#readOffer(settings) };
    this.#read = read;
    read.offer.catch(() => {
      if (this.#read === read) this.#read = undefined;
    });
    return read.offer;
  }

  async #readOffer({ settings }: CurrentSettings): Promise<VendorOffer> {
    const { db } = this.#platform.datastore;
    return {
      choosable: await readChoosableVendors(db, settings.consent),
      slugs: new Set((await listKnownVendors(db)).map(({ slug }) => slug)),
    };
  }
}
