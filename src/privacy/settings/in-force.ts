import type { Platform } from '../../platform/deps.ts';
import { type CurrentSettings, SETTINGS_CHANGED, settingsForVisitors } from './service.ts';

/** The settings, kept at hand and read anew after a change on any node. */
export class SettingsInForce {
  readonly #platform: Platform;
  readonly #siteUrl: () => string;
  #reading: Promise<CurrentSettings> | undefined;
  #known: CurrentSettings | undefined;

  constructor(platform: Platform, siteUrl: () => string) {
    this.#platform = platform;
    this.#siteUrl = siteUrl;
    platform.datastore.onChange(SETTINGS_CHANGED, () => {
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
    const reading = settingsForVisitors(this.#platform, this.#siteUrl());
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
}
