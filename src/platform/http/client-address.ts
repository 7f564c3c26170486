import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = [Address, number];

/** Most clients call again. */
const CACHED_ADDRESSES = 1_000;
/** The widest ranges of one network: 10.0.0.0/8 and fc00::/7. */
const WIDEST_BITS = { ipv4: 8, ipv6: 7 };

/** Parses addresses and CIDR ranges; `wrong` is the first invalid one. */
export function parseAddressRanges(
  texts: string[],
): { ranges: AddressRange[] } | { wrong: string; why: string } {
  const ranges: AddressRange[] = [];
  for (const text of texts) {
    const range = parseRange(text);
    if (typeof range === 'string') return { wrong: text, why: range };
    ranges.push(range);
  }
  return { ranges };
}

/** Returns a message for an invalid range. */
function parseRange(text: string): AddressRange | string {
  const [, addressText = '', bitsText] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parse(addressText);
  if (!address) return 'it is neither an address nor a CIDR range';
  const length = address.kind() === 'ipv4' ? 32 : 128;
  const bits = bitsText === undefined ? length : Number(bitsText);
  // An IPv4 address in IPv6 form counts as IPv4, so a range of them must be written as IPv4.
  if (bits > length) return `its range is longer than ${length} bits`;
  const [network, first] = [getNetwork(address, bits), address.toString()];
  if (bits < WIDEST_BITS[address.kind()]) return 'it would trust what strangers claim';
  if (network !== first)
    return `it is not the first address of its range: write ${network}/${bits}`;
  return [address, bits];
}

function getNetwork(address: Address, bits: number): string {
  const range = `${address.toString()}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(range).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(range).toString();
}

/**
 * The client that rate limits count: an IPv4 address, or the /64 of an IPv6 address, which is what one subscriber gets.
 * Behind trusted proxies it is the first hop of `X-Forwarded-For`, from the right, that is not one of them. An
 * unreadable hop ends the search.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly AddressRange[],
): string {
  if (forwardedFor === undefined || trusted.length === 0) return direct.memo(socketAddress ?? '');
  return formatClient(findClient(socketAddress, forwardedFor, trusted));
}

/** The client of a request, see `clientAddress`. */
export const getClientAddress = (
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trusted: readonly AddressRange[],
): string => {
  // Node builds `headers` on first access.
  const isDirect = trusted.length === 0;
  const forwardedFor = isDirect ? undefined : request.headers['x-forwarded-for'];
  return clientAddress(request.socket.remoteAddress, forwardedFor as string | undefined, trusted);
};

/** The whole address of a client; undefined if it cannot be read. */
export const getClientIp = (
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trusted: readonly AddressRange[],
): string | undefined =>
  findClient(
    socket.remoteAddress,
    (headers['x-forwarded-for'] as string | undefined) ?? '',
    trusted,
  )?.toString();

function findClient(
  socketAddress: string | undefined,
  forwardedFor: string,
  trusted: readonly AddressRange[],
): Address | undefined {
  let client = parse(socketAddress ?? '');
  const hops = forwardedFor.split(',');
  while (client && isTrusted(client, trusted)) {
    const hop = parseHop((hops.pop() ?? '').trim());
    if (!hop) break;
    client = hop;
  }
  return client;
}

const direct = new LRUCache<string, string>({
  max: CACHED_ADDRESSES,
  memoMethod: (text) => formatClient(parse(text)),
});

/** Ranges without public clients, as ipaddr.js names them; `::1` is counted as part of `::/64`. */
const LOCAL_RANGES: ReadonlySet<string> = new Set([
  'private',
  'carrierGradeNat',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'unspecified',
]);

/** Whether a client, as `clientAddress` formats it, has a public address. */
export const isPublicClient = (client: string): boolean => publicity.memo(client);

const publicity = new LRUCache<string, boolean>({
  max: CACHED_ADDRESSES,
  memoMethod(client) {
    const address = parse(client.replace('/64', ''));
    return address !== undefined && !LOCAL_RANGES.has(address.range());
  },
});

export function isLoopback(address: string | undefined): boolean {
  return parse(address ?? '')?.range() === 'loopback';
}

export function isTrustedProxy(
  address: string | undefined,
  trusted: readonly AddressRange[],
): boolean {
  const parsed = trusted.length > 0 && parse(address ?? '');
  return parsed ? isTrusted(parsed, trusted) : false;
}

function parse(text: string): Address | undefined {
  // Checked by Node: ipaddr.js reads "1" as an address and throws for others, which takes 50 µs.
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  return isIPv6(text) ? ipaddr.process(text) : undefined;
}

/** Some proxies name the port as well: `203.0.113.7:51234`, `[2001:db8::1]:443`. */
function parseHop(text: string): Address | undefined {
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return parse(v6 ?? v4 ?? text);
}

function isTrusted(address: Address, trusted: readonly AddressRange[]): boolean {
  return trusted.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
  );
}

function formatClient(address: Address | undefined): string {
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}
