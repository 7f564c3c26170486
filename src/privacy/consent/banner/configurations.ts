import type { Platform } from '../../../platform/deps.ts';
import { readBannerScripts, SCRIPTS_CHANGED } from '../../scripts/index.ts';
import {
  ConsentVersions,
  type CurrentSettings,
  getTexts,
  listTextLanguages,
  type SettingsCache,
} from '../../settings/index.ts';
import { toConsentStatus } from './schemas.ts';

/** Code that the banner file contains only where a site needs it. */
export type BannerPart = 'capture';

/** What the server adds to the banner file. */
export interface BannerConfiguration {
  /** Of the texts. */
  language: string;
  /** `Served` of web/banner/served.ts. */
  json: string;
  /** Built files `part.NAME.js`. */
  parts: BannerPart[];
  /** The services that get the consent of visitors (`consent.signals`): built files `signals/NAME.js`. */
  signals: string[];
  /** Whether the font is that of the page: the built file `body-font.js`. */
  inheritsFont: boolean;
}

/** With these, a page needs no other request until a visitor makes a choice or opens the preferences. */
export class BannerConfigurations {
  readonly #platform: Platform;
  readonly #settings: SettingsCache;
  readonly #versions: ConsentVersions;
  readonly #listOrigins: () => Promise<string[]>;
  /** By language, until the settings or the scripts change on any node. */
  #known = new Map<string, Promise<BannerConfiguration>>();
  #knownFor: CurrentSettings | undefined;

  /** @param listOrigins the origins whose pages may record consent */
  constructor(platform: Platform, settings: SettingsCache, listOrigins: () => Promise<string[]>) {
    this.#platform = platform;
    this.#settings = settings;
    this.#versions = new ConsentVersions(platform);
    this.#listOrigins = listOrigins;
    platform.datastore.onChange(SCRIPTS_CHANGED, () => this.#known.clear());
  }

  /** @param asked a language tag; default: the first language of the site */
  async read(asked = ''): Promise<BannerConfiguration> {
    const settings = await this.#settings.read();
    if (this.#knownFor !== settings) {
      this.#knownFor = settings;
      this.#known = new Map();
    }
    const known = this.#known;
    const tag = asked.toLowerCase();
    const found = known.get(tag);
    if (found) return found;
    const { language } = getTexts(settings.settings.consent, asked);
    const key = language.toLowerCase();
    const reading = known.get(key) ?? this.#build(settings, language);
    known.set(key, reading);
    reading.catch(() => known.delete(key));
    return reading;
  }

  async #build(current: CurrentSettings, language: string): Promise<BannerConfiguration> {
    const { settings, version, askedSince } = current;
    const { consent } = settings;
    const { save_text, receipt_text, required_text, ...texts } = getTexts(consent, language);
    const labels = Object.entries(texts.categories).map(([id, { label }]) => [id, { label }]);
    const { scripts, rules } = await readBannerScripts(this.#platform.datastore.db, consent);
    const served = {
      // Earlier consent does not apply while the banner is turned off.
      since: consent.enabled ? askedSince : version + 1,
      rules,
      scripts: scripts.map(({ label, ...script }) => script),
      status: toConsentStatus(consent, version),
      texts: {
        ...texts,
        categories: Object.fromEntries(labels),
        hash: (await this.#versions.find(version))?.hash,
        asked_since: askedSince,
      },
      languages: listTextLanguages(consent),
      origins: await this.#listOrigins(),
    };
    const hasFrames = rules.some(([, , method]) => method === 'frame');
    return {
      language,
      json: JSON.stringify(served),
      parts: hasFrames ? ['capture'] : [],
      signals: consent.signals,
      inheritsFont: consent.appearance.font === 'inherit',
    };
  }
}
