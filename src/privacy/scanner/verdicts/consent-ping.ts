/** Hosts of Google that receive Consent Mode requests. */
const GOOGLE =
  /(?:^|\.)(?:google-analytics|analytics\.google|googletagmanager|googleadservices|googlesyndication|doubleclick|google)\.(?:com|net|[a-z]{2,3}(?:\.[a-z]{2})?)$/;
/**
 * Parameters with identifiers of a browser, user, click or session (Google Analytics 4 and Google Ads tags). `_gid` and
 * `_fid` belong to the older Analytics.
 */
const IDENTIFIERS =
  /^(?:cid|uid|sid|_gid|_fid|jid|gjid|auid|guid|gac|gacid|gclid|gclaw|gclgb|gcldc|dclid|gbraid|wbraid|fbclid|rdid|ecid|_gcl.*|gcl_.*|em|user_id|client_id)$/i;

/**
 * Whether a URL is a request of Google Consent Mode with all consent denied and without identifiers: `gcs=G100`, as
 * documented for Consent Mode ("cookieless pings"). Requests that name a visitor, a click or a session are not.
 */
export function isConsentPing(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const { hostname, pathname, searchParams } = url;
  // Server-side tagging receives them on a host of the site.
  if (!GOOGLE.test(hostname) && !pathname.endsWith('/g/collect')) return false;
  if (searchParams.get('gcs') !== 'G100') return false;
  return [...searchParams].every(([name, value]) => value === '' || !IDENTIFIERS.test(name));
}
