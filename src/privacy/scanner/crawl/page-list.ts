import { isHtml } from '../html/html-text.ts';
import type { Fetched } from '../net/guarded-fetch.ts';
import type { PlannedPage } from '../store.ts';
import { cleanUrl, toPageKey } from './page-url.ts';

/** Pages that differ in their query alone, as those of a calendar; more of one kind add nothing. */
const MAX_VARIANTS = 10;

/** The pages of a scan as they are found, each once, and no more than allowed. */
export class PageList {
  readonly #maxPages: number;
  /** Each address with its distance from the home page. */
  readonly #pages = new Map<string, number | null>();
  /** What is listed, and where listed pages redirect to. */
  readonly #known = new Set<string>();
  readonly #variants = new Map<string, number>();

  /** @param listed pages that are on the list already, the home page first */
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

  /** Whether it is new. */
  add(url: URL, distance: number | null): boolean {
    const key = toPageKey(url);
    if (this.isFull || this.#known.has(key)) return false;
    if ((this.#variants.get(url.pathname) ?? 0) >= MAX_VARIANTS) return false;
    this.#count(url);
    this.#known.add(key);
    this.#pages.set(url.href, distance);
    return true;
  }

  /** Removes a URL that is not a page or redirects to a known one. Returns whether it stays on the list. */
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
