import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ALL_DAYS } from '../tables.ts';
import { countChoices } from './rules.ts';

const CATEGORIES = ['functional', 'analytics', 'marketing'];

const choice = fc.record({
  day: fc.constantFrom('2026-11-20', '2026-11-21'),
  consent_action: fc.constantFrom('accept_all' as const, 'reject_all' as const, 'manage' as const),
  categories_accepted: fc.subarray(CATEGORIES),
  categories_rejected: fc.subarray(CATEGORIES),
});

it('counts each choice on its day, and each category on its day and in total', () => {
  fc.assert(
    fc.property(fc.array(choice), (choices) => {
      const { daily, categories } = countChoices(choices);
      for (const [day, action, total] of daily) {
        const alike = choices.filter((each) => each.day === day && each.consent_action === action);
        expect(total).toBe(alike.length);
      }
      expect(daily.reduce((sum, [, , total]) => sum + total, 0)).toBe(choices.length);
      for (const [day, category, accepted, rejected] of categories) {
        const counted = choices.filter((each) => day === ALL_DAYS || each.day === day);
        const count = (list: 'categories_accepted' | 'categories_rejected') =>
          counted.filter((each) => each[list].includes(category)).length;
        expect([accepted, rejected]).toEqual([
          count('categories_accepted'),
          count('categories_rejected'),
        ]);
      }
      const listed = choices.flatMap((each) => [
        ...each.categories_accepted,
        ...each.categories_rejected,
      ]);
      const counted = categories.reduce((sum, [, , ...counts]) => sum + counts[0] + counts[1], 0);
      expect(counted).toBe(2 * listed.length);
    }),
  );
});

it('gives the counts in an order that does not depend on that of the choices', () => {
  fc.assert(
    fc.property(fc.array(choice), (choices) => {
      expect(countChoices(choices.toReversed())).toEqual(countChoices(choices));
    }),
  );
});
