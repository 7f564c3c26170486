import { isSameSite } from '../site.ts';
import type { BannerKind } from './accept-button.ts';

/** The click on the accept button. */
export interface Click {
  kind: BannerKind;
  page: URL;
}

export interface LaterRequest {
  method: string;
  url: string;
  /** URL of the document that the request would replace. */
  replaces?: string | undefined;
  isDocument: boolean;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PURCHASE =
  /(^|[^a-z])(orders?|place[-_]?order|check-?out|purchase|payments?|pay|buy|basket|cart|add[-_]?to|subscri\w*|bookings?|donat\w*|bestell\w*|warenkorb|kasse|commandes?|panier|pedidos?|carrito|compra\w*|ordin[ei]|carrello|acquist\w*|winkelwagen|afrekenen|zamow\w*|koszyk)([^a-z]|$)/i;

/**
 * Whether a request after our click may cause harm: it submits a form, navigates or buys something. Scripts of a
 * consent banner may store the choice. If the button may not belong to a banner, only reads are allowed.
 */
export function isHarmful({ kind, page }: Click, request: LaterRequest): boolean {
  const url = URL.parse(request.url);
  if (!url) return true;
  const isWrite = !READS.has(request.method);
  if (request.isDocument && isWrite) return true;
  if (request.replaces !== undefined) return !isSamePage(url, URL.parse(request.replaces));
  if (!isWrite) return false;
  return kind === 'in_page' || (isSameSite(url, page) && PURCHASE.test(url.pathname + url.search));
}

/** Many banners reload the page after a choice, some with another query. */
const isSamePage = (url: URL, before: URL | null): boolean =>
  before !== null && url.origin === before.origin && url.pathname === before.pathname;
