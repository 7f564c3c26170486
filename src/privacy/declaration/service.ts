import { LRUCache } from 'lru-cache';
import { formatDay, toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import { prebuildBody } from '../../platform/rest/prebuilt.ts';
import type { PrebuiltBody } from '../../platform/rest/route.ts';
import { listAllEntries } from '../data-map/index.ts';
import { readCookieLookup } from '../scanner/index.ts';
import { readRegistered, SCRIPTS_CHANGED } from '../scripts/index.ts';
import { type CurrentSettings, getTexts } from '../settings/index.ts';
import { findUsualLifetime, listKnownVendors, VENDORS_CHANGED } from '../vendors/index.ts';
import { groupSightings, type Knowledge, type Recipient } from './rules.ts';
import type { DeclarationBody } from './schemas.ts';
import { type FullScan, listFullScans, listSightings } from './store.ts';
import { findTexts } from './texts/index.ts';
import { toCategories } from './wording.ts';

/** The scan, the data map and the classifications of cookies are read again after this time. */
const CACHE_MS = 60_000;
const CACHED_LANGUAGES = 100;

export interface DeclarationScope {
  platform: Platform;
  settings: () => Promise<CurrentSettings>;
  siteUrl: () => string;
  timeZone: string;
}

export interface CachedDeclaration {
  declaration: DeclarationBody;
  prebuilt: PrebuiltBody;
}

export type Declarations = ReturnType<typeof createDeclarations>;

/** Reads declarations for visitors, each language at most once a minute. */
export function createDeclarations(scope: DeclarationScope) {
  return {
    scope,
    get: cacheByLanguage(scope, async (language): Promise<CachedDeclaration> => {
      const declaration = await readDeclaration(scope, language);
      return { declaration, prebuilt: prebuildBody(declaration) };
    }),
  };
}

/** @returns reads in a language, BCP 47 or empty for the first language of the site. A change of the settings, the scripts or the vendors applies at once. */
export function cacheByLanguage<T>(
  scope: DeclarationScope,
  readIn: (language: string) => Promise<T>,
): (language: string) => Promise<T> {
  const known = new LRUCache<string, { at: number; of: CurrentSettings; read: Promise<T> }>({
    max: CACHED_LANGUAGES,
  });
  for (const topic of [SCRIPTS_CHANGED, VENDORS_CHANGED])
    scope.platform.datastore.onChange(topic, () => known.clear());
  return async (language) => {
    const current = await scope.settings();
    const { settings } = current;
    const wanted = language || settings.consent.languages[0] || 'en';
    const key = `${findTexts(wanted).language} ${getTexts(settings.consent, wanted).language}`;
    const now = scope.platform.clock.monotonic();
    const cached = known.get(key);
    if (cached?.of === current && now - cached.at < CACHE_MS) return cached.read;
    const read = readIn(wanted);
    known.set(key, { at: now, of: current, read });
    read.catch(() => known.delete(key));
    return read;
  };
}

/** What the latest completed scan of the site saw, in a language. */
export async function readDeclaration(
  scope: DeclarationScope,
  language: string,
): Promise<DeclarationBody> {
  const { db } = scope.platform.datastore;
  const siteUrl = scope.siteUrl();
  const current = await scope.settings();
  const { controller, consent, dsar } = current.settings;
  const found = findTexts(language);
  const { texts } = found;
  const words = getTexts(consent, language);
  const [scan] = await listFullScans(db, siteUrl, 1);
  const recipients = scan
    ? groupSightings(await listSightings(db, scan.id), await readKnowledge(scope))
    : [];
  const organisation = controller.name || new URL(siteUrl).host;
  return {
    language: found.language,
    category_language: words.language,
    site_url: siteUrl,
    scanned_at: scan ? toIsoMoment(scan.completedAt) : null,
    pages: scan?.pages ?? 0,
    categories: toCategories(recipients, {
      ...found,
      organisation,
      regime: dsar.regime,
      categories: consent.categories.map(({ id }) => ({
        id,
        ...(words.categories[id] ?? { label: id, description: '' }),
      })),
    }),
    labels: {
      title: texts.title,
      lead: texts.lead(organisation),
      basis: describeBasis(scan, recipients.length, { ...found, timeZone: scope.timeZone }),
      purpose: texts.purpose,
      legal_basis: texts.legalBasis,
      domains: texts.domains,
      third_countries: texts.thirdCountries,
      safeguards: texts.safeguards,
      not_stated: texts.notStated,
      columns: texts.columns,
    },
  };
}

function describeBasis(
  scan: FullScan | undefined,
  recipients: number,
  { language, texts, timeZone }: ReturnType<typeof findTexts> & { timeZone: string },
): string {
  if (!scan) return texts.none;
  const day = formatDay(language, toLocalDay(timeZone)(scan.completedAt));
  return [
    texts.basis(day, scan.pages),
    recipients === 0 && texts.nothing,
    scan.engine === 'html' && texts.withoutBrowser,
    texts.limits,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What the latest completed scan of the site saw. */
export async function readRecipients(
  { platform, siteUrl }: DeclarationScope,
  knowledge: Knowledge,
): Promise<Recipient[]> {
  const { db } = platform.datastore;
  const [scan] = await listFullScans(db, siteUrl(), 1);
  return scan ? groupSightings(await listSightings(db, scan.id), knowledge) : [];
}

export async function readKnowledge({ platform, settings }: DeclarationScope): Promise<Knowledge> {
  const { db } = platform.datastore;
  const current = await settings();
  const registered = await readRegistered(db, current.settings.consent.categories);
  return {
    vendors: new Map((await listKnownVendors(db)).map((vendor) => [vendor.id, vendor])),
    entries: await listAllEntries(db),
    registered: registered.vendors,
    registeredHosts: registered.hosts,
    classify: await readCookieLookup(db, current),
    findUsual: findUsualLifetime,
  };
}
