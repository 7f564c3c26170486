import { BlockList, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = [Address, number];

/** Of the addresses that called last what is known is kept, as most call again. */
const REMEMBERED = 1_000;

/** Reads addresses and CIDR ranges; `wrong` is the first that is neither. */
export function parseAddressRanges(
  texts: string[],
): { ranges: AddressRange[] } | { wrong: string } {
  const ranges: AddressRange[] = [];
  for (const text of texts) {
    if (ipaddr.isValidCIDR(text)) ranges.push(ipaddr.parseCIDR(text));
    else if (ipaddr.isValid(text)) {
      const address = ipaddr.process(text);
      ranges.push([address, address.kind() === 'ipv4' ? 32 : 128]);
    } else return { wrong: text };
  }
  return { ranges };
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
  let client = parse(socketAddress ?? '');
  const hops = forwardedFor.split(',');
  while (client && isTrusted(client, trusted)) {
    const hop = parse((hops.pop() ?? '').trim());
    if (!hop) break;
    client = hop;
  }
  return countedAs(client);
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
