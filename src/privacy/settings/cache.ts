import type { Announce, Trx } from '../../platform/db/index.ts';
import {
  type CurrentSettings,
  readVisitorSettings,
  renewVersion,
  SETTINGS_CHANGED,
  type SettingsScope,
} from './service.ts';

/** Caches the settings until they change on any node. */
export class SettingsCache {
  readonly scope: SettingsScope;
  #reading: Promise<CurrentSettings> | undefined;
  #known: CurrentSettings | undefined;

  constructor(scope: SettingsScope) {
    this.scope = scope;
    scope.platform.datastore.onChange(SETTINGS_CHANGED, () => {
      this.#reading = undefined;
      this.#known = undefined;
    });
  }

  /** The cached settings; undefined until they are read after a start or a change. */
  current(): CurrentSettings | undefined {
    return this.#known;
  }

  read(): Promise<CurrentSettings> {
    if (this.#reading) return this.#reading;
    const reading = readVisitorSettings(this.scope);
    this.#reading = reading;
    reading.then(
      (settings) => {
        // A read that began before a change must not be cached.
        if (this.#reading === reading) this.#known = settings;
      },
      () => {
        if (this.#reading === reading) this.#reading = undefined;
      },
    );
    return reading;
  }

  /** @param listener called after a change on any node */
  onChange(listener: () => void): void {
    this.scope.platform.datastore.onChange(SETTINGS_CHANGED, listener);
  }

  /** Creates a banner version if the transaction has changed the vendors or purposes that need consent. */
  renewVersion(trx: Trx, announce: Announce): Promise<void> {
    return renewVersion(trx, announce, this.scope);
  }
}
