import { getDomain } from 'tldts';

/**
 * What a host belongs to: its registrable domain, private suffixes counted (`a.github.io` and
 * `b.github.io` differ). Addresses and bare names such as `localhost` have none; there the port counts.
 */
export function getSite({ hostname, host }: Pick<URL, 'hostname' | 'host'>): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host;
}

/** As siteOf, of a host without a port: cookies have none. */
export const getSiteOfHost = (hostname: string): string => getSite({ hostname, host: hostname });
