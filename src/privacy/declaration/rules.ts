import type { Entry } from '../data-map/index.ts';
import { type Finding, isMentionedOnly } from '../scanner/index.ts';
import type { KnownVendor } from '../vendors/index.ts';

/** A resource of a scan, wherever it was found. */
export interface Sighting
  extends Pick<
    Finding,
    'resourceType' | 'host' | 'thirdParty' | 'category' | 'name' | 'sources' | 'details'
  > {
  vendorId: number | null;
  firstSeen: number;
}

/** A cookie or storage key, as seen in a browser. */
export interface StoredItem {
  /** `*` for parts that vary from visit to visit. */
  name: string;
  kind: (typeof STORED_KINDS)[number];
  /** The domain of the cookie, or the host of the storage. */
  domain: string;
  duration: Duration;
  /** The duration in the vendor library; undefined if it has none. */
  usual: Duration | undefined;
  /** The purpose that the owner of the site states; null without one. */
  purpose: string | null;
}

export const STORED_KINDS = ['cookie', 'local', 'session', 'indexeddb'] as const;

/** Seconds, until the browser is closed, or until deleted. */
export type Duration = number | 'session' | 'until_deleted';

/** A recipient of data: a vendor, a host without a known vendor, or the site itself. */
export interface Recipient {
  vendor: KnownVendor | null;
  /** Null: the site itself. */
  host: string | null;
  category: string | null;
  domains: string[];
  stored: StoredItem[];
  /** Active entries of the data map. */
  entries: readonly Entry[];
}

export interface Knowledge {
  vendors: ReadonlyMap<number, KnownVendor>;
  entries: readonly Entry[];
  /** By slug: the categories of the active scripts of a vendor. */
  registered: ReadonlyMap<string, readonly string[]>;
  /** By host name: the categories of the active scripts of a host. */
  registeredHosts: ReadonlyMap<string, readonly string[]>;
  /** The classification of a first-party cookie by the owner of the site. */
  classify: (
    sighting: Pick<Sighting, 'resourceType' | 'thirdParty' | 'name'>,
  ) => { category: string; purpose: string } | undefined;
  findUsual: (vendor: KnownVendor, name: string, host: string) => Duration | undefined;
}

/** The categories of a vendor. Those of its registered scripts come first, because these decide when it loads. */
export const listCategories = (
  { slug, category }: Pick<KnownVendor, 'slug' | 'category'>,
  registered: Knowledge['registered'],
): readonly string[] => registered.get(slug) ?? [category];

/** The categories of what a scan saw. A third party without a vendor has those of the scripts registered on its host. */
export const listSightingCategories = (
  { thirdParty, host, category }: Pick<Sighting, 'thirdParty' | 'host' | 'category'>,
  vendor: KnownVendor | null,
  { registered, registeredHosts }: Pick<Knowledge, 'registered' | 'registeredHosts'>,
): readonly (string | null)[] => {
  if (vendor) return listCategories(vendor, registered);
  return (thirdParty && registeredHosts.get(withoutPort(host))) || [category];
};

/**
 * Leaves out what is only mentioned in code, because it may never run, cookies that the browser rejected, and requests
 * that the policy of the page forbids.
 */
export const wasAtWork = (sighting: Pick<Sighting, 'sources' | 'details'>): boolean =>
  !isMentionedOnly(sighting) &&
  !sighting.details.blocked_reasons &&
  sighting.details.failure !== 'policy';

/**
 * What a scan saw at work, by recipient and category. Vendors come first, by name, then hosts, then the site itself.
 */
export function groupSightings(sightings: readonly Sighting[], knowledge: Knowledge): Recipient[] {
  const { vendors, entries, classify, findUsual } = knowledge;
  const active = entries.filter(({ status }) => status === 'active');
  const found = new Map<string, Recipient>();
  for (const sighting of sightings) {
    const isStored = sighting.resourceType === 'cookie';
    const vendor = vendors.get(sighting.vendorId ?? 0) ?? null;
    // A form of the site itself sends to the site.
    if (!wasAtWork(sighting) || (!isStored && !vendor && !sighting.thirdParty)) continue;
    const own = classify(sighting);
    const placed = listSightingCategories(sighting, vendor, knowledge);
    const host = vendor || !sighting.thirdParty ? null : withoutPort(sighting.host);
    const domain = withoutPort(sighting.host);
    for (const category of own ? [own.category] : placed) {
      const key = JSON.stringify([vendor?.id ?? host, category]);
      const recipient = found.get(key) ?? {
        vendor,
        host,
        category,
        domains: [],
        stored: [],
        entries: active.filter((entry) => entry.vendor_id === vendor?.id),
      };
      found.set(key, recipient);
      const { domains, stored } = recipient;
      if (sighting.thirdParty && !domains.includes(domain)) domains.push(domain);
      if (isStored) {
        addStored(stored, {
          ...toStoredItem(sighting, domain),
          usual: vendor ? findUsual(vendor, sighting.name, domain) : undefined,
          purpose: own?.purpose || null,
        });
      }
    }
  }
  for (const { domains, stored } of found.values()) {
    domains.sort();
    stored.sort((a, b) => compare(a.name, b.name) || compare(a.domain, b.domain));
  }
  return [...found.values()].sort(
    (a, b) => rank(a) - rank(b) || compare(getSortName(a), getSortName(b)) || 0,
  );
}

const withoutPort = (host: string): string => host.replace(/:\d+$/, '');

const rank = ({ vendor, host }: Recipient): number => (vendor ? 0 : host === null ? 2 : 1);

const getSortName = ({ vendor, host }: Recipient): string =>
  vendor?.name.toLowerCase() ?? host ?? '';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function toStoredItem({ name, details }: Sighting, host: string) {
  const { pattern, domain, storage, duration_seconds: seconds } = details;
  const kind = STORED_KINDS.find((each) => each === storage) ?? 'cookie';
  return {
    name: typeof pattern === 'string' ? pattern : name,
    kind,
    domain: typeof domain === 'string' ? domain : host,
    duration: toDuration(kind, seconds),
  };
}

function toDuration(kind: StoredItem['kind'], seconds: unknown): Duration {
  if (kind === 'local' || kind === 'indexeddb') return 'until_deleted';
  return typeof seconds === 'number' ? seconds : 'session';
}

/** Adds an item. If it has several durations, the longest counts. */
function addStored(items: StoredItem[], item: StoredItem): void {
  const known = items.find(
    ({ name, kind, domain }) => name === item.name && kind === item.kind && domain === item.domain,
  );
  if (!known) items.push(item);
  else if (getLength(item.duration) > getLength(known.duration)) known.duration = item.duration;
}

const getLength = (duration: Duration): number =>
  duration === 'session' ? 0 : duration === 'until_deleted' ? Number.POSITIVE_INFINITY : duration;
