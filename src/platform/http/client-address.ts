import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = [Address, number];

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
  let client = parse(socketAddress ?? '');
  if (forwardedFor !== undefined && trusted.length > 0) {
    const hops = forwardedFor.split(',');
    while (client && isTrusted(client, trusted)) {
      const hop = parse((hops.pop() ?? '').trim());
      if (!hop) break;
      client = hop;
    }
  }
  return client ? countedAs(client) : 'unknown';
}

/** Whether the address is of this machine. */
export function isLoopback(address: string | undefined): boolean {
  return parse(address ?? '')?.range() === 'loopback';
}

function parse(text: string): Address | undefined {
  // The strict check: ipaddr.js alone would read "1" and "0x7f.1" as addresses.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return text.includes(':') && ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}

function isTrusted(address: Address, trusted: readonly AddressRange[]): boolean {
  return trusted.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
  );
}

function countedAs(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}
