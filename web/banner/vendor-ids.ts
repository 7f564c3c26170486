import type { ConsentState } from './model.ts';
import type { Choice, Rule, ServedVendors, VendorChoice } from './wire.ts';

/*
 * Part of the banner file only if visitors can choose vendors. A vendor has an id for each category of its scripts:
 * `category/vendor`, as the rules of automatic blocking have it.
 */

/**
 * Adds the vendors to lists of categories. The choice of a vendor itself comes first, then that of its category.
 * @param given a choice that the server has rejected has a negative version and accepts nothing
 * @param last the last choice. Where it no longer counts, the visitor's objections to vendors still do
 * @returns the vendors that differ from their category
 */
export function addVendors(
  accepted: string[],
  rejected: string[],
  given: Choice | undefined,
  last: Choice | undefined,
  rules: readonly Rule[] = [],
): VendorChoice {
  const choice: VendorChoice =
    given && given.version >= 0 ? given : { vendors_rejected: last?.vendors_rejected };
  for (const id of new Set(rules.map(([id]) => id))) {
    const [category, vendor] = id.split('/') as [string, string?];
    if (!vendor) continue;
    const isAccepted =
      choice.vendors_accepted?.includes(vendor) ||
      (!choice.vendors_rejected?.includes(vendor) && accepted.includes(category));
    (isAccepted ? accepted : rejected).push(id);
  }
  return {
    vendors_accepted: choice.vendors_accepted,
    vendors_rejected: choice.vendors_rejected,
  };
}

/**
 * The category of a tag that the page has prepared, with the vendor of its address: `category/vendor`, so that a
 * vendor that the visitor has rejected stays blocked there, too.
 */
export function toVendorId(
  category: string,
  source: string,
  { rules = [], vendors = {} }: { rules?: readonly Rule[]; vendors?: ServedVendors },
  { vendors_accepted, vendors_rejected }: VendorChoice = {},
): string {
  if (!category || !source || category.includes('/')) return category;
  const { host, hostname, pathname, search } = Object.assign(document.createElement('a'), {
    href: source,
  });
  const rule = rules.find(([, address]) => (host + pathname + search).startsWith(address));
  const matches = (domain: string) => `.${hostname}`.endsWith(`.${domain}`);
  const vendor =
    rule?.[0].split('/')[1] ??
    Object.keys(vendors).find((slug) => vendors[slug]?.[1].split(' ').some(matches));
  if (!vendor) return category;
  const id = `${category}/${vendor}`;
  const ids = rules.map(([each]) => each).filter((each) => each.endsWith(`/${vendor}`));
  // An id that no rule has is in no list, so that it is blocked.
  if (ids.includes(id) || vendors_rejected?.includes(vendor)) return id;
  return (vendors_accepted?.includes(vendor) && ids[0]) || category;
}

/** What `window.pavis` has in addition. */
export const vendorApi = {
  /** Whether a vendor is accepted in all categories of its scripts; false for one that visitors cannot choose. */
  hasVendor(this: { state: ConsentState }, slug: string): boolean {
    const { accepted, rejected } = this.state;
    const matches = (id: string) => id.split('/')[1] === slug;
    return accepted.some(matches) && !rejected.some(matches);
  },
};
