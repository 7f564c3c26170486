import { isHtml } from '../html/html-text.ts';
import type { Fetched } from '../net/guarded-fetch.ts';
import type { PlannedPage } from '../store.ts';
import { cleanUrl, toPageKey } from './page-url.ts';

/** More pages that differ only in their query, for example of a calendar, add nothing. */
const MAX_VARIANTS = 10;

/** The distinct pages of a scan, up to a maximum. */
export class PageList {
  readonly #maxPages: number;
  /** Distances from the home page by URL. */
  readonly #pages = new Map<string, number | null>();
  /** Listed pages and their redirect targets. */
  readonly #known = new Set<string>();
  readonly #variants = new Map<string, number>();

  constructor(listed: readonly PlannedPage[], maxPages: number) {
    this.#maxPages = maxPages;
    for (const { url: address, distance } of listed) {
      const url = new URL(address);
      this.#pages.set(address, distance);
      this.#known.add(toPageKey(url));
      if (distance !== 0) this.#count(url);
    }
  }

  get pages(): PlannedPage[] {
    return Array.from(this.#pages, ([url, distance]) => ({ url, distance }));
  }

  get isFull(): boolean {
    return this.#pages.size >= this.#maxPages;
  }

  /** @returns whether it was added */
  add(url: URL, distance: number | null): boolean {
    const key = toPageKey(url);
    if (this.isFull || this.#known.has(key)) return false;
    if ((this.#variants.get(url.pathname) ?? 0) >= MAX_VARIANTS) return false;
    this.#count(url);
    this.#known.add(key);
    this.#pages.set(url.href, distance);
    return true;
  }

  /** Removes a URL that is not a page or redirects to a known one. */
  keepIfPage(url: string, page: Fetched): boolean {
    const key = toPageKey(cleanUrl(new URL(page.url)));
    const isAnother = key !== toPageKey(new URL(url));
    const stays =
      (isHtml(page) || page.externalRedirect !== undefined) && !(isAnother && this.#known.has(key));
    this.#known.add(key);
    if (!stays) this.#pages.delete(url);
    return stays;
  }

  #count({ pathname }: URL): void {
    this.#variants.set(pathname, (this.#variants.get(pathname) ?? 0) + 1);
  }
}
