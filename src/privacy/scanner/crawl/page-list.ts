import { isHtml } from '../html/html-text.ts';
import type { Fetched } from '../net/guarded-fetch.ts';
import type { PlannedPage } from '../store.ts';
import { cleanUrl, toPageKey } from './page-url.ts';

/** More pages that differ only in their query, for example of a calendar, add nothing. */
const MAX_VARIANTS = 10;
/** Name a page of a site with plain permalinks, whose pages all have the path `/` (WordPress, get_permalink). */
const PAGE_PARAMETERS = ['p', 'page_id', 'cat', 'post_type', 'attachment_id'];

/** The distinct pages of a scan, up to a maximum. */
export class PageList {
  readonly #maxPages: number;
  /** Distances from the home page by URL. */
  readonly #pages = new Map<string, number | null>();
  /** Listed pages and their redirect targets. */
  readonly #known = new Set<string>();
  readonly #variants = new Map<string, number>();
  /** Why pages were left out, if any were. */
  limit: 'max_pages' | 'variants' | null = null;

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
    if (this.#known.has(key)) return false;
    if ((this.#variants.get(toVariantKey(url)) ?? 0) >= MAX_VARIANTS) {
      this.limit ??= 'variants';
      return false;
    }
    if (this.isFull) {
      this.limit = 'max_pages';
      return false;
    }
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

  #count(url: URL): void {
    const key = toVariantKey(url);
    this.#variants.set(key, (this.#variants.get(key) ?? 0) + 1);
  }
}

/** Equal for pages that differ only in parameters that name no page. */
const toVariantKey = ({ pathname, searchParams }: URL): string =>
  [pathname, ...PAGE_PARAMETERS.map((name) => searchParams.get(name) ?? '')].join(' ');
