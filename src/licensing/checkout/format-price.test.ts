import { describe, expect, it } from 'vitest';
import { formatPrice, formatPriceParts } from './format-price.ts';

describe('Price format', () => {
  const price = { tier: 'pro', interval: 'year', sites: 3, tax: 'unspecified' } as const;

  it.each([
    [4_900, 'EUR', '€49.00 a year'],
    [5_000, 'JPY', 'JP¥5,000 a year'],
    [12_345, 'BHD', 'BHD\u00a012.345 a year'],
    [500_000, 'ISK', 'ISK\u00a05,000 a year'],
    [490_000, 'HUF', 'HUF\u00a04,900 a year'],
    [490_050, 'HUF', 'HUF\u00a04,900.50 a year'],
    [29_900_000, 'IDR', 'IDR\u00a0299,000 a year'],
    [0, 'GBP', '£0.00 a year'],
  ])('formats %i in the unit of %s at Stripe', (amount, currency, words) => {
    expect(formatPrice({ ...price, amount, currency })).toBe(words);
  });

  it('states whether tax is included, if known', () => {
    const inWords = (tax: 'inclusive' | 'exclusive') =>
      formatPrice({ ...price, interval: 'month', amount: 490, currency: 'EUR', tax });
    expect(inWords('inclusive')).toBe('€4.90 a month, tax included');
    expect(inWords('exclusive')).toBe('€4.90 a month, plus tax where applicable');
  });

  it('is in German as well, in parts', () => {
    const asked = { ...price, amount: 4_900, currency: 'EUR', tax: 'exclusive' } as const;
    expect(formatPriceParts(asked, 'de')).toEqual({
      amount: '49,00\u00a0€',
      period: 'pro Jahr, zzgl. anfallender Steuern',
    });
  });

  it('is undefined without an amount', () => {
    expect(formatPrice({ ...price, amount: null, currency: 'EUR' })).toBeUndefined();
    expect(formatPrice({ ...price, amount: null, currency: null, tax: null })).toBeUndefined();
  });
});
