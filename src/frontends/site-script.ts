/** The placeholder for the REST root in scripts for sites (web/banner/rest-root.ts, web/declaration/index.ts). */
const REST_ROOT = '/wp-json#rest-root';

/** Headers of scripts that pages of other origins load. */
export const SITE_SCRIPT_HEADERS = {
  'cache-control': 'public, max-age=300, stale-while-revalidate=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'content-type': 'text/javascript; charset=utf-8',
};

/**
 * A built script that calls this server.
 * @param restRoot a URL, or a path at the script's own origin
 */
export const insertRestRoot = (script: Buffer, restRoot: string): string =>
  // A URL may contain quotes, which would end a string in the script.
  script.toString().replace(REST_ROOT, () => restRoot.replaceAll("'", '%27'));
