import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressRange, clientAddress, parseAddressRanges } from './client-address.ts';

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

  it('is known by that name even without a socket', () => {
    expect(clientAddress(undefined, undefined, [])).toBe('unknown');
  });

  it('refuses ranges that are none and says which', () => {
    expect(parseAddressRanges(['10.0.0.0/8', 'proxy.internal'])).toEqual({
      wrong: 'proxy.internal',
    });
  });
});
