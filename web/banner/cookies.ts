import { ask } from './wire.ts';

/**
 * Removes what the services of these categories keep in the site's own cookies and storage: under the
 * names that the server knows of them, and those that gated tags declare (`data-cookies`).
 * @param base the address of the consent routes
 */
export async function forget(categories: readonly string[], base: string): Promise<void> {
  const known = await ask<Record<string, string[]>>(`${base}/cookies`);
  const names = categories.flatMap((category) => [
    ...(known?.[category] ?? []),
    ...declared(category),
  ]);
  const patterns = names.map((name) =>
    RegExp(`^${name.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`),
  );
  const isTheirs = (name: string) => patterns.some((pattern) => pattern.test(name));
  for (const part of document.cookie.split('; ')) {
    const [name = ''] = part.split('=');
    if (isTheirs(name)) expire(name);
  }
  for (const name of Object.keys(localStorage).filter(isTheirs)) localStorage.removeItem(name);
}

/** What the tags of a category say they set, as `data-cookies="name other_*"`. */
const declared = (category: string): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-cookies]')]
    .filter(({ dataset }) => (dataset.pavisCategory ?? dataset.category) === category)
    .flatMap(({ dataset }) => dataset.cookies?.match(/[^\s,]+/g) ?? []);

/** The browser does not tell for which domain a cookie was set, so each that it may be is tried. */
function expire(name: string): void {
  const labels = location.hostname.split('.');
  for (const at of ['', ...labels.map((_, from) => `;Domain=${labels.slice(from).join('.')}`)]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the page is reloaded next
    document.cookie = `${name}=;Path=/;Max-Age=0${at}`;
  }
}
