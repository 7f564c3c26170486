import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toStableName, toStablePath } from './stable-name.ts';

describe('toStableName', () => {
  it.each<[string, string | undefined, string]>([
    ['_hjSession_123', '_hjSession_*', '_hjSession_*'],
    ['_pk_id.1.6d0a', '_pk_id*', '_pk_id*'],
    ['wordpress_test_cookie', 'wordpress_*', 'wordpress_test_cookie'],
    ['_ga', '_ga', '_ga'],
    ['dmn_chk_0192f3a1-7c1e-7d3b-9a55-1c2d3e4f5a6b', undefined, 'dmn_chk_*'],
    ['tld_d41d8cd98f00b204e9800998ecf8427e', undefined, 'tld_*'],
    ['visit_1764000000000', undefined, 'visit_*'],
    ['device-l8k3jd92', undefined, 'device-*'],
    ['promo_2026', undefined, 'promo_2026'],
    ['basket_v2', undefined, 'basket_v2'],
    ['i18nextLng', undefined, 'i18nextLng'],
    ['wp-settings-time-1', undefined, 'wp-settings-time-1'],
  ])('converts %s (%s) to %s', (name, pattern, stable) => {
    expect(toStableName(name, pattern)).toBe(stable);
  });

  it('is equal for all IDs', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        expect(toStableName(`chk_${one}`)).toBe(toStableName(`chk_${other}`));
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (name) => {
        const stable = toStableName(name);
        expect(toStableName(stable)).toBe(stable);
      }),
    );
  });
});

it.each([
  ['https://a.example/b/1764000000000.gif?id=7', 'https://a.example/b/*.gif?id=7'],
  ['https://a.example/v2/2026/hero.jpg', 'https://a.example/v2/2026/hero.jpg'],
  [
    'https://a.example/d41d8cd98f00b204e9800998ecf8427e/hit?id=1764000000000',
    'https://a.example/*/hit?id=1764000000000',
  ],
])('toStablePath removes variable parts: %s', (url, stable) => {
  expect(toStablePath(url)).toBe(stable);
});
