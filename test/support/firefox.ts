import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, firefox } from 'playwright-core';

/** The first ESR whose WebDriver BiDi has what Playwright needs: 140 lacks `network.addDataCollector`. */
const OLDEST_VERSION = 153;

/**
 * The path of an unmodified Firefox: `PAVIS_FIREFOX`, or that of the system. Undefined if there is none that is
 * new enough.
 */
export const FIREFOX: string | undefined =
  process.env.PAVIS_FIREFOX ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => ['firefox', 'firefox-esr'].map((name) => join(folder, name)))
    .find((file) => existsSync(file) && readMajorVersion(file) >= OLDEST_VERSION);

/** Of the line `Mozilla Firefox 153.0esr`. */
function readMajorVersion(file: string): number {
  const line = execFileSync(file, ['--version'], { encoding: 'utf8' });
  return Number(/ (\d+)\./.exec(line)?.[1]);
}

/**
 * Starts a Firefox as its makers or Debian ship it, by WebDriver BiDi. Playwright itself supports only its own build.
 * Color scheme, forced colours and reduced motion are preferences: `emulateMedia` does not work.
 * @param preferences of about:config
 */
export async function launchFirefox(
  preferences: Record<string, string | number | boolean> = {},
): Promise<Browser> {
  omitMediaFeatures();
  return firefox.launch({
    channel: 'moz-firefox',
    ...(FIREFOX !== undefined && { executablePath: FIREFOX }),
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, ...preferences },
  });
}

interface Context {
  initialize(): Promise<void>;
  /** Only contexts of WebDriver BiDi have it. */
  _bidiPages?: unknown;
  doUpdateDefaultEmulatedMedia(): Promise<void>;
}

let isPatched = false;

/**
 * Each new context sends `emulation.setMediaFeaturesOverride`, which Firefox 153 ESR does not have, and fails without it.
 * Playwright has no option for this.
 */
function omitMediaFeatures(): void {
  if (isPatched) return;
  isPatched = true;
  const { server } = createRequire(import.meta.url)('playwright-core/lib/coreBundle') as {
    server: { BrowserContext: { prototype: Context } };
  };
  const { prototype } = server.BrowserContext;
  const { initialize } = prototype;
  prototype.initialize = function (this: Context) {
    if (this._bidiPages) this.doUpdateDefaultEmulatedMedia = () => Promise.resolve();
    return initialize.call(this);
  };
}
