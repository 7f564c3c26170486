const DEFAULT_PORTS = new Set(['', '80', '443']);

const bareHost = (url: URL): string => url.hostname.replace(/\.$/, '').replace(/^www\.(?=.)/, '');
const ownPort = (url: URL): string => (DEFAULT_PORTS.has(url.port) ? '' : url.port);
const isWeb = (url: URL): boolean => url.protocol === 'http:' || url.protocol === 'https:';

/** Whether two URLs are of one site: the same origin, or one that sites redirect to at once, with or without `www.` and TLS. */
export const isSameSite = (a: URL, b: URL): boolean =>
  a.origin === b.origin ||
  (isWeb(a) && isWeb(b) && bareHost(a) === bareHost(b) && ownPort(a) === '' && ownPort(b) === '');

/** Whether two addresses are of one protected site, which may have moved to TLS, or to or from `www.`. */
export const isSameSiteUrl = (a: string, b: string): boolean => {
  const [one, other] = [new URL(a), new URL(b)];
  return isSameSite(one, other) && one.pathname === other.pathname;
};

/** Whether a URL is below the site's path; a site at `/shop` has nothing at `/` or `/shopping`. */
export function isBelow(url: URL, site: URL): boolean {
  const folder = site.pathname.replace(/\/+$/, '');
  return url.pathname === folder || url.pathname.startsWith(`${folder}/`);
}

/**
 * A page of the protected site as the scanner asks for it: without fragment .
 * @returns undefined if it is of another site, outside the site's path, or has user or password
 */
export function toSitePage(text: string, siteUrl: string): string | undefined {
  const url = URL.parse(text);
  const site = new URL(siteUrl);
  if (!url || url.username + url.password !== '') return undefined;
  if (!isSameSite(url, site) || !isBelow(url, site)) return undefined;
  url.hash = '';
  return url.href;
}
