import { toIsoMoment } from '../../../platform/clock.ts';
import { deleteFact, findFact, recordFact } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { InvalidFieldError } from '../../../platform/errors.ts';
import {
  type LocalBrowser,
  type LocalBrowserSettings,
  openLocalBrowser,
} from '../../scanner/index.ts';
import {
  type ConsentVersions,
  DEFAULT_APPEARANCE,
  getTexts,
  type SettingsCache,
} from '../../settings/index.ts';
import { type BannerBuild, hashBuild, renderBanner } from './render.ts';
import {
  type BannerConfig,
  hashShown,
  listShownLanguages,
  type ShownBanner,
  VIEW_COUNT,
} from './rules.ts';
import {
  type BannerPicture,
  excludeFromPictures,
  insertPictures,
  listPictures,
  listSamePictures,
  listVersionsWithoutPictures,
  type NewBannerPicture,
} from './store.ts';

export interface PictureScope {
  settings: SettingsCache;
  versions: ConsentVersions;
}

export interface PictureSettings {
  browser: LocalBrowserSettings;
  /** Reads the files of the banner that sites load. @throws Error if they are not built */
  readBanner: () => BannerBuild;
}

/** The fact of the installation that no browser could be started, with the time. */
const NO_BROWSER = 'banner pictures without browser';

/**
 * Takes the pictures that are missing. A version that shows what an earlier one showed, with the same build, shares
 * its pictures. Without a browser nothing is taken, and that is recorded.
 * @returns the number of versions that got their pictures
 * @throws Error if a banner does not open; the other versions have their pictures then
 */
export async function takeMissingPictures(
  platform: Platform,
  scope: PictureScope & PictureSettings,
  signal: AbortSignal,
): Promise<number> {
  const { datastore, clock, log } = platform;
  const { db } = datastore;
  const missing = await listVersionsWithoutPictures(db);
  if (missing.length === 0) return 0;
  const build = scope.readBanner();
  const buildHash = hashBuild(build);
  let opening: Promise<LocalBrowser | undefined> | undefined;
  const files = new Map<string, Buffer>();

  async function take(shown: ShownBanner): Promise<NewBannerPicture[] | undefined> {
    const { language } = shown;
    const same = { language, shown_hash: hashShown(shown), build_hash: buildHash };
    const known = await listSamePictures(db, same);
    if (known.length > 0) return known;
    opening ??= openLocalBrowser(scope.browser, log, signal);
    const browser = await opening;
    if (!browser) return undefined;
    const rendered = await renderBanner(browser, build, shown);
    return rendered.map(({ png, ...picture }) => {
      files.set(picture.sha256, png);
      return { ...same, ...picture, taken_at: clock.now() };
    });
  }

  let taken = 0;
  let failure: unknown;
  try {
    for (const version of missing) {
      signal.throwIfAborted();
      const { config } = await readVersion(scope, version);
      const pictures: NewBannerPicture[] = [];
      const languages = listShownLanguages(config);
      if (languages.length === 0) await excludeFromPictures(db, version);
      try {
        for (const language of languages) {
          const found = await take({ version, config, language });
          if (!found) {
            await recordNoBrowser(platform);
            return taken;
          }
          pictures.push(...found);
        }
      } catch (err) {
        log.warn({ err, version }, 'the pictures of a banner version could not be taken');
        failure = err;
        continue;
      }
      if (pictures.length === 0) continue;
      const at = clock.now();
      await datastore.transaction((trx) => insertPictures(trx, version, pictures, { files, at }));
      files.clear();
      taken += 1;
    }
  } finally {
    await (await opening?.catch(() => undefined))?.close();
  }
  if (opening) await deleteFact(db, NO_BROWSER);
  if (failure) throw failure;
  return taken;
}

async function recordNoBrowser({ datastore, clock, log }: Platform): Promise<void> {
  await recordFact(datastore.db, NO_BROWSER, toIsoMoment(clock.now()));
  log.warn('pictures of the banner are not taken because no browser can be started');
}

/** @throws InvalidFieldError if there is no such version */
async function readVersion({ settings, versions }: PictureScope, version: number) {
  const { consent } = (await settings.read()).settings;
  const found = await versions.find(version);
  if (!found) throw new InvalidFieldError('version', `The banner has no version ${version}.`);
  // A version that was stored before a setting existed does not have it.
  const defaults: BannerConfig = { ...consent, appearance: DEFAULT_APPEARANCE };
  return { config: { ...defaults, ...found.config }, isPictured: found.isPictured };
}

/** The pictures of a version, and why some may be missing. */
export interface VersionPictures {
  version: number;
  pictures: BannerPicture[];
  missing: number;
  browser: 'ok' | 'unavailable';
  /** A sentence for people. */
  message: string;
}

/**
 * @param language only the pictures of the texts that visitors with this language see; default: of all languages
 * @throws InvalidFieldError if there is no such version
 */
export async function readVersionPictures(
  { datastore }: Platform,
  scope: PictureScope,
  { version, language }: { version: number; language?: string | undefined },
): Promise<VersionPictures> {
  const { db } = datastore;
  const { config, isPictured } = await readVersion(scope, version);
  const texts = language === undefined ? undefined : getTexts(config, language).language;
  const isWanted = (shown: string) => texts === undefined || shown === texts;
  const languages = listShownLanguages(config).filter(isWanted);
  const all = await listPictures(db, version);
  const pictures = all.filter((picture) => isWanted(picture.language));
  const withoutBrowserAt = await findFact(db, NO_BROWSER);
  const missing = isPictured && pictures.length === 0 ? languages.length * VIEW_COUNT : 0;
  return {
    version,
    pictures,
    missing,
    browser: withoutBrowserAt === undefined ? 'ok' : 'unavailable',
    message: describe(),
  };

  function describe(): string {
    if (pictures.length > 0) return `All ${pictures.length} pictures were taken.`;
    if (languages.length === 0) return 'The banner was turned off in this version.';
    if (!isPictured) return 'This version was saved before Pavis took pictures of the banner.';
    if (withoutBrowserAt === undefined)
      return 'The pictures are taken within a few minutes after the version was saved.';
    return `No browser could be started (last attempt: ${withoutBrowserAt}). Run "pavis doctor" to find out why. The pictures are taken once a browser starts.`;
  }
}

/**
 * The number of versions whose pictures are still to be taken, and when a browser could last not be started for them
 * (ISO 8601); null if it can be or was not needed.
 */
export async function readMissingPictures({ datastore }: Pick<Platform, 'datastore'>) {
  const { db } = datastore;
  const { length: versions } = await listVersionsWithoutPictures(db);
  const withoutBrowserAt = versions > 0 ? await findFact(db, NO_BROWSER) : undefined;
  return { versions, withoutBrowserAt: withoutBrowserAt ?? null };
}
