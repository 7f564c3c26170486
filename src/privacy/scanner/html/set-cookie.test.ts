import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDeletion, parseSetCookie } from './set-cookie.ts';

const now = Date.UTC(2026, 10, 21);
const parse = (header: string, url = 'https://www.site.example/a/b') =>
  parseSetCookie(header, url, now);

describe('A Set-Cookie header', () => {
  it('is parsed without its value', () => {
    expect(
      parse(
        'id=SECRET=1; Domain=.Site.example; Path=/x; Max-Age=3600; Secure; HttpOnly; SameSite=None',
      ),
    ).toEqual({
      name: 'id',
      domain: 'site.example',
      path: '/x',
      lifetimeSeconds: 3_600,
      secure: true,
      httpOnly: true,
      sameSite: 'none',
      blockedReasons: [],
    });
  });

  it.each([
    ['a=1', null],
    ['a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 60],
    ['a=1; Expires=Sun, 22 Nov 2026 00:00:00 GMT', 86_400],
    ['a=1; expires=Sun, 22-Nov-2026 00:00:00 GMT', 86_400],
    ['a=1; Expires=whenever', null],
    ['a=1; Expires=0', null],
    ['a=1; Expires=-1', null],
    ['a=1; Expires=1970', null],
    ['a=1; Expires=2026-11-22T00:00:00Z', null],
    ['a=1; Expires=Sun, 32 Nov 2026 00:00:00 GMT', null],
    ['a=1; Expires=22 Nov 26 00:00:00', 86_400],
    ['a=1; Expires=Sun Nov 22 2026 00:00:00 GMT+0100 (CET)', 86_400],
    ['a=1; Max-Age=1.5', null],
    ['a=1; Max-Age=99999999999', 34_560_000],
    ['a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT', 34_560_000],
  ])('has a lifetime of at most 400 days: %s', (header, seconds) => {
    expect(parse(header)?.lifetimeSeconds).toBe(seconds);
  });

  it.each([
    'a=; Max-Age=0',
    'a=1; Max-Age=-1',
    'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    '',
    'no-pair',
    '=value',
    'a\u0000=1',
  ])('is ignored if it deletes a cookie or is invalid: %j', (header) => {
    expect(parse(header)).toBeUndefined();
  });

  it.each([
    ['a=1; Secure', 'http://site.example/', ['SecureOnly']],
    ['__Secure-a=1; Secure', 'http://10.0.0.1/', ['SecureOnly']],
    ['a=1', 'http://site.example/', []],
    ['a=1; Secure', 'https://site.example/', []],
    ['a=1; Secure', 'http://localhost:8080/', []],
    ['a=1; Secure', 'http://shop.localhost/', []],
    ['a=1; Secure', 'http://127.0.0.1:8080/', []],
    ['a=1; Secure', 'http://[::1]/', []],
  ])(
    'is rejected if it is secure and the origin is not trustworthy: %s of %s',
    (header, url, reasons) => {
      expect(parse(header, url)?.blockedReasons).toEqual(reasons);
    },
  );

  it('defaults to the host and folder of the response', () => {
    expect(parse('a=1')).toMatchObject({ domain: 'www.site.example', path: '/a', sameSite: null });
    expect(parse('a=1', 'https://h.example')).toMatchObject({ path: '/' });
  });

  it('accepts any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parse(`a=1; ${text}`)));
    fc.assert(fc.property(fc.string(), (text) => void parse(text)));
  });

  it.each([
    ['id=1; Domain=co.uk', 'https://www.shop.co.uk/', undefined],
    ['id=1; Domain=.github.io', 'https://shop.github.io/', undefined],
    ['id=1; Domain=shop.co.uk', 'https://www.shop.co.uk/', 'shop.co.uk'],
    ['id=1; Domain=github.io', 'https://github.io/', 'github.io'],
    ['id=1; Domain=localhost', 'http://localhost/', 'localhost'],
    ['id=1; Domain=127.0.0.1', 'http://127.0.0.1/', '127.0.0.1'],
  ])('is ignored for a public suffix: %s at %s', (header, url, domain) => {
    expect(parse(header, url)?.domain).toBe(domain);
  });

  it.each([
    'a=1; Domain=other.example',
    'a=1; Domain=shop.site.example',
    'a=1; Domain=%',
    '__Secure-a=1',
    '__host-a=1; Secure; Path=/; Domain=www.site.example',
    '__Host-a=1; Secure; Path=/a',
    '__Host-a=1; Path=/',
  ])('is ignored if browsers reject it for its domain or prefix: %s', (header) => {
    expect(parse(header)).toBeUndefined();
  });

  it.each([
    ['a=1; Domain=b\u00fccher.example', 'https://www.xn--bcher-kva.example/'],
    ['__Secure-a=1; Secure', undefined],
    ['__Host-a=1; Secure; Path=/', undefined],
  ])('is a cookie if its domain and prefix are valid: %s', (header, url) => {
    expect(parse(header, url)).toBeDefined();
  });

  it.each([
    ['id=; Max-Age=0', 'id'],
    ['id=; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'id'],
    ['id=1', undefined],
    ['id=1; Max-Age=60', undefined],
    ['id=1; Expires=0', undefined],
    ['id=; Max-Age=0; Domain=other.example', undefined],
  ])('deletes an expired cookie: %s', (header, name) => {
    expect(parseDeletion(header, 'https://www.site.example/', now)?.name).toBe(name);
  });
});
