import { readFileSync } from 'node:fs';
// For the type alone; it also makes the compiler carry the file into the build.
import type raw from './library.json';

/** The consent categories that the library tells apart; those of an installation are in its settings. */
export const VENDOR_CATEGORIES = [
  'functional',
  'analytics',
  'marketing',
  'personalisation',
] as const;

type VendorCategory = (typeof VENDOR_CATEGORIES)[number];

/** A cookie or storage key that a vendor sets. */
interface VendorCookie {
  /** `*` stands for any characters, also none. */
  readonly name: string;
  /** Where given, the entry means only cookies of this host and of those below it. */
  readonly domain?: string;
  /** `storage` is localStorage or sessionStorage. */
  readonly kind: 'cookie' | 'storage';
  /** The usual lifetime: 0 ends with the session, null lasts until cleared. Vendors change theirs; what was observed is worth more. */
  readonly seconds: number | null;
}

/** Raised with each change of library.json, so that installations take it over. */
export const LIBRARY_VERSION = 3;

/** A vendor that Pavis knows by itself. */
export interface BuiltinVendor {
  readonly slug: string;
  readonly name: string;
  readonly isBuiltin: true;
  readonly category: VendorCategory;
  /** One sentence for the owner of the site. */
  readonly purpose: string;
  readonly dataCategories: readonly string[];
  readonly defaultRetention: string;
  readonly domains: readonly string[];
  /** Host and start of the path, without a scheme. */
  readonly urlPrefixes: readonly string[];
  /** Regular expressions for a whole container or measurement id. */
  readonly idPatterns: readonly string[];
  /** Names of files that sites serve from their own host. */
  readonly fileNames: readonly string[];
  /** Regular expressions for path and query, by which a service is recognised that sites pass on from their own domain. */
  readonly ownPaths: readonly string[];
  /** As `ownPaths`, where a page must ask for all of them. */
  readonly ownPathsTogether?: readonly string[];
  /** Other names that people search for. */
  readonly aliases: readonly string[];
  readonly cookies: readonly VendorCookie[];
}

/** How library.json writes it: cookies are grouped by lifetime, and `name@host` limits one to a host. */
interface Entry {
  slug: string;
  name: string;
  category: string;
  purpose: string;
  dataCategories: readonly string[];
  defaultRetention: string;
  domains: readonly string[];
  urlPrefixes?: readonly string[] | undefined;
  idPatterns?: readonly string[] | undefined;
  fileNames?: readonly string[] | undefined;
  ownPaths?: readonly string[] | undefined;
  ownPathsTogether?: readonly string[] | undefined;
  aliases?: readonly string[] | undefined;
  cookies?: ByLifetime | undefined;
  storage?: ByLifetime | undefined;
}

type ByLifetime = Readonly<Record<string, readonly string[] | undefined>>;

/** Months and years are averages of the Gregorian calendar. */
const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  month: 2_629_800,
  year: 31_557_600,
};

let loaded: readonly BuiltinVendor[] | undefined;

/**
 * The built-in vendors, in the order of the library. Read from disk on the first call, so that a
 * start doesn't wait for it; later calls give the same array.
 */
export function listBuiltinVendors(): readonly BuiltinVendor[] {
  loaded ??= readLibrary().map(toVendor);
  return loaded;
}

function readLibrary(): readonly Entry[] {
  const text = readFileSync(new URL('library.json', import.meta.url), 'utf8');
  return JSON.parse(text) as typeof raw;
}

function toVendor(entry: Entry): BuiltinVendor {
  return {
    slug: entry.slug,
    name: entry.name,
    isBuiltin: true,
    category: toCategory(entry.category),
    purpose: entry.purpose,
    dataCategories: entry.dataCategories,
    defaultRetention: entry.defaultRetention,
    domains: entry.domains,
    urlPrefixes: entry.urlPrefixes ?? [],
    idPatterns: entry.idPatterns ?? [],
    fileNames: entry.fileNames ?? [],
    ownPaths: entry.ownPaths ?? [],
    ...(entry.ownPathsTogether && { ownPathsTogether: entry.ownPathsTogether }),
    aliases: entry.aliases ?? [],
    cookies: [...toCookies(entry.cookies, 'cookie'), ...toCookies(entry.storage, 'storage')],
  };
}

function toCategory(text: string): VendorCategory {
  const category = VENDOR_CATEGORIES.find((known) => known === text);
  if (!category) throw new Error(`library.json: no category is called ${text}`);
  return category;
}

function toCookies(groups: ByLifetime = {}, kind: VendorCookie['kind']): VendorCookie[] {
  return Object.entries(groups).flatMap(([lifetime, names = []]) => {
    const seconds = lifetimeSeconds(lifetime);
    // No cookie name may hold an @ (RFC 6265), so it is free to set off the host.
    return names.map((text): VendorCookie => {
      const [name = '', domain] = text.split('@');
      return { name, kind, seconds, ...(domain !== undefined && { domain }) };
    });
  });
}

function lifetimeSeconds(lifetime: string): number | null {
  if (lifetime === 'session') return 0;
  if (lifetime === 'until cleared') return null;
  const [, count, unit = ''] = /^(\d+) ([a-z]+?)s?$/.exec(lifetime) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isNaN(seconds)) throw new Error(`library.json: no lifetime is called ${lifetime}`);
  return seconds;
}
