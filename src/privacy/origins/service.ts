import type { Platform } from '../../platform/deps.ts';
import type { OriginPolicy } from '../../platform/rest/origins.ts';
import type { SettingsCache } from '../settings/index.ts';
import {
  addRefusals,
  KEPT_MAX,
  listRefusedOrigins,
  type Refusals,
  type RefusedOrigin,
} from './store.ts';

/** Counts are collected for this time and written together. */
const WRITE_AFTER_MS = 2_000;
const ORIGIN_MAX_LENGTH = 255;

export interface OriginSettings {
  settings: SettingsCache;
  /** From PAVIS_ALLOWED_ORIGINS; default: the origin of the site. */
  configured: () => readonly string[];
  restRoot: () => string;
}

/**
 * Allows the origin of the service, those of the environment and those of the settings. Counts refused origins, in
 * memory first, so that a refused request does not write to the database.
 */
export class AllowedOrigins implements OriginPolicy {
  readonly #platform: Platform;
  readonly #options: OriginSettings;
  /** Origins that the settings cannot change; set once the addresses are known. */
  #fixed: ReadonlySet<string> | undefined;
  #counted = new Map<string, Refusals>();
  #timer: NodeJS.Timeout | undefined;

  constructor(platform: Platform, options: OriginSettings) {
    this.#platform = platform;
    this.#options = options;
  }

  isAllowed(origin: string): boolean | Promise<boolean> {
    const { settings } = this.#options;
    if (this.#listFixed().has(origin)) return true;
    const current = settings.current();
    if (current) return current.settings.origins.allowed.includes(origin);
    return settings.read().then((read) => read.settings.origins.allowed.includes(origin));
  }

  async list(): Promise<string[]> {
    const { origins } = (await this.#options.settings.read()).settings;
    return [...new Set([...this.#listFixed(), ...origins.allowed])];
  }

  /** Without those of the settings until they are read after a start or a change. */
  listKnown(): string[] {
    const known = this.#options.settings.current()?.settings.origins.allowed ?? [];
    return [...new Set([...this.#listFixed(), ...known])];
  }

  #listFixed(): ReadonlySet<string> {
    const { configured, restRoot } = this.#options;
    this.#fixed ??= new Set([new URL(restRoot()).origin, ...configured()]);
    return this.#fixed;
  }

  reportRefused(origin: string): void {
    this.#platform.securityLog.counters.countRefusedOrigin();
    const now = this.#platform.clock.now();
    const known = this.#counted.get(origin);
    if (known) {
      known.requests += 1;
      known.lastAt = now;
      return;
    }
    // Others cannot be allowed in the settings.
    const canBeAllowed = origin.length <= ORIGIN_MAX_LENGTH && /^https?:/.test(origin);
    if (!canBeAllowed || URL.parse(origin)?.origin !== origin) return;
    if (this.#counted.size >= KEPT_MAX) return;
    this.#counted.set(origin, { requests: 1, firstAt: now, lastAt: now });
    this.#timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Origins that are still refused, most recent first. */
  async listRefused(): Promise<RefusedOrigin[]> {
    await this.flush();
    const refused = await listRefusedOrigins(this.#platform.datastore.db);
    const isAllowed = await Promise.all(refused.map(({ origin }) => this.isAllowed(origin)));
    return refused.filter((_, at) => !isAllowed[at]);
  }

  /** Writes the counts. They are lost if the database is unavailable; nothing depends on them. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counted = this.#counted;
    if (counted.size === 0) return;
    this.#counted = new Map();
    const { datastore, clock, log } = this.#platform;
    try {
      await datastore.transaction((trx) => addRefusals(trx, counted, clock.now()));
    } catch (err) {
      log.warn({ err }, 'refused origins could not be counted');
    }
  }
}
