import { setCookie } from './choice.ts';
import { ask } from './wire.ts';

/**
 * Removes what the vendors of these categories keep in the site's own cookies and storage, under the
 * names that the server knows of them.
 * @param base the address of the consent routes
 */
export async function forget(categories: readonly string[], base: string): Promise<void> {
  const known = await ask<Record<string, string[]>>(`${base}/cookies`);
  const names = categories.flatMap((category) => known?.[category] ?? []).join('|');
  const pattern = names.replace(/[^\w*|]/g, '\\$&').replaceAll('*', '.*');
  const isTheirs = (name: string) => RegExp(`^(${pattern})$`).test(name);
  for (const part of document.cookie.split('; ')) {
    const name = part.split('=')[0] as string;
    if (isTheirs(name)) expire(name);
  }
  for (const name of Object.keys(localStorage).filter(isTheirs)) localStorage.removeItem(name);
}

/** The browser does not tell for which domain a cookie was set, so each that it may be is tried. */
function expire(name: string): void {
  setCookie(name, '', 0);
  for (let host = location.hostname; host; host = host.replace(/^[^.]*.?/, '')) {
    setCookie(name, `;Domain=${host}`, 0);
  }
}
