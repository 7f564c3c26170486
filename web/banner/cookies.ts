import type { Vendors } from './vendors.ts';
import { ask } from './wire.ts';

/**
 * Deletes, until the page is reloaded, the cookies and localStorage keys of the vendors of these categories, and of vendors as `category/vendor`.
 * @param base the address of the consent routes
 */
export async function deleteVendorData(categories: readonly string[], base: string): Promise<void> {
  const [names, vendors] = await Promise.all([
    ask<Record<string, string[]>>(`${base}/cookies`),
    categories.some((id) => id.includes('/')) ? ask<Vendors>(`${base}/vendors`) : undefined,
  ]);
  const listNames = (id: string): string[] => {
    const [category, slug] = id.split('/') as [string, string?];
    const vendor = vendors?.categories[category]?.find((each) => each.slug === slug);
    return (slug ? vendor?.stored?.map(({ name }) => name) : names?.[category]) ?? [];
  };
  const listed = categories.flatMap(listNames).join('|');
  const pattern = listed.replace(/[^\w*|]/g, '\\$&').replaceAll('*', '.*');
  const isTheirs = (name: string) => RegExp(`^(${pattern})$`).test(name);
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

/** Scripts cannot read the domain and the path of a cookie, so each possible one is tried. */
function expire(name: string): void {
  const domains = [''];
  for (let host = location.hostname; host; host = host.replace(/^[^.]*.?/, '')) {
    domains.push(`;Domain=${host}`);
  }
  for (let path = location.pathname; path; path = path.replace(/(?:[^/]+|\/)$/, '')) {
    for (const domain of domains) {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous
      document.cookie = `${name}=;Max-Age=0;Path=${path}${domain}`;
    }
  }
}
