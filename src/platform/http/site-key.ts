const DEFAULT_PORTS = new Set(['', '80', '443']);
const UNRESERVED = /[\w.~-]/;

/**
 * The part of a URL that identifies a site: host, path and a non-default port. Scheme, `www.`, a trailing dot or
 * slash, user, query and fragment are ignored. Host names are in lower case and punycode. Sub-directories are
 * separate sites.
 * @returns for example `example.com`, `example.com:8443/shop`
 */
export function formatSiteKey({ hostname, port, pathname }: URL): string {
  const host = hostname.replace(/\.$/, '').replace(/^www\.(?=.)/, '');
  return host + (DEFAULT_PORTS.has(port) ? '' : `:${port}`) + normalisePath(pathname);
}

/** Removes repeated and trailing slashes, and normalises percent-encoding (RFC 3986 §6.2.2). */
function normalisePath(path: string): string {
  const spelled = path.replace(/%[0-9a-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return UNRESERVED.test(character) ? character : triplet.toUpperCase();
  });
  return spelled.replace(/\/{2,}/g, '/').replace(/\/$/, '');
}
