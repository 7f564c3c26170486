import { readFileSync } from 'node:fs';
// For the type alone; it also makes the compiler carry the file into the build.
import type raw from './library.json';
import type { VendorPatterns } from './match.ts';

/** The consent categories of the library. An installation can have others in its settings. */
export const VENDOR_CATEGORIES = [
  'functional',
  'analytics',
  'marketing',
  'personalisation',
] as const;

/** A cookie or storage key that a vendor sets. */
export interface VendorCookie {
  /** `*` stands for any characters, also none. */
  readonly name: string;
  /** Limits the entry to cookies of this host and its subdomains. */
  readonly domain?: string;
  /** `storage` is localStorage or sessionStorage. */
  readonly kind: 'cookie' | 'storage';
  /** The usual lifetime in words, for example `2 years`, `session` or `until cleared`. */
  readonly lifetime: string;
  /** The same in seconds: 0 ends with the session, null lasts until cleared. */
  readonly seconds: number | null;
}

/** Raise it with each change of library.json, so that installations take the change over. */
export const LIBRARY_VERSION = 5;

/** Kinds of embedded content, each with a symbol in placeholders (web/banner/embeds.ts). */
export const EMBED_KINDS = ['video', 'map', 'post', 'music', 'form'] as const;

/** A vendor that Pavis knows by itself. */
export interface BuiltinVendor extends Required<Omit<VendorPatterns, 'ownPathsTogether'>> {
  readonly isBuiltin: true;
  readonly name: string;
  readonly category: (typeof VENDOR_CATEGORIES)[number];
  /** One sentence for the owner of the site. */
  readonly purpose: string;
  readonly dataCategories: readonly string[];
  readonly defaultRetention: string;
  /** The privacy policy of the vendor. */
  readonly privacyUrl?: string;
  /** What sites embed from it. The name is that of the content, if it differs from the vendor's. */
  readonly embed?: { readonly kind: (typeof EMBED_KINDS)[number]; readonly name?: string };
  readonly ownPathsTogether?: readonly string[];
  readonly cookies: readonly VendorCookie[];
}

type ByLifetime = Readonly<Record<string, readonly string[] | undefined>>;

/** In library.json, cookies are grouped by lifetime, and `name@host` limits one to a host. */
type Entry = Omit<
  BuiltinVendor,
  'isBuiltin' | 'category' | 'cookies' | 'privacyUrl' | 'embed' | keyof typeof NO_PATTERNS
> &
  Partial<Record<keyof typeof NO_PATTERNS, readonly string[] | undefined>> & {
    category: string;
    privacyUrl?: string | undefined;
    embed?: { kind: string; name?: string | undefined } | undefined;
    cookies?: ByLifetime | undefined;
    storage?: ByLifetime | undefined;
  };

const NO_PATTERNS = { urlPrefixes: [], idPatterns: [], fileNames: [], ownPaths: [] };

/** Months and years are averages of the Gregorian calendar. */
const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  month: 2_629_800,
  year: 31_557_600,
};

let loaded: ReadonlyMap<string, BuiltinVendor> | undefined;

/** Read from disk on the first call, so that a start does not wait for it. */
function loadLibrary(): ReadonlyMap<string, BuiltinVendor> {
  if (loaded) return loaded;
  const text = readFileSync(new URL('library.json', import.meta.url), 'utf8');
  const entries = JSON.parse(text) as typeof raw as readonly Entry[];
  loaded = new Map(entries.map((entry) => [entry.slug, toVendor(entry)]));
  return loaded;
}

/** The built-in vendors, in the order of the library. */
export const listBuiltinVendors = (): readonly BuiltinVendor[] => [...loadLibrary().values()];

export const findBuiltinVendor = (slug: string): BuiltinVendor | undefined =>
  loadLibrary().get(slug);

/** What sites embed, by kind and name: domains and beginnings of addresses, separated by spaces (web/banner/embeds.ts). */
export function listEmbeds(): Record<string, Record<string, string>> {
  const embeds: Record<string, Record<string, string>> = {};
  for (const { name, embed, domains, urlPrefixes } of loadLibrary().values()) {
    if (!embed) continue;
    embeds[embed.kind] ??= {};
    (embeds[embed.kind] as Record<string, string>)[embed.name ?? name] = [
      ...domains,
      ...urlPrefixes,
    ].join(' ');
  }
  return embeds;
}

/** The privacy policy of a vendor: as the installation has entered it, otherwise as the library has it. */
export const findPrivacyUrl = ({
  slug,
  isBuiltin,
  privacyUrl,
}: Pick<VendorPatterns, 'slug' | 'isBuiltin'> & {
  privacyUrl: string | null;
}): string | undefined =>
  privacyUrl ?? (isBuiltin ? findBuiltinVendor(slug)?.privacyUrl : undefined);

function toVendor({ category: text, cookies, storage, ...entry }: Entry): BuiltinVendor {
  const category = VENDOR_CATEGORIES.find((known) => known === text);
  if (!category) throw new Error(`library.json: no category is called ${text}`);
  return {
    ...NO_PATTERNS,
    ...(entry as unknown as Omit<BuiltinVendor, 'isBuiltin' | 'category' | 'cookies'>),
    isBuiltin: true,
    category,
    cookies: [...toCookies(cookies, 'cookie'), ...toCookies(storage, 'storage')],
  };
}

function toCookies(groups: ByLifetime = {}, kind: VendorCookie['kind']): VendorCookie[] {
  return Object.entries(groups).flatMap(([lifetime, names = []]) => {
    const seconds = toSeconds(lifetime);
    // No cookie name may hold an @ (RFC 6265), so it is free to set off the host.
    return names.map((text): VendorCookie => {
      const [name = '', domain] = text.split('@');
      return { name, kind, lifetime, seconds, ...(domain !== undefined && { domain }) };
    });
  });
}

function toSeconds(lifetime: string): number | null {
  if (lifetime === 'session') return 0;
  if (lifetime === 'until cleared') return null;
  const [, count, unit = ''] = /^(\d+) ([a-z]+?)s?$/.exec(lifetime) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isNaN(seconds)) throw new Error(`library.json: no lifetime is called ${lifetime}`);
  return seconds;
}
