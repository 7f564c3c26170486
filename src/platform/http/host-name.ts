/** A label of a host name (RFC 1123 §2.1), with the underscores of DNS names. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const NAME_MAX_LENGTH = 253;

/** Whether the host of a URL is an address or a DNS name; `URL` also accepts `a..b` and `*.example.com`. */
export function hasValidHost({ hostname }: URL): boolean {
  if (hostname.startsWith('[')) return true;
  const name = hostname.replace(/\.$/, '');
  return name.length <= NAME_MAX_LENGTH && name.split('.').every((label) => LABEL.test(label));
}

/** Whether a text is an origin as browsers send it: `https://example.com`, without default port. */
export function isOrigin(text: string): boolean {
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
  return url !== null && url.origin === text && hasValidHost(url);
}
