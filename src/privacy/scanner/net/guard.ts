import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import {
  isOfThisMachine,
  isPublicAddress,
  parseLiteralAddress,
  toCanonicalHost,
} from '../../../platform/http/ip-addresses.ts';
import { type ConnectTo, findConnectTo } from './connect-to.ts';

export type DenialReason = 'not_public' | 'own_port' | 'no_such_host' | 'dns_timeout' | 'malformed';

export class EgressDeniedError extends Error {
  override readonly name = 'EgressRefused';
  readonly reason: DenialReason;
  readonly host: string;

  constructor(reason: DenialReason, host: string) {
    super(`${host}: ${reason}`);
    this.reason = reason;
    this.host = host;
  }
}

export interface Target {
  address: string;
  /** All checked addresses. Connect only to these. */
  addresses: readonly string[];
  port: number;
}

export interface Guard {
  /**
   * Resolves a host to the addresses that the scanner may connect to. Connect to these and not to the name, which
   * may resolve differently later.
   * @param readUrl the URL that a connection without TLS reads, and nothing else
   * @throws EgressDeniedError, or the reason of the signal
   */
  target(host: string, port: number, signal: AbortSignal, readUrl?: string): Promise<Target>;
}

/** @throws or returns nothing if there are none */
export type Lookup = (name: string) => Promise<readonly string[]>;

export interface GuardOptions {
  /** Origin of the protected site; its host and port may be private. */
  siteOrigin: string;
  connectTo: readonly ConnectTo[];
  /** Whether a URL is one that this server offers to the visitors of sites. It may be private if read without TLS. */
  isOwnService?: (url: string) => boolean;
  lookup?: Lookup;
  isOwnAddress?: (address: string) => boolean;
}

const DNS_LIMIT_MS = 2_000;
const REMEMBER_MS = 30_000;
const REMEMBERED_NAMES = 1_000;
/** Public web ports of this machine are allowed. */
const WEB_PORTS = new Set([80, 443]);

/**
 * Keeps the scanner out of private networks and off this machine (server-side request forgery). The site's own host and
 * port are exempt by name, not by address: another name for the same address is denied. Of this server, pages reach
 * without TLS what any visitor can read, such as the banner: a tunnel does not show the path.
 */
export function createGuard({
  siteOrigin,
  connectTo,
  isOwnService = () => false,
  lookup,
  isOwnAddress = isOfThisMachine,
}: GuardOptions): Guard {
  const site = new URL(siteOrigin);
  const sitePort = getPort(site);
  const publicAddresses = remembering(lookup ?? askDns);
  const trustedAddresses = remembering(lookup ?? askSystem);

  return {
    async target(hostText, port, signal, readUrl) {
      signal.throwIfAborted();
      const host = toCanonicalHost(hostText);
      if (!host || !Number.isInteger(port) || port < 1 || port > 65_535) {
        throw new EgressDeniedError('malformed', hostText);
      }
      const resolve = (from: typeof publicAddresses, name: string) =>
        resolved(from, name, signal, hostText);

      const instead = findConnectTo(connectTo, host, port);
      if (instead) {
        return toTarget(await resolve(trustedAddresses, instead.toHost), instead.toPort);
      }
      const isSite = host === site.hostname && port === sitePort;
      if (isSite || (readUrl !== undefined && isOwnService(readUrl))) {
        return toTarget(await resolve(trustedAddresses, host), port);
      }
      const addresses = await resolve(publicAddresses, host);
      if (!addresses.every(isPublicAddress)) throw new EgressDeniedError('not_public', hostText);
      if (!WEB_PORTS.has(port) && addresses.some(isOwnAddress)) {
        throw new EgressDeniedError('own_port', hostText);
      }
      return toTarget(addresses, port);
    },
  };
}

/** The port of an http(s) or ws(s) URL. */
export const getPort = (url: URL): number =>
  url.port === '' ? (/^(https|wss):$/.test(url.protocol) ? 443 : 80) : Number(url.port);

/** Options of `net.connect` for a target. The first address to respond is used. */
export const connectOptions = ({ addresses, port }: Target) => ({
  host: 'pinned',
  port,
  autoSelectFamily: true,
  lookup: ((_host, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const [first] = all;
    if (options.all) callback(null, all);
    else callback(null, first?.address ?? '', first?.family);
  }) as LookupFunction,
});

/** IPv4 first, because more machines lack IPv6. */
function toTarget(addresses: readonly string[], port: number): Target {
  const ordered = addresses.toSorted((a, b) => Number(isIPv6(a)) - Number(isIPv6(b)));
  return { address: ordered[0] ?? '', addresses: ordered, port };
}

async function resolved(
  from: (name: string) => Promise<readonly string[]>,
  host: string,
  signal: AbortSignal,
  shownAs: string,
): Promise<readonly string[]> {
  const literal = parseLiteralAddress(host);
  if (literal !== undefined) return [literal];
  const limit = AbortSignal.timeout(DNS_LIMIT_MS);
  const either = AbortSignal.any([signal, limit]);
  const { promise: ended, resolve: end } = Promise.withResolvers<'ended'>();
  const onEnd = () => end('ended');
  either.addEventListener('abort', onEnd);
  try {
    const found = await Promise.race([from(host).catch(() => []), ended]);
    signal.throwIfAborted();
    if (found === 'ended') throw new EgressDeniedError('dns_timeout', shownAs);
    if (found.length === 0) throw new EgressDeniedError('no_such_host', shownAs);
    return found;
  } finally {
    either.removeEventListener('abort', onEnd);
  }
}

/** Caches lookups for all connections of a page. */
function remembering(lookup: Lookup): Lookup {
  const names = new LRUCache<string, Promise<readonly string[]>>({
    max: REMEMBERED_NAMES,
    ttl: REMEMBER_MS,
  });
  return (name) => {
    const known = names.get(name);
    if (known) return known;
    const asked = lookup(name);
    names.set(name, asked);
    return asked;
  };
}

/**
 * The system resolver would block one of four libuv threads for each slow name server, and would resolve names of
 * the hosts file.
 */
async function askDns(name: string): Promise<readonly string[]> {
  // RFC 6761 §6.3.
  if (/(^|\.)localhost\.?$/.test(name)) return ['127.0.0.1'];
  const resolver = new Resolver({ timeout: DNS_LIMIT_MS, tries: 1 });
  const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
}

/** Hosts that the administrator has configured may be in the hosts file only. */
const askSystem: Lookup = async (name) =>
  (await systemLookup(name, { all: true })).map(({ address }) => address);
