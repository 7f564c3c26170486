import { describe, expect, it } from 'vitest';
import { asciiAddress, readEmail } from './email-address.ts';

describe('An e-mail address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    [' Ada.Lovelace+tag@Example.CO.UK ', 'ada.lovelace+tag@example.co.uk'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['a@BÜCHER.example', 'a@xn--bcher-kva.example'],
    ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
    // The same letters, composed and decomposed.
    ['zo\u00eb@b\u00fccher.example', 'zo\u00eb@xn--bcher-kva.example'],
    ['zoe\u0308@bu\u0308cher.example', 'zo\u00eb@xn--bcher-kva.example'],
    ['a@xn--bcher-kva.xn--p1ai', 'a@xn--bcher-kva.xn--p1ai'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%j identifies %s', (text, address) => {
    expect(readEmail(text)).toBe(address);
  });

  it.each([
    '',
    'a',
    'a@',
    '@example.com',
    'a@b',
    'a@@example.com',
    'a@b@example.com',
    'a b@example.com',
    'a@example .com',
    'a@example.com, evil@example.com',
    'a@example.com,evil@example.com',
    'a,b@example.com',
    'a@example.com;b@example.com',
    '"a"@example.com',
    '"a@evil.com "@example.com',
    'Ada <a@example.com>',
    'a(comment)@example.com',
    'group:a@example.com',
    'a\\b@example.com',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@1.2.3.45',
    'a@example.com\nBcc: evil@example.com',
    'a\u0000@example.com',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a@example..com',
    'a@-example.com',
    'a@example-.com',
    'a@example.com.',
    'a@example.c',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
    'a\ud800@example.com',
  ])('%j is none', (text) => {
    expect(readEmail(text)).toBeUndefined();
  });

  it('goes out with its host in punycode', () => {
    expect(asciiAddress('a@bücher.example')).toBe('a@xn--bcher-kva.example');
  });
});
