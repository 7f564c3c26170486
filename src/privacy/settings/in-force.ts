import type { Announce, Trx } from '../../platform/db/index.ts';
import {
  type CurrentSettings,
  renewVersion,
  SETTINGS_CHANGED,
  type SettingsScope,
  settingsForVisitors,
} from './service.ts';

/** The settings, kept at hand and read anew after a change on any node. */
export class SettingsInForce {
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

  /** What is at hand now, and no older than the last change; undefined before the first reading. */
  peek(): CurrentSettings | undefined {
    return this.#known;
  }

  read(): Promise<CurrentSettings> {
    if (this.#reading) return this.#reading;
    const reading = settingsForVisitors(this.scope);
    this.#reading = reading;
    reading.then(
      (settings) => {
        // A reading that began before a change must not stay.
        if (this.#reading === reading) this.#known = settings;
      },
      () => {
        if (this.#reading === reading) this.#reading = undefined;
      },
    );
    return reading;
  }

  /** Makes a version if the transaction has changed about which vendors and purposes visitors are asked. */
  renewVersion(trx: Trx, announce: Announce): Promise<void> {
    return renewVersion(trx, announce, this.scope);
  }
}
