import type { Vendors } from './vendors.ts';
import { ask } from './wire.ts';

/**
 * Deletes, until the page is reloaded, the cookies and localStorage keys of what is withdrawn. Those that what is still
 * accepted has, too, are kept.
 * @param withdrawn categories, and vendors as `category/vendor`
 * @param base the address of the consent routes
 */
export async function deleteVendorData(
  withdrawn: readonly string[],
  base: string,
  accepted: readonly string[],
): Promise<void> {
  const ids = [...withdrawn, ...accepted];
  const [names = {}, vendors] = await Promise.all([
    ask<Record<string, string[]>>(`${base}/cookies`),
    ids.some((id) => id.includes('/')) ? ask<Vendors>(`${base}/vendors`) : undefined,
  ]);
  const ofVendors = ids.map((id): [string, string[]] => {
    const [category, slug] = id.split('/') as [string, string?];
    const vendor = vendors?.categories[category]?.find((each) => slug && each.slug === slug);
    return [id, vendor?.stored?.map(({ name }) => name) ?? []];
  });
  const patterns = [...Object.entries(names), ...ofVendors].flatMap(([id, all]) =>
    all.map((name) => toPattern(id, name)),
  );
  function isWithdrawn(name: string): boolean {
    const matching = patterns.filter(({ regex }) => regex.test(name));
    const longest = Math.max(...matching.map(({ weight }) => weight));
    const found = matching.filter(({ weight }) => weight === longest).map(({ id }) => id);
    // The choice of a vendor comes before that of its category.
    const counting = found.filter((id) => !found.some((other) => other.startsWith(`${id}/`)));
    const isIn = (list: readonly string[]) => counting.some((id) => list.includes(id));
    return isIn(withdrawn) && !isIn(accepted);
  }
  const known = new Map<string, boolean>();
  function isTheirs(name: string): boolean {
    const is = known.get(name) ?? isWithdrawn(name);
    known.set(name, is);
    return is;
  }
  function remove(): void {
    try {
      for (const part of document.cookie.split('; ')) {
        const name = part.split('=')[0] as string;
        if (isTheirs(name)) expire(name);
      }
      for (const name of Object.keys(localStorage).filter(isTheirs)) localStorage.removeItem(name);
    } catch {
      // Browsers can deny access to cookies and storage. The page has to be reloaded nevertheless.
    }
  }
  remove();
  // What still runs can write them again until the page is reloaded, also when it is left.
  setInterval(remove, 50);
  for (const event of ['pagehide', 'visibilitychange']) addEventListener(event, remove);
}

/** The exact name counts more than patterns, and longer patterns more than shorter ones. */
const toPattern = (id: string, name: string) => ({
  id,
  regex: RegExp(`^${name.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`),
  weight: name.includes('*') ? name.replaceAll('*', '').length : Number.POSITIVE_INFINITY,
});

/** Scripts cannot read the domain and the path of a cookie, so each possible one is tried. */
function expire(name: string): void {
  const domains = [''];
  for (let host = location.hostname; host; host = host.replace(/^[^.]*.?/, '')) {
    domains.push(`;Domain=${host}`);
  }
  for (let path = location.pathname; path; path = path.replace(/(?:[^/]+|\/)$/, '')) {
    for (const domain of domains) {
      // Names such as __Secure-id require the first, partitioned cookies both.
      for (const flags of ['', ';Secure', ';Secure;Partitioned']) {
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous
        document.cookie = `${name}=;Max-Age=0;Path=${path}${domain}${flags}`;
      }
    }
  }
}
