import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import {
  isOfThisMachine,
  isPublicAddress,
  parseLiteralAddress,
  toCanonicalHost,
} from './ip-addresses.ts';

describe('A public address', () => {
  it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001:80b::200e'])(
    'is reachable from the internet: %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    'ff02::1',
  ])('is not private, local, reserved or translated: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('matches the IANA registries', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        // ipaddr.js knows the AS112 and AMT relays as special; they are asked by anybody.
        const range = ipaddr.parse(address).range();
        if (range === 'as112' || range === 'amt') return;
        expect(isPublicAddress(address)).toBe(range === 'unicast');
      }),
      { numRuns: 2_000 },
    );
  });

  it('excludes IPv6 addresses with an embedded IPv4 address', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::'),
        (address, prefix) => {
          expect(isPublicAddress(prefix + address)).toBe(false);
        },
      ),
    );
  });

  it('excludes text that is not an address', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!ipaddr.isValid(text)) expect(isPublicAddress(text)).toBe(false);
      }),
    );
    for (const text of ['1', '0x7f.1', '[::1]', '127.1', 'example.com', '']) {
      expect(isPublicAddress(text)).toBe(false);
    }
  });
});

describe('A host', () => {
  it.each([
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['①②⑦.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
  ])('%s is normalised to %s', (text, address) => {
    expect(parseLiteralAddress(toCanonicalHost(text) ?? '')).toBe(address);
  });

  it('is normalised from decimal, hexadecimal and octal IPv4', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const parts = address.split('.').map(Number);
        const number = parts.reduce((sum, part) => sum * 256 + part, 0);
        const spellings = [
          address,
          String(number),
          `0x${number.toString(16)}`,
          parts.map((part) => `0${part.toString(8)}`).join('.'),
        ];
        for (const spelling of spellings) expect(toCanonicalHost(spelling)).toBe(address);
      }),
    );
  });

  it.each(['a/b', 'a@b', 'a?b', 'a b', 'a\\b', '', '1.2.3.4.5.6', '[::1', 'a:80'])(
    'is invalid: %j',
    (text) => {
      expect(toCanonicalHost(text)).toBeUndefined();
    },
  );
});

it('The addresses of this machine are recognised', () => {
  expect(isOfThisMachine('127.0.0.1')).toBe(true);
  expect(isOfThisMachine('8.8.8.8')).toBe(false);
});
