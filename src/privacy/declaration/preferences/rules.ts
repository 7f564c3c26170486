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
 * Adds to what the scan saw what is registered, and the vendors that the data map declares with consent as legal basis.
 * @param seen with registered vendors in the categories of their scripts
 * @param entries active ones
 */
export function listRecipients(
  seen: readonly Recipient[],
  entries: Recipient['entries'],
  vendors: ReadonlyMap<number, KnownVendor>,
  scripts: readonly RegisteredScript[],
): Listed[] {
  const found: Listed[] = seen.map((each) => ({ ...each }));
  const add = (vendor: KnownVendor, category: string) => {
    const own = entries.filter((entry) => entry.vendor_id === vendor.id);
    found.push({ vendor, host: null, category, domains: [], stored: [], entries: own });
  };
  for (const { vendor, category, label, host } of scripts) {
    const inCategory = found.filter((each) => each.category === category);
    if (vendor) {
      if (!inCategory.some((each) => each.vendor?.id === vendor.id)) add(vendor, category);
    } else if (!inCategory.some((each) => getName(each) === label)) {
      const unnamed = inCategory.find((each) => each.host === host && each.label === undefined);
      if (unnamed) unnamed.label = label;
      else found.push({ label, vendor, host, category, domains: [], stored: [], entries: [] });
    }
  }
  for (const { legal_basis, vendor_id } of entries) {
    const vendor = vendors.get(vendor_id);
    const isListed = found.some((each) => each.vendor?.id === vendor_id);
    if (vendor && legal_basis === 'consent' && !isListed) add(vendor, vendor.category);
  }
  return found.sort(compareNames);
}

const getName = ({ label, vendor, host }: Listed): string => label ?? vendor?.name ?? host ?? '';

/** The site itself, which has no name here, comes last. */
const compareNames = (one: Listed, other: Listed): number =>
  Number(getName(one) === '') - Number(getName(other) === '') ||
  getName(one).localeCompare(getName(other), 'en');
