import ipaddr from 'ipaddr.js';
import { formatSiteKey } from '../../platform/http/site-key.ts';

/** The message completes "site_url …". */
export class InvalidSiteUrl extends Error {
  override readonly name = 'InvalidSiteUrl';
}

const MAX_LENGTH = 2_048;
const MAX_HOST_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
/** Of a name in punycode. Node's URL parser also accepts for example commas and quotes. Some sites have underscores. */
const LABEL = /^[a-z0-9_-]+$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are rejected
const UNFIT = /[\u0000-\u001f\u007f-\u009f\\]|\p{Surrogate}/u;
/** Node's URL parser also accepts one slash, three slashes or backslashes. */
const HTTP_URL = /^https?:\/\/[^\s/?#]+(?:[/?#]|$)/i;

/**
 * See `formatSiteKey`.
 * @throws InvalidSiteUrl if the text is not an http or https URL with a valid host name
 */
export function toSiteKey(text: string): string {
  if (text.length > MAX_LENGTH) {
    throw new InvalidSiteUrl(`is longer than ${MAX_LENGTH} characters`);
  }
  if (UNFIT.test(text)) throw new InvalidSiteUrl('has characters that are not allowed in URLs');
  const trimmed = text.trim();
  const url = HTTP_URL.test(trimmed) ? URL.parse(trimmed) : null;
  if (!url)
    throw new InvalidSiteUrl('must be an http or https URL, for example https://example.com');
  assertValidHost(url.hostname);
  const key = formatSiteKey(url);
  // It is part of links, whose length is limited.
  if (key.length > MAX_LENGTH) {
    throw new InvalidSiteUrl(`is longer than ${MAX_LENGTH} characters when encoded`);
  }
  return key;
}

/**
 * A URL of the same site without user, query and fragment, which may hold secrets.
 * @param text a URL that `toSiteKey` accepts
 */
export function toPublicSiteUrl(text: string): string {
  const { origin, pathname } = new URL(text.trim());
  return origin + pathname.replace(/\/$/, '');
}

/** Whether a host is only used for development: `*.test`, `staging.…`, localhost or a private network. */
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

/** Whether a site takes one of the slots of a licence. */
export const needsSlot = (
  { developmentSitesFree }: { developmentSitesFree: boolean },
  key: string,
): boolean => !(developmentSitesFree && isDevelopmentSite(key));

const PRIVATE_RANGES = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);
/** RFC 2606 and RFC 6762; `.dev` is a public domain and not among them. */
const DEVELOPMENT_TOP_LABELS = new Set(['localhost', 'test', 'local', 'invalid', 'example']);
const DEVELOPMENT_FIRST_LABELS = new Set(['dev', 'staging', 'stage', 'test', 'local']);

function assertValidHost(hostname: string): void {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return;
  if (host.length > MAX_HOST_LENGTH) throw new InvalidSiteUrl('has a host name that is too long');
  for (const label of host.split('.')) {
    if (label === '') throw new InvalidSiteUrl('has a host name with an empty part');
    if (label.length > MAX_LABEL_LENGTH)
      throw new InvalidSiteUrl('has a host name with a part that is too long');
    if (!LABEL.test(label))
      throw new InvalidSiteUrl('has a host name with characters that are not allowed');
  }
}
