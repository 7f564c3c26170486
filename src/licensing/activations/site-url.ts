import ipaddr from 'ipaddr.js';

/** A text that is no address of a site; its message says why. */
export class InvalidSiteUrl extends Error {
  override readonly name = 'InvalidSiteUrl';
}

const MAX_LENGTH = 2_048;
const MAX_HOST_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const UNFIT = /[\u0000-\u001f\u007f-\u009f\\]|\p{Surrogate}/u;
/** Exactly two slashes and then an authority without blanks; Node's own parser takes one, three or backslashes. */
const HTTP_URL = /^https?:\/\/[^\s/?#]+(?:[/?#]|$)/i;
const DEFAULT_PORTS = new Set(['', '80', '443']);
const UNRESERVED = /[\w.~-]/;

/**
 * What makes two URLs the same site: host and path, and a port of its own. Not the scheme, `www.`,
 * a trailing dot or slash, user, query or fragment (decision "One site"). Host names are compared in
 * lower case and punycode; sub-directories are sites of their own.
 * @returns for example `example.com`, `example.com:8443/shop`
 * @throws InvalidSiteUrl if the text is not an http or https URL with a sound host name
 */
export function toSiteKey(text: string): string {
  if (text.length > MAX_LENGTH) {
    throw new InvalidSiteUrl(`is longer than ${MAX_LENGTH} characters`);
  }
  if (UNFIT.test(text)) throw new InvalidSiteUrl('has characters that no URL has');
  const trimmed = text.trim();
  const url = HTTP_URL.test(trimmed) ? URL.parse(trimmed) : null;
  if (!url) throw new InvalidSiteUrl('must be an http or https URL, as https://example.com');
  const host = bareHost(url.hostname);
  const port = DEFAULT_PORTS.has(url.port) ? '' : `:${url.port}`;
  return host + port + barePath(url.pathname);
}

/** Whether a site's host is one that is only used to build sites: `*.test`, `staging.…`, this machine, private networks. */
export function isDevelopmentSite(key: string): boolean {
  const host = /^(\[[^\]]*\]|[^:/]*)/.exec(key)?.[0] ?? '';
  const address = host.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(address)) return PRIVATE_RANGES.has(ipaddr.process(address).range());
  const labels = host.split('.');
  return (
    DEVELOPMENT_TOP_LABELS.has(labels.at(-1) ?? '') ||
    (labels.length > 2 && DEVELOPMENT_FIRST_LABELS.has(labels[0] ?? ''))
  );
}

const PRIVATE_RANGES = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);
/** RFC 2606 and RFC 6762; `.dev` is a public domain and not among them. */
const DEVELOPMENT_TOP_LABELS = new Set(['localhost', 'test', 'local', 'invalid', 'example']);
const DEVELOPMENT_FIRST_LABELS = new Set(['dev', 'staging', 'stage', 'test', 'local']);

function bareHost(hostname: string): string {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return host;
  if (host.length > MAX_HOST_LENGTH) throw new InvalidSiteUrl('has a host name that is too long');
  for (const label of host.split('.')) {
    if (label === '') throw new InvalidSiteUrl('has a host name with an empty part');
    if (label.length > MAX_LABEL_LENGTH)
      throw new InvalidSiteUrl('has a host name with a part that is too long');
  }
  return host.replace(/^www\.(?=.)/, '');
}

/** Without doubled and trailing slashes, and with one spelling for each escaped character (RFC 3986 §6.2.2). */
function barePath(path: string): string {
  const spelled = path.replace(/%[0-9a-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return UNRESERVED.test(character) ? character : triplet.toUpperCase();
  });
  return spelled.replace(/\/{2,}/g, '/').replace(/\/$/, '');
}
