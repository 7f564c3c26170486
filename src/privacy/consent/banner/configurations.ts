import type { Platform } from '../../../platform/deps.ts';
import { toLocalDay } from '../../../platform/local-time.ts';
import {
  type BannerRules,
  getRegimeFor,
  isMoreThanOptIn,
  toBannerRules,
} from '../../regimes/index.ts';
import { readBannerScripts, SCRIPTS_CHANGED } from '../../scripts/index.ts';
import {
  ConsentVersions,
  type CurrentSettings,
  getShownTexts,
  listTextLanguages,
  type SettingsCache,
} from '../../settings/index.ts';
import { VENDORS_CHANGED } from '../../vendors/index.ts';
import { toConsentStatus } from './schemas.ts';

/** Code that the banner file contains only where a site needs it. */
export type BannerPart =
  | 'auto-blocking'
  | 'capture'
  | 'regime'
  | 'sharing'
  | 'vendors'
  | (typeof SIGNAL_PARTS)[number];

/** The signals that need more of the banner than its events. */
const SIGNAL_PARTS = ['google', 'wordpress'] as const;

const FIRST = [
  'language',
  'direction',
  'title',
  'message',
  'accept_text',
  'reject_text',
  'manage_text',
  'privacy_text',
  'reopen_text',
] as const;
/** Texts of placeholders for blocked content. */
const PLACEHOLDERS = ['placeholder_text', 'load_text', 'always_text', 'categories'] as const;
const REGIME = [
  'opt_out_message',
  'opt_out_text',
  'opted_out_text',
  'own_use_text',
  'categories',
] as const;

/** Enough to recognise a version, in fewer bytes. See `config_hash` of `POST /consent`. */
const HASH_LENGTH = 16;

/** What the server adds to the banner file. */
export interface BannerConfiguration {
  /** Differs for each language of the texts and for visitors with other rules. */
  key: string;
  language: string;
  /** Whether visitors are asked first, as the strictest rules require. */
  isOptIn: boolean;
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
  readonly #toDay: (at: number) => string;
  /** By language and rules, until the settings or the scripts change on any node. */
  #known = new Map<string, Promise<BannerConfiguration>>();
  #knownFor: CurrentSettings | undefined;

  /** @param options `listOrigins` gives the origins whose pages may record consent */
  constructor(
    platform: Platform,
    settings: SettingsCache,
    { listOrigins, timeZone }: { listOrigins: () => Promise<string[]>; timeZone: string },
  ) {
    this.#platform = platform;
    this.#settings = settings;
    this.#versions = new ConsentVersions(platform);
    this.#listOrigins = listOrigins;
    this.#toDay = toLocalDay(timeZone);
    for (const topic of [SCRIPTS_CHANGED, VENDORS_CHANGED])
      platform.datastore.onChange(topic, () => this.#known.clear());
  }

  /**
   * @param asked a language tag; default: the first language of the site
   * @param country of the visitor, in capitals; it is not kept
   */
  async read(asked = '', country?: string): Promise<BannerConfiguration> {
    const settings = await this.#settings.read();
    if (this.#knownFor !== settings) {
      this.#knownFor = settings;
      this.#known = new Map();
    }
    const known = this.#known;
    const { consent } = settings.settings;
    const day = this.#toDay(this.#platform.clock.now());
    const rules = toBannerRules(getRegimeFor(country, consent.regimes, day).rules, consent);
    const regime = JSON.stringify(rules);
    const find = (language: string) => `${language.toLowerCase()} ${regime}`;
    const found = known.get(find(asked));
    if (found) return found;
    const { language } = getShownTexts(consent, asked);
    const key = find(language);
    const reading = known.get(key) ?? this.#build(settings, { key, language, rules });
    known.set(key, reading);
    reading.catch(() => known.delete(key));
    return reading;
  }

  async #build(
    current: CurrentSettings,
    { key, language, rules }: { key: string; language: string; rules: BannerRules },
  ): Promise<BannerConfiguration> {
    const { settings, version, askedSince } = current;
    const { consent } = settings;
    const isOptIn = !isMoreThanOptIn(rules);
    const {
      scripts,
      rules: blocking,
      ...registry
    } = await readBannerScripts(this.#platform.datastore.db, consent);
    const hasFrames = blocking.some(([, , method]) => method === 'frame');
    const wanted = [
      ...FIRST,
      ...(hasFrames ? PLACEHOLDERS : []),
      ...(hasFrames && consent.vendor_choices ? (['always_vendor_text'] as const) : []),
      ...(isOptIn ? [] : REGIME),
    ];
    const served = {
      ...registry,
      ...(blocking.length > 0 && { rules: blocking }),
      scripts: scripts.map(({ label, ...script }) => script),
      status: withoutTexts(toConsentStatus(consent, version)),
      regime: rules,
      texts: {
        ...selectTexts(getShownTexts(consent, language), wanted),
        hash: (await this.#versions.find(version))?.hash.slice(0, HASH_LENGTH),
        ...(askedSince < version && { asked_since: askedSince }),
      },
      languages: listTextLanguages(consent),
      origins: await this.#listOrigins(),
    };
    const parts: BannerPart[] = SIGNAL_PARTS.filter((name) => consent.signals.includes(name));
    const signals = consent.signals.filter((name) => !parts.some((part) => part === name));
    if (blocking.length > 0) parts.push('auto-blocking');
    if (hasFrames) parts.push('capture');
    if (consent.vendor_choices) parts.push('vendors');
    if (!isOptIn) parts.push('regime');
    if (consent.shared_choices) parts.push('sharing');
    return {
      key,
      language,
      isOptIn,
      json: JSON.stringify(served),
      parts,
      signals,
      inheritsFont: consent.appearance.font === 'inherit',
    };
  }
}

/** The texts stand beside it, in the language of the file. */
function withoutTexts({ categories, settings, ...status }: ReturnType<typeof toConsentStatus>) {
  const { position, expiry_days, privacy_url } = settings;
  return {
    ...status,
    categories: Object.fromEntries(
      Object.entries(categories).map(([id, { required }]) => [id, { required }]),
    ),
    settings: { position, expiry_days, privacy_url },
  };
}

type BannerTexts = ReturnType<typeof getShownTexts>;

function selectTexts(texts: BannerTexts, names: readonly (keyof BannerTexts)[]) {
  const labels = Object.entries(texts.categories).map(([id, { label }]) => [id, { label }]);
  const all = { ...texts, categories: Object.fromEntries(labels) };
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}
