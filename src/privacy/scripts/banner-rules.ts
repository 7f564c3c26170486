import type { Platform } from '../../platform/deps.ts';
import type { CurrentSettings, SettingsCache } from '../settings/index.ts';
import { listActiveScripts, type Script } from './store.ts';

/** Announced when an entry of the registry is added, changed or deleted. */
export const SCRIPTS_CHANGED = 'scripts';

/** What the banner file holds of the registry (`Rule` of web/banner/auto-blocking.ts). */
type BannerRule = [category: string, address: string, method?: 'frame' | 'off'];

/** The rules of the banner file, cached until the registry or the settings change on any node. */
export class BannerRules {
  readonly #platform: Platform;
  readonly #settings: SettingsCache;
  #cached: { settings: CurrentSettings; text: Promise<string> } | undefined;

  constructor(platform: Platform, settings: SettingsCache) {
    this.#platform = platform;
    this.#settings = settings;
    platform.datastore.onChange(SCRIPTS_CHANGED, () => {
      this.#cached = undefined;
    });
  }

  /** The rules as JSON. */
  async read(): Promise<string> {
    const settings = await this.#settings.read();
    if (this.#cached?.settings !== settings) {
      const cached = { settings, text: this.#build(settings) };
      this.#cached = cached;
      cached.text.catch(() => {
        if (this.#cached === cached) this.#cached = undefined;
      });
    }
    return this.#cached.text;
  }

  async #build({ settings: { consent }, version, askedSince }: CurrentSettings): Promise<string> {
    const categories = consent.categories.filter(({ required }) => !required).map(({ id }) => id);
    const scripts = await listActiveScripts(this.#platform.datastore.db, categories);
    // Earlier consent does not apply while the banner is turned off.
    const since = consent.enabled ? askedSince : version + 1;
    return JSON.stringify({ rules: toBannerRules(scripts), since });
  }
}

/** The most specific addresses first, because the first that matches decides. */
const toBannerRules = (scripts: readonly Script[]): BannerRule[] =>
  scripts.map(toBannerRule).toSorted(([, one], [, other]) => other.length - one.length);

function toBannerRule({ category, scriptUrl, blockingMethod }: Script): BannerRule {
  const { host, pathname, search } = new URL(scriptUrl);
  const address = host + pathname + search;
  if (blockingMethod === 'iframe_placeholder') return [category, address, 'frame'];
  return blockingMethod === 'data_src' ? [category, address, 'off'] : [category, address];
}
