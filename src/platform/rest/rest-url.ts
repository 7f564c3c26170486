/** Other URLs have one spelling. */
const UNUSUAL = /\/\/|%|\/(?:index\.php|$)/;
const INDEX = /^\/index\.php(?=\/|$)/;
/** Escapes of letters, digits, `-`, `.`, `_` and `~` (RFC 3986 §6.2.2.2). */
const NEEDLESS_ESCAPE = /%(?:2[DE]|5F|7E|3\d|[46][1-9A-F]|[57][0-9A])/gi;

/**
 * Normalises URLs of a REST API that WordPress accepts too: a path after `/index.php` (PATH_INFO), doubled slashes,
 * needless escapes, and `/?rest_route=/svc/v1/…`. With a REST root in a folder, also below that folder.
 * @param prefix the path of the REST root, without a trailing slash
 */
export function toRestUrl(url: string, prefix: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const folder = prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')));
  if (path !== folder && !UNUSUAL.test(path)) return url;
  const clean = path
    .replace(NEEDLESS_ESCAPE, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replace(/\/{2,}/g, '/');
  const route = clean.startsWith(`${folder}/`)
    ? folder + clean.slice(folder.length).replace(INDEX, '')
    : clean.replace(INDEX, '');
  const query = end < 0 ? '' : url.slice(end);
  if (['', '/', folder, `${folder}/`].includes(route)) return plainPermalink(query, prefix) ?? url;
  const isRest = prefix !== '' && (route === prefix || route.startsWith(`${prefix}/`));
  return isRest ? route + query : url;
}

/** Undefined without `rest_route`. */
function plainPermalink(query: string, prefix: string): string | undefined {
  if (!query.includes('rest_route')) return undefined;
  const params = new URLSearchParams(query);
  const route = params.get('rest_route');
  if (!route) return undefined;
  params.delete('rest_route');
  const rest = params.size > 0 ? `?${params}` : '';
  // Already decoded. Without its leading slash it is no route.
  const path = route.startsWith('/') ? encodeURI(route).replace(/[?#]/g, encodeURIComponent) : '/-';
  return `${prefix}${path}${rest}`;
}
