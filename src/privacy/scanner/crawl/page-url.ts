import { URL_MAX_LENGTH } from '../../../platform/http/limits.ts';
import { isBelow, isSameSite } from '../site.ts';

const TRACKING =
  /^(utm_\w+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|twclid|yclid|mc_[ce]id|_ga|_gl)$/i;
const INDEX = /\/(index|default)\.(html?|php|aspx?|jsp)$/i;
const SESSION_ID = /;jsessionid=[^/?]*/gi;
const OTHER_FILES =
  /\.(7z|apk|atom|avi|avif|bin|bmp|bz2|css|csv|dmg|docx?|eot|epub|exe|gif|gz|heic|ico|ics|iso|jpe?g|js|json|m4[av]|mjs|mov|mp[34]|mpe?g|od[pst]|og[agv]|pdf|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|txt|vcf|wasm|wav|web[mp]|webmanifest|woff2?|xlsx?|xml|zip)$/i;

const ACTING_SEGMENTS = new Set(
  `logout log-out signout sign-out logoff log-off abmelden deconnexion wp-login wp-admin wp-json
  xmlrpc cdn-cgi unsubscribe opt-out delete remove destroy add-to-cart addtocart add_to_cart`.split(
    /\s+/,
  ),
);
const ACTING_PARAMETERS =
  /^(action|.*nonce|add[-_]to[-_](cart|wishlist)|remove_item|undo_item|replytocom|logout|delete|unsubscribe|share)$/i;

/** Equal for all URLs of a page. */
export function toPageKey(url: URL): string {
  const path = url.pathname.replace(INDEX, '/').replace(/\/+$/, '');
  return path + url.search;
}

/** Without tracking parameters, session ID and fragment. */
export function cleanUrl(url: URL): URL {
  const clean = new URL(url);
  clean.hash = '';
  clean.pathname = clean.pathname.replace(SESSION_ID, '');
  // Deleting parameters normalises the encoding of the others.
  const names = [...clean.searchParams.keys()].filter((name) => TRACKING.test(name));
  for (const name of names) clean.searchParams.delete(name);
  // Removes a lone `?`.
  if (clean.search === '') clean.search = '';
  return clean;
}

/** The folder of the site, at the origin of its home page, which may be a page below it: many sites redirect to `/en/`. */
export const toSiteRoot = (siteUrl: string, home: URL): URL =>
  new URL(home.origin + new URL(siteUrl).pathname);

/**
 * The page of the site that a link leads to, with the origin of the home page. Undefined for other sites, files, and
 * links with an effect (sign out, add to cart).
 * @param root as returned by `toSiteRoot`
 */
export function toPageUrl(href: string, baseUrl: string, root: URL): URL | undefined {
  const link = URL.parse(href, baseUrl);
  if (!link || link.username + link.password !== '' || !isSameSite(link, root)) return undefined;
  // Not resolved against the origin: a path that begins with `//` would name another host.
  const url = cleanUrl(new URL(root.origin + link.pathname + link.search));
  if (url.href.length > URL_MAX_LENGTH) return undefined;
  return isBelow(url, root) && !OTHER_FILES.test(url.pathname) && !acts(url) ? url : undefined;
}

function acts(url: URL): boolean {
  const segments = url.pathname.toLowerCase().split('/');
  return (
    segments.some((segment) => ACTING_SEGMENTS.has(segment.replace(/\.\w+$/, ''))) ||
    [...url.searchParams].some(
      ([name, value]) => ACTING_PARAMETERS.test(name) || ACTING_SEGMENTS.has(value.toLowerCase()),
    )
  );
}
