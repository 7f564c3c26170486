import type { Entry } from '../../data-map/index.ts';
import type { KnownVendor } from '../../vendors/index.ts';
import { type Knowledge, listSightingCategories, type Sighting, wasAtWork } from '../rules.ts';

/** A vendor or host that a scan saw, and that the data map does not name. */
export interface Undeclared {
  /** Null: a host without a known vendor. */
  vendor: KnownVendor | null;
  /** The hosts on which it was seen. */
  hosts: string[];
  category: string | null;
  /** When a scan first saw it, in epoch milliseconds. */
  since: number;
}

/** An active entry of the data map whose vendor the latest scan did not see. */
export interface Unseen {
  entry: Entry;
  /** When the first of these scans was completed, in epoch milliseconds. */
  since: number;
  /** When the last scan that saw it was completed; null if none of the listed scans did. */
  lastSeen: number | null;
  /** The latest scans in a row that did not see it. */
  scans: number;
}

/** Third parties without an active entry of the data map, known vendors first. */
export function findUndeclared(
  sightings: readonly Sighting[],
  vendors: ReadonlyMap<number, KnownVendor>,
  knowledge: Pick<Knowledge, 'entries' | 'registered' | 'registeredHosts'>,
): Undeclared[] {
  const declared = new Set(
    knowledge.entries.filter(({ status }) => status === 'active').map(({ vendor_id }) => vendor_id),
  );
  const found = new Map<string, Undeclared>();
  for (const sighting of sightings) {
    const { vendorId, thirdParty, firstSeen } = sighting;
    const vendor = vendors.get(vendorId ?? 0) ?? null;
    if (!wasAtWork(sighting) || (vendor ? declared.has(vendor.id) : !thirdParty)) continue;
    // Cookies know no port.
    const host = sighting.host.replace(/:\d+$/, '');
    const key = vendor ? String(vendor.id) : host;
    const known = found.get(key);
    if (!known) {
      const [category = null] = listSightingCategories(sighting, vendor, knowledge);
      found.set(key, { vendor, hosts: [host], since: firstSeen, category });
      continue;
    }
    known.since = Math.min(known.since, firstSeen);
    if (!known.hosts.includes(host)) known.hosts.push(host);
  }
  return [...found.values()].sort(
    (a, b) =>
      Number(b.vendor !== null) - Number(a.vendor !== null) || (getName(a) < getName(b) ? -1 : 1),
  );
}

const getName = ({ vendor, hosts }: Undeclared): string =>
  vendor?.name.toLowerCase() ?? hosts[0] ?? '';

/**
 * Active entries whose vendor the latest scan did not see. Vendors without domains and cookies are left out: a scan
 * could not recognise them.
 * @param scans newest first, with the vendors that each saw
 */
export function findUnseen(
  scans: readonly { completedAt: number; vendors: ReadonlySet<number> }[],
  vendors: ReadonlyMap<number, KnownVendor>,
  entries: readonly Entry[],
): Unseen[] {
  return entries.flatMap((entry) => {
    const vendor = vendors.get(entry.vendor_id);
    const isVisible = vendor !== undefined && vendor.domains.length + vendor.cookies.length > 0;
    if (entry.status !== 'active' || !isVisible) return [];
    const last = scans.findIndex(({ vendors: seen }) => seen.has(entry.vendor_id));
    const missed = last < 0 ? scans.length : last;
    const first = scans[missed - 1];
    if (!first) return [];
    const lastSeen = scans[last]?.completedAt ?? null;
    return [{ entry, since: first.completedAt, lastSeen, scans: missed }];
  });
}
