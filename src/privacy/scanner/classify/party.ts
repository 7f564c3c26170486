import { getDomain } from 'tldts';

/**
 * The registrable domain of a host. Private suffixes count: `a.github.io` and `b.github.io` differ. IP addresses and
 * bare names such as `localhost` are returned with their port.
 */
export function getSite({ hostname, host }: Pick<URL, 'hostname' | 'host'>): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host;
}

/** For cookies, which have no port. */
export const getSiteOfHost = (hostname: string): string => getSite({ hostname, host: hostname });
