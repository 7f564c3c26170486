import { BlockList, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = [Address, number];

/** Of the addresses that called last what is known is kept, as most call again. */
const REMEMBERED = 1_000;
/** The widest ranges that are of one network: 10.0.0.0/8 and fc00::/7. */
const WIDEST_BITS = { ipv4: 8, ipv6: 7 };

/** Reads addresses and CIDR ranges; `wrong` is the first that is neither or too wide, `why` says what is wrong with it. */
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

/** A range, or what is wrong with it. */
function parseRange(text: string): AddressRange | string {
  const [, addressText = '', bitsText] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parse(addressText);
  if (!address) return 'it is neither an address nor a CIDR range';
  const length = address.kind() === 'ipv4' ? 32 : 128;
  const bits = bitsText === undefined ? length : Number(bitsText);
  // An IPv4 address in IPv6 form counts as IPv4, so a range of them must be written as IPv4.
  if (bits > length) return `its range is longer than ${length} bits`;
  const [network, first] = [networkOf(address, bits), address.toString()];
  if (bits < WIDEST_BITS[address.kind()]) return 'it would trust what strangers claim';
  if (network !== first)
    return `it is not the first address of its range: write ${network}/${bits}`;
  return [address, bits];
}

function networkOf(address: Address, bits: number): string {
  const range = `${address.toString()}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(range).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(range).toString();
}

/**
 * Who is calling, as the text that limits count by: an IPv4 address, or the /64 of an IPv6 one
 * (what one subscriber gets).
 *
 * The socket's address, unless it is a trusted proxy: then `X-Forwarded-For` is walked from the
 * right to the first hop that is not one. What cannot be read as an address ends the walk, so that
 * nobody further out is believed.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly AddressRange[],
): string {
  if (forwardedFor === undefined || trusted.length === 0) return direct.memo(socketAddress ?? '');
  return countedAs(findClient(socketAddress, forwardedFor, trusted));
}

/** The same with the whole of an IPv6 address; undefined where it cannot be read. */
export const clientIp = (
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly AddressRange[],
): string | undefined => findClient(socketAddress, forwardedFor ?? '', trusted)?.toString();

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

/** Clients by the address of their socket. */
const direct = new LRUCache<string, string>({
  max: REMEMBERED,
  memoMethod: (text) => countedAs(parse(text)),
});

/** Networks that nobody on the internet calls from: this machine, private networks, and those between providers. */
const LOCAL_IPV4 = blockList('ipv4', [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
]);
const LOCAL_IPV6 = blockList('ipv6', [
  // What `::1` counts as.
  ['::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
]);

function blockList(family: 'ipv4' | 'ipv6', networks: readonly [string, number][]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

/** Whether a client, as `clientAddress` counts it, has a public address. */
export const isPublicClient = (client: string): boolean => publicity.memo(client);

const publicity = new LRUCache<string, boolean>({
  max: REMEMBERED,
  memoMethod(client) {
    const address = client.replace('/64', '');
    if (isIPv4(address)) return !LOCAL_IPV4.check(address);
    return isIPv6(address) && !LOCAL_IPV6.check(address, 'ipv6');
  },
});

/** Whether the address is of this machine. */
export function isLoopback(address: string | undefined): boolean {
  return parse(address ?? '')?.range() === 'loopback';
}

/** Whether an address is one of the trusted proxies'. */
export function isTrustedProxy(
  address: string | undefined,
  trusted: readonly AddressRange[],
): boolean {
  const parsed = trusted.length > 0 && parse(address ?? '');
  return parsed ? isTrusted(parsed, trusted) : false;
}

function parse(text: string): Address | undefined {
  // Node's checks: those of ipaddr.js read "1" as an address and throw inside, which takes 50 µs.
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

function countedAs(address: Address | undefined): string {
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}
