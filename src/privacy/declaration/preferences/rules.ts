import type { KnownVendor } from '../../vendors/index.ts';
import type { Recipient } from '../rules.ts';

/** A recipient of the preferences; `label` is that of a registered script of an unknown vendor. */
export interface Listed extends Recipient {
  label?: string;
}

interface RegisteredScript {
  label: string;
  category: string;
  vendor: KnownVendor | null;
  host: string;
}

/**
 * Adds to what the scan saw the vendors that the data map declares with consent as legal basis, and what is registered.
 * A registered vendor is listed in the categories of its scripts, because these decide when it loads.
 * @param entries active ones
 */
export function listRecipients(
  seen: readonly Recipient[],
  entries: Recipient['entries'],
  vendors: ReadonlyMap<number, KnownVendor>,
  scripts: readonly RegisteredScript[],
): Listed[] {
  const found: Listed[] = [...seen];
  const add = (vendor: KnownVendor, category: string) => {
    if (found.some((each) => each.vendor?.id === vendor.id)) return;
    const own = entries.filter((entry) => entry.vendor_id === vendor.id);
    found.push({ vendor, host: null, category, domains: [], stored: [], entries: own });
  };
  for (const { legal_basis, vendor_id } of entries) {
    const vendor = vendors.get(vendor_id);
    if (vendor && legal_basis === 'consent') add(vendor, vendor.category);
  }
  const registered = new Map<number, Set<string>>();
  for (const { vendor, category, label, host } of scripts) {
    if (vendor) {
      add(vendor, category);
      registered.set(vendor.id, (registered.get(vendor.id) ?? new Set()).add(category));
    } else if (!found.some((each) => each.category === category && getName(each) === label))
      found.push({ label, vendor, host, category, domains: [], stored: [], entries: [] });
  }
  const placed = found.flatMap((each) => {
    const categories = each.vendor && registered.get(each.vendor.id);
    const isOwners = each.category !== each.vendor?.category && seen.includes(each);
    return categories && !isOwners
      ? [...categories].map((category) => ({ ...each, category }))
      : [each];
  });
  return mergeSame(placed).sort(compareNames);
}

const getName = ({ label, vendor, host }: Listed): string => label ?? vendor?.name ?? host ?? '';

/** The site itself, which has no name here, comes last. */
const compareNames = (one: Listed, other: Listed): number =>
  Number(getName(one) === '') - Number(getName(other) === '') ||
  getName(one).localeCompare(getName(other), 'en');

function mergeSame(listed: readonly Listed[]): Listed[] {
  const merged = new Map<string, Listed>();
  for (const each of listed) {
    const key = JSON.stringify([each.vendor?.id ?? getName(each), each.category]);
    const same = merged.get(key);
    merged.set(key, same ? { ...same, stored: [...same.stored, ...each.stored] } : each);
  }
  return [...merged.values()];
}
