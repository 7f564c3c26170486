import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import {
  isOfThisMachine,
  isPublicAddress,
  parseLiteralAddress,
  toCanonicalHost,
} from './addresses.ts';
import { type ConnectTo, findConnectTo } from './connect-to.ts';

/** Why a connection is denied. */
export type DenialReason = 'not_public' | 'own_port' | 'no_such_host' | 'dns_timeout' | 'malformed';

/** The scanner may not connect to this host. */
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

/** Where to connect. */
export interface Target {
  /** The first of the addresses. */
  address: string;
  /** All checked addresses. Connect only to these. */
  addresses: readonly string[];
  port: number;
}

export interface Guard {
  /**
   * Where the scanner may connect to reach a host. The name is resolved here, once; a connection
   * must be made to the answer and not to the name, which may mean something else by then.
   * @throws EgressRefused, or the signal's reason
   */
  target(host: string, port: number, signal: AbortSignal): Promise<Target>;
}

/** All addresses of a name; throws or is empty if there are none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

export interface GuardOptions {
  /** Origin of the protected site; its host and port may be private. */
  siteOrigin: string;
  connectTo: readonly ConnectTo[];
  /** Instead of DNS. */
  lookup?: Lookup;
  /** Instead of what this machine's interfaces say. */
  isOwnAddress?: (address: string) => boolean;
}

const DNS_LIMIT_MS = 2_000;
const REMEMBER_MS = 30_000;
const REMEMBERED_NAMES = 1_000;
/** What a server shows the world, so that a page may use it on this machine too. */
const WEB_PORTS = new Set([80, 443]);

/**
 * Keeps the scanner out of private networks and off this machine (server-side request forgery). The site's own host and
 * port are exempt by name, not by address: another name for the same address is denied.
 */
export function createGuard({
  siteOrigin,
  connectTo,
  lookup,
  isOwnAddress = isOfThisMachine,
}: GuardOptions): Guard {
  const site = new URL(siteOrigin);
  const sitePort = getPort(site);
  const publicAddresses = remembering(lookup ?? askDns);
  const trustedAddresses = remembering(lookup ?? askSystem);

  return {
    async target(hostText, port, signal) {
      signal.throwIfAborted();
      const host = toCanonicalHost(hostText);
      if (!host || !Number.isInteger(port) || port < 1 || port > 65_535) {
        throw new EgressDeniedError('malformed', hostText);
      }
      const resolve = (from: typeof publicAddresses, name: string) =>
        resolved(from, name, signal, hostText);

      const instead = findConnectTo(connectTo, host, port);
      if (instead) {
        return targetOf(await resolve(trustedAddresses, instead.toHost), instead.toPort);
      }
      if (host === site.hostname && port === sitePort) {
        return targetOf(await resolve(trustedAddresses, host), port);
      }
      const addresses = await resolve(publicAddresses, host);
      if (!addresses.every(isPublicAddress)) throw new EgressDeniedError('not_public', hostText);
      if (!WEB_PORTS.has(port) && addresses.some(isOwnAddress)) {
        throw new EgressDeniedError('own_port', hostText);
      }
      return targetOf(addresses, port);
    },
  };
}

/** The port of an http(s) or ws(s) URL. */
export const getPort = (url: URL): number =>
  url.port === '' ? (/^(https|wss):$/.test(url.protocol) ? 443 : 80) : Number(url.port);

/** Options of `net.connect` that lead to a target and nowhere else; of several addresses the first to answer is taken. */
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

/** IPv4 first: there are more machines without IPv6 than without IPv4. */
function targetOf(addresses: readonly string[], port: number): Target {
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

/** Asks about a name once in a while, however many connections a page makes. */
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
 * Not the system's resolver: it holds one of libuv's four threads for as long as a silent name server
 * takes, and a page with dozens of vendors would stop all else that the process does on them. Nor
 * can names of the hosts file then be reached.
 */
async function askDns(name: string): Promise<readonly string[]> {
  // RFC 6761 §6.3; it has no entry in DNS.
  if (/(^|\.)localhost\.?$/.test(name)) return ['127.0.0.1'];
  const resolver = new Resolver({ timeout: DNS_LIMIT_MS, tries: 1 });
  const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
}

/** For hosts that the administrator has named: those may stand in the hosts file only. */
const askSystem: Lookup = async (name) =>
  (await systemLookup(name, { all: true })).map(({ address }) => address);
