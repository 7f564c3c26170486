import { expect, it } from 'vitest';
import { compareTotals } from './periods.ts';

const days = (from: string, ...totals: number[]) =>
  totals.map((total, at) => ({
    date: new Date(Date.parse(from) + at * 86_400_000).toISOString().slice(0, 10),
    total,
  }));

it('compares the complete days of a period with those of the period before', () => {
  const before = days('2026-10-01', 100, 100, 100);
  expect(compareTotals(days('2026-10-04', 110, 110, 5), before, '2026-10-06')).toBe(10);
  expect(compareTotals(days('2026-10-04', 110, 110, 110), before, '2026-10-07')).toBe(10);
  expect(compareTotals(days('2026-10-04', 80, 2, 0), before, '2026-10-05')).toBe(-20);
});

it('compares nothing with no choices, and no days that are not over', () => {
  const before = days('2026-10-01', 0, 7);
  expect(compareTotals(days('2026-10-03', 4, 1), before, '2026-10-04')).toBeUndefined();
  expect(compareTotals(days('2026-10-03', 4), days('2026-10-02', 7), '2026-10-03')).toBeUndefined();
});
