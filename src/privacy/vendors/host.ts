import { domainToASCII } from 'node:url';

const MAX_HOST_LENGTH = 253;
/** Letters, digits, hyphens and, as some hosts have it, underscores, in labels that aren't empty. */
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

const NOT_ASCII = /[\u0080-\uffff]/;
/** What would end the host if the text were part of a URL; Node drops it and what follows. */
const DELIMITER = /[/?#@:\\\s]/;

/**
 * A host name as it is compared: lower case, punycode, without port, trailing dot or the leading dot
 * of a cookie's domain. Null if it is none (an IPv6 address is none: no vendor is known by one).
 */
export function normaliseHost(text: string): string | null {
  let host = text.trim().replace(/:\d+$/, '').replace(/^\./, '').replace(/\.$/, '').toLowerCase();
  if (NOT_ASCII.test(host) && !DELIMITER.test(host)) host = domainToASCII(host);
  return host.length <= MAX_HOST_LENGTH && HOST.test(host) ? host : null;
}

/** The domains of a vendor as {@link normaliseHost} gives them, without those that are no host names. */
export const toHosts = (domains: readonly string[]): string[] => [
  ...new Set(domains.map(normaliseHost).filter((host) => host !== null)),
];

/** What is wrong with the domains of a vendor; undefined if nothing is. */
export function getDomainsProblem(domains: readonly string[]): string | undefined {
  const at = domains.findIndex((domain) => normaliseHost(domain) === null);
  if (at < 0) return undefined;
  return `domains[${at}] must be a host name, for example ads.example.com. Its subdomains are included.`;
}

/** The host and the domains above it, from the longest: `a.b.c`, `b.c`, `c`. */
export function* walkParentDomains(host: string): Generator<string> {
  for (let at = 0; ; ) {
    yield host.slice(at);
    const dot = host.indexOf('.', at);
    if (dot < 0) return;
    at = dot + 1;
  }
}

/** Whether a host is a domain or below it; both as {@link normaliseHost} gives them. */
export const isUnder = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);
