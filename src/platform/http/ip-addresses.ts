import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Not global unicast (IANA registries of special-purpose addresses, RFC 6890). */
const SPECIAL_IPV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;

/** The only block of global unicast addresses. */
const GLOBAL_IPV6 = '2000::/3';
/** Teredo and other protocol assignments, documentation, and 6to4, which embeds an IPv4 address. */
const SPECIAL_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const specialIpv4 = blocks(SPECIAL_IPV4, 'ipv4');
const globalIpv6 = blocks(GLOBAL_IPV6, 'ipv6');
const specialIpv6 = blocks(SPECIAL_IPV6, 'ipv6');

/**
 * Whether a plain IP address is reachable from the internet. Short and hexadecimal forms, zones and brackets are not
 * accepted.
 */
export function isPublicAddress(address: string): boolean {
  // Sockets ignore the zone of `2001::1%eth0`.
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}

export function isOfThisMachine(address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const own = new BlockList();
  for (const each of Object.values(networkInterfaces()).flat()) {
    if (each) own.addAddress(each.address, each.family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return own.check(address, family);
}

/**
 * The host as URL parsers normalise it: lower case, punycode, IPv4 in decimal (also from `2130706433`, `0x7f.1`,
 * `0177.0.0.1`), IPv6 in brackets.
 * @returns undefined for an invalid host
 */
export function toCanonicalHost(text: string): string | undefined {
  const bracketed = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
  // Would end the host within a URL.
  if (/[/?#@\\\s]/.test(bracketed)) return undefined;
  const url = URL.parse(`http://${bracketed}/`);
  return url && url.port === '' ? url.hostname : undefined;
}

/** Undefined for host names. */
export function parseLiteralAddress(host: string): string | undefined {
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  return isIP(address) === 0 ? undefined : address;
}

function blocks(ranges: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(/\s+/)) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
