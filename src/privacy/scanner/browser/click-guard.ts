import { isSameSite } from '../site.ts';
import type { BannerKind } from './accept-button.ts';

/** Our click on an accept button, for judging what the page asks for from then on. */
export interface Click {
  kind: BannerKind;
  /** The page that is scanned. */
  page: URL;
}

export interface LaterRequest {
  method: string;
  url: string;
  /** The document that is there now, where the request would put another one in its place. */
  replaces?: string | undefined;
  /** A document for a frame, or for the page. */
  isDocument: boolean;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PURCHASE =
  /(^|[^a-z])(orders?|place[-_]?order|check-?out|purchase|payments?|pay|buy|basket|cart|add[-_]?to|subscri\w*|bookings?|donat\w*|bestell\w*|warenkorb|kasse|commandes?|panier|pedidos?|carrito|compra\w*|ordin[ei]|carrello|acquist\w*|winkelwagen|afrekenen|zamow\w*|koszyk)([^a-z]|$)/i;

/**
 * Whether a request may be an effect of our click that nobody wants: a form that is sent, a way to
 * another page, a purchase. Consent banners may store what was chosen by requests of their scripts;
 * what is no banner for certain may only read.
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

/** Loaded anew, perhaps with another query, as many banners have it after a choice. */
const isSamePage = (url: URL, before: URL | null): boolean =>
  before !== null && url.origin === before.origin && url.pathname === before.pathname;
