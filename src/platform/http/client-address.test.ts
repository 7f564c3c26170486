import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import {
  type AddressRange,
  clientAddress,
  isPublicClient,
  parseAddressRanges,
} from './client-address.ts';

function ranges(...texts: string[]): AddressRange[] {
  const parsed = parseAddressRanges(texts);
  if ('wrong' in parsed) throw new Error(parsed.wrong);
  return parsed.ranges;
}

describe("The caller's address", () => {
  it('is the address of the socket, whatever a stranger claims', () => {
    const claim = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string());
    fc.assert(
      fc.property(fc.ipV4(), claim, (socket, forwarded) => {
        expect(clientAddress(socket, forwarded, [])).toBe(socket);
        expect(clientAddress(socket, forwarded, ranges('2001:db8::/32'))).toBe(socket);
      }),
    );
  });

  it.each([
    ['one proxy', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a forged first hop', '10.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['two proxies', '10.0.0.1', '198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['a hop with a port', '10.0.0.1', '203.0.113.9, 198.51.100.7:51234', '198.51.100.7'],
    ['a proxy with a port', '10.0.0.1', '198.51.100.7:1, 10.0.0.2:65535', '198.51.100.7'],
    ['an IPv6 hop with a port', '10.0.0.1', '[2001:db8:1:2::7]:443', '2001:db8:1:2::/64'],
    ['an IPv6 hop in brackets', '10.0.0.1', '[2001:db8:1:2::7]', '2001:db8:1:2::/64'],
    ['a port that is none', '10.0.0.1', '198.51.100.7:x', '10.0.0.1'],
    ['only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['no header', '10.0.0.1', undefined, '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['a hop that is no address', '10.0.0.1', '198.51.100.7, nonsense', '10.0.0.1'],
    ['nonsense beyond a proxy', '10.0.0.1', '198.51.100.7, nonsense, 10.0.0.2', '10.0.0.2'],
    ['a short form', '10.0.0.1', '1', '10.0.0.1'],
    ['a hexadecimal form', '10.0.0.1', '0x7f.0.0.1', '10.0.0.1'],
    ['a mapped socket', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a mapped hop', '10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
  ])(
    'behind trusted proxies is the first hop from the right that is not one: %s',
    (_name, socket, forwarded, client) => {
      expect(clientAddress(socket, forwarded, ranges('10.0.0.0/8'))).toBe(client);
    },
  );

  it('counts IPv6 by what one subscriber gets', () => {
    const one = clientAddress('2001:db8:1:2:aaaa::1', undefined, []);
    expect(one).toBe('2001:db8:1:2::/64');
    expect(clientAddress('2001:db8:1:2:bbbb::2', undefined, [])).toBe(one);
    expect(clientAddress('2001:db8:1:3::1', undefined, [])).not.toBe(one);
  });

  it('reads every form of an IPv6 address', () => {
    const groups = fc.array(fc.constantFrom(0, 0, 1, 0xdb8, 0xffff), {
      minLength: 8,
      maxLength: 8,
    });
    const forms = fc.oneof(
      fc.ipV6(),
      groups.map((parts) => new ipaddr.IPv6(parts).toString()),
      groups.map((parts) => new ipaddr.IPv6(parts).toRFC5952String()),
      fc.ipV4().map((address) => `::ffff:${address}`),
      fc
        .tuple(groups, fc.ipV4())
        .map(
          ([parts, v4]) =>
            `${new ipaddr.IPv6(parts).toNormalizedString().split(':').slice(0, 6).join(':')}:${v4}`,
        ),
      fc.constantFrom('::', '::1', '1::', 'fe80::1%eth0', '64:ff9b::198.51.100.7'),
    );
    fc.assert(
      fc.property(forms, (text) => {
        const address = ipaddr.process(text);
        const network = (address as ipaddr.IPv6).parts?.slice(0, 4);
        expect(clientAddress(text, undefined, [])).toBe(
          network
            ? `${network.map((part) => part.toString(16)).join(':')}::/64`
            : address.toString(),
        );
      }),
    );
  });

  it.each([
    ['203.0.113.7', true],
    ['8.8.8.8', true],
    ['2001:db8::1', true],
    ['2a01:4f8::1', true],
    ['127.0.0.1', false],
    ['::1', false],
    ['::ffff:127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['169.254.1.1', false],
    ['100.64.0.1', false],
    ['fd00::1', false],
    ['fe80::1', false],
  ])('knows whether %s is public: %s', (address, isPublic) => {
    expect(isPublicClient(clientAddress(address, undefined, []))).toBe(isPublic);
  });

  it('is known by that name even without a socket', () => {
    expect(clientAddress(undefined, undefined, [])).toBe('unknown');
  });

  it('refuses ranges that are none and says which', () => {
    expect(parseAddressRanges(['10.0.0.0/8', 'proxy.internal'])).toEqual({
      wrong: 'proxy.internal',
      why: 'it is neither an address nor a CIDR range',
    });
  });
});
