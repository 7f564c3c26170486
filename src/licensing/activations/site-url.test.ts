import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidSiteUrl, isDevelopmentSite, toSiteKey } from './site-url.ts';

const TWINS: [string, string][] = [
  ['https://example.com', 'http://example.com'],
  ['https://example.com', 'https://example.com/'],
  ['https://example.com', 'https://www.example.com'],
  ['https://example.com', 'HTTPS://WWW.EXAMPLE.COM'],
  ['https://example.com', 'https://example.com.'],
  ['https://example.com', 'https://example.com:443'],
  ['https://example.com', 'http://example.com:80/'],
  ['https://example.com', 'http://example.com:443'],
  ['https://example.com', 'https://user:secret@example.com'],
  ['https://example.com', 'https://example.com/?utm_source=mail'],
  ['https://example.com', 'https://example.com/#top'],
  ['https://example.com', '  https://example.com  '],
  ['https://example.com/shop', 'https://example.com/shop/'],
  ['https://example.com/shop', 'https://example.com//shop'],
  ['https://example.com/shop', 'https://example.com/blog/../shop'],
  ['https://example.com/~jo', 'https://example.com/%7Ejo'],
  ['https://example.com/%C3%A9', 'https://example.com/%c3%a9'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://bücher.example', 'https://BÜCHER.example'],
  ['https://example.com', 'https://example。com'],
  ['http://[::1]:8080', 'http://[0:0:0:0:0:0:0:1]:8080/'],
];

const STRANGERS: [string, string][] = [
  ['https://example.com', 'https://example.org'],
  ['https://example.com', 'https://shop.example.com'],
  ['https://example.com', 'https://example.com/shop'],
  ['https://example.com/shop', 'https://example.com/Shop'],
  ['https://example.com', 'https://example.com:8443'],
  ['https://example.com:8080', 'https://example.com:8081'],
  ['https://example.com', 'https://wwwexample.com'],
  ['https://example.com', 'https://www2.example.com'],
  ['https://example.com/a/b', 'https://example.com/a%2Fb'],
  ['http://127.0.0.1', 'http://127.0.0.2'],
  ['https://my_shop.example', 'https://my-shop.example'],
];

const INVALID = [
  '',
  'example.com',
  '//example.com',
  'ftp://example.com',
  'javascript:alert(1)',
  'https:example.com',
  'https:/example.com',
  'https:///example.com',
  'https:\\\\example.com',
  'https://example.com\\path',
  'https://',
  'https://?x',
  'https://exa mple.com',
  'https://exa\tmple.com',
  'https://example.com/\u0000',
  'https://example.com/\u009f',
  'https://example.com/\ud800',
  'https://a..example.com',
  'https://.example.com',
  `https://${'a'.repeat(64)}.com`,
  `https://${Array(64).fill('abc').join('.')}.example.com`,
  'https://example.com:99999',
  'https://[::1',
  'https://%00.com',
  'https://a.example,https://b.example',
  'https://a.example;b.example',
  'https://a.example"x',
  "https://a'b$&(c)*+=!~.example",
  'https://a{b}.example',
  `https://example.com/${'a'.repeat(2_048)}`,
  `https://example.com/${'ü'.repeat(400)}`,
];

describe('Site identity', () => {
  it.each(TWINS)('%s is the same site as %s', (one, other) => {
    expect(toSiteKey(other)).toBe(toSiteKey(one));
  });

  it.each(STRANGERS)('%s is not the same site as %s', (one, other) => {
    expect(toSiteKey(other)).not.toBe(toSiteKey(one));
  });

  it.each(INVALID.map((text) => [text.slice(0, 40), text]))('rejects %j', (_start, text) => {
    expect(() => toSiteKey(text)).toThrow(InvalidSiteUrl);
  });
});

const label = fc
  .stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/)
  .filter((text) => !/^(www|xn)|^..--/.test(text));
const host = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'org', 'example'))
  .map(([labels, top]) => [...labels, top].join('.'));
const port = fc.constantFrom('', ':8080', ':3000');
const path = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9_-]{1,6}$/), { maxLength: 3 })
  .map((parts) => parts.map((part) => `/${part}`).join(''));

describe('Site key', () => {
  it('ignores scheme, www, case of the host, trailing dot or slash, user, query and fragment', () => {
    fc.assert(
      fc.property(
        host,
        port,
        path,
        fc.webQueryParameters(),
        fc.webFragments(),
        (name, portPart, pathPart, query, fragment) => {
          const key = toSiteKey(`https://${name}${portPart}${pathPart}`);
          for (const scheme of ['http', 'https', 'HtTp']) {
            for (const written of [name, name.toUpperCase(), `www.${name}`, `${name}.`]) {
              expect(
                toSiteKey(`${scheme}://u:p@${written}${portPart}${pathPart}/?${query}#${fragment}`),
              ).toBe(key);
            }
          }
        },
      ),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(host, port, path, (name, portPart, pathPart) => {
        const key = toSiteKey(`https://${name}${portPart}${pathPart}`);
        expect(toSiteKey(`https://${key}`)).toBe(key);
      }),
    );
  });

  it('is returned, or the text is rejected with InvalidSiteUrl, for any text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string().map((rest) => `https://${rest}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(toSiteKey(text)).toMatch(/^[^\s?#@/]+(?:\/[^\s?#]*)?$/);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidSiteUrl);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('Development sites', () => {
  it.each([
    'http://localhost',
    'http://localhost:8080/shop',
    'https://shop.test',
    'https://shop.local',
    'https://shop.localhost',
    'https://staging.example.com',
    'https://dev.example.com',
    'http://127.0.0.1',
    'http://192.168.1.20:8000',
    'http://[::1]',
    'http://[fd00::1]:3000',
  ])('includes %s', (url) => {
    expect(isDevelopmentSite(toSiteKey(url))).toBe(true);
  });

  it.each([
    'https://localhost.example.com',
    'https://stagingequipment.com',
    'https://staging.com',
    'https://x.developer.com',
    'https://example.dev',
    'https://test.de',
    'https://8.8.8.8',
    'https://example.com/staging',
  ])('does not include %s', (url) => {
    expect(isDevelopmentSite(toSiteKey(url))).toBe(false);
  });
});
