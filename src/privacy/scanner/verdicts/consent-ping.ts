import type { StateVisit } from '../observation.ts';

/** Hosts of Google that receive Consent Mode requests. */
const GOOGLE =
  /(?:^|\.)(?:google-analytics|analytics\.google|googletagmanager|googleadservices|googlesyndication|doubleclick|google)\.(?:com|net|[a-z]{2,3}(?:\.[a-z]{2})?)$/;
/**
 * Parameters with identifiers of a browser, user, click or session (Google Analytics 4 and Google Ads tags). `_gid` and
 * `_fid` belong to the older Analytics.
 */
const IDENTIFIERS =
  /^(?:cid|uid|sid|_gid|_fid|jid|gjid|auid|guid|gac|gacid|gclid|gclaw|gclgb|gcldc|dclid|gbraid|wbraid|fbclid|rdid|ecid|_gcl.*|gcl_.*|em|user_id|client_id)$/i;

/** What Google Analytics draws anew for each page load while consent is denied, otherwise identifiers. */
const CLIENT_IDS = ['cid', 'sid'];

/**
 * Whether a URL is a request of Google Consent Mode with all consent denied and without identifiers: `gcs=G100`, as
 * documented for Consent Mode ("cookieless pings"). Requests that name a visitor, a click or a session are not.
 * @param hasRandomIds as returned by {@link hasRandomClientIds} for the visits of the page
 */
export function isConsentPing(address: string, hasRandomIds = false): boolean {
  const params = readDenied(address);
  if (!params) return false;
  return [...params].every(
    ([name, value]) =>
      value === '' || !IDENTIFIERS.test(name) || (hasRandomIds && CLIENT_IDS.includes(name)),
  );
}

/**
 * Whether a visit that loaded the page more than once sent a different client id (`cid`) for the same property. With
 * denied consent, Google Analytics sends a "random number generated on each page load" (Google, Consent Mode
 * documentation); an id that is the same again would identify the browser.
 */
export const hasRandomClientIds = (visits: readonly Pick<StateVisit, 'requests'>[]): boolean =>
  visits.some(({ requests }) => {
    const sent = requests.flatMap(({ url }) => readDenied(url) ?? []);
    const byProperty = Map.groupBy(sent, (params) => params.get('tid'));
    return [...byProperty.values()].some(
      (same) => new Set(same.flatMap((params) => params.get('cid') || [])).size > 1,
    );
  });

/** The parameters of a request of Google Consent Mode with all consent denied. */
function readDenied(address: string): URLSearchParams | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const { hostname, pathname, searchParams } = url;
  // Server-side tagging receives them on a host of the site.
  if (!GOOGLE.test(hostname) && !pathname.endsWith('/g/collect')) return undefined;
  return searchParams.get('gcs') === 'G100' ? searchParams : undefined;
}
