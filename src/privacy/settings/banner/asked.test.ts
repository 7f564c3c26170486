import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../defaults.ts';
import { type Asked, type BannerVersion, findReasonsToAskAgain, isSameAsked } from './asked.ts';

const { consent } = defaultSettings('https://example.com');
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));

const askedFor = (vendors: string[], purposes: string[]): Asked => ({
  vendors: vendors.map((slug) => ({ slug, name: slug.toUpperCase() })),
  purposes,
});
const version = (fields: Partial<BannerVersion['config']>, asked: Asked | null): BannerVersion => ({
  config: { ...consent, ...fields },
  asked,
});

describe('findReasonsToAskAgain', () => {
  it('returns vendors and purposes if one is added, not if one is removed', () => {
    fc.assert(
      fc.property(names, names, names, names, (oldVendors, oldPurposes, vendors, purposes) => {
        const before = version({}, askedFor(oldVendors, oldPurposes));
        const after = version({}, askedFor(vendors, purposes));
        const news = findReasonsToAskAgain(before, after);
        expect(news.includes('vendors')).toBe(vendors.some((slug) => !oldVendors.includes(slug)));
        expect(news.includes('purposes')).toBe(purposes.some((it) => !oldPurposes.includes(it)));
        expect(news.every((reason) => reason === 'vendors' || reason === 'purposes')).toBe(true);
        const isSame = isSameAsked(before.asked, after.asked as Asked);
        if (isSame) expect(news).toEqual([]);
      }),
    );
  });

  it('returns nothing for a renamed vendor and if the earlier vendors are unknown', () => {
    const after = version({}, askedFor(['a'], ['p']));
    expect(findReasonsToAskAgain(version({}, null), after)).toEqual([]);
    const renamed = { vendors: [{ slug: 'a', name: 'Renamed' }], purposes: ['p'] };
    expect(findReasonsToAskAgain(after, version({}, renamed))).toEqual([]);
    expect(isSameAsked(after.asked, renamed)).toBe(true);
  });

  it('returns nothing for another look and another order of categories', () => {
    const looks = fc.record({
      position: fc.constantFrom('top' as const, 'center' as const),
      accept_text: fc.string(),
      reject_text: fc.string(),
      expiry_days: fc.integer({ min: 1, max: 3_650 }),
      enabled: fc.boolean(),
      categories: fc.shuffledSubarray(consent.categories, { minLength: consent.categories.length }),
    });
    fc.assert(
      fc.property(looks, looks, (one, other) => {
        expect(findReasonsToAskAgain(version(one, null), version(other, null))).toEqual([]);
      }),
    );
  });
});
