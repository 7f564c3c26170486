import { expect, it } from 'vitest';
import { formatAmount, formatShare } from './format.ts';

it('rounds a share, but says neither that none are part of it nor that all are if that is not so', () => {
  expect([0, 0.004, 0.006, 0.5, 0.994, 0.996, 1].map(formatShare)).toEqual([
    '0%',
    '<1%',
    '1%',
    '50%',
    '99%',
    '>99%',
    '100%',
  ]);
});

it.each([
  [4_900, 'EUR', '€49.00'],
  [5_000, 'JPY', 'JP¥5,000'],
  [490_000, 'HUF', 'HUF\u00a04,900'],
  [490_050, 'HUF', 'HUF\u00a04,900.50'],
])('formats %i in the unit of %s at Stripe', (amount, currency, words) => {
  expect(formatAmount(amount, currency)).toBe(words);
});
