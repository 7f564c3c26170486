import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REGIME_COUNTRIES } from './countries.ts';
import { REGIMES } from './data.ts';
import { REGIME_NAMES, type RegimeName, type RuleValues } from './model.ts';
import { findRegime, getRule, getRuleValues, RULE_NAMES } from './rules.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2020-01-01');
const toDay = (index: number) => new Date(START + index * DAY_MS).toISOString().slice(0, 10);
/** Ten years. */
const DAYS = Array.from({ length: 3_653 }, (_, index) => toDay(index));

/** Every change in ten years, by hand: the values the day before and on the day. */
const CHANGES: [string, RegimeName, keyof RuleValues, unknown, unknown][] = [
  ['2020-08-14', 'us', 'gpc_is_opt_out', false, true],
  ['2020-09-18', 'br', 'gpc_is_opt_out', false, true],
  ['2022-01-09', 'default', 'refused_until_days', 0, 184],
  ['2022-01-09', 'eu', 'refused_until_days', 0, 184],
  ['2022-10-18', 'br', 'reject_equals_accept', false, true],
  ['2023-03-29', 'us', 'reject_equals_accept', false, true],
  ['2023-09-01', 'ch', 'gpc_is_opt_out', false, true],
  ['2025-01-22', 'ch', 'must_ask', false, true],
  ['2025-01-22', 'ch', 'reject_equals_accept', false, true],
  ['2025-01-22', 'ch', 'show_opt_out_link', true, false],
  ['2026-01-01', 'us', 'confirm_opt_out', false, true],
  ['2026-02-05', 'uk', 'exempt_purposes', [], ['statistics', 'appearance']],
];

describe('rules by day', () => {
  it('has every change of ten years in the table, and no other', () => {
    const found = REGIME_NAMES.flatMap((regime) =>
      RULE_NAMES.flatMap((name) =>
        DAYS.slice(1).flatMap((day, index) => {
          const before = getRule(regime, name, DAYS[index] as string).value;
          const after = getRule(regime, name, day).value;
          return JSON.stringify(before) === JSON.stringify(after)
            ? []
            : [[day, regime, name, before, after]];
        }),
      ),
    );
    expect(found.sort()).toEqual([...CHANGES].sort());
  });

  it('has exactly one value of each rule on any day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DAYS),
        fc.constantFrom(...REGIME_NAMES),
        fc.constantFrom(...RULE_NAMES),
        (day, regime, name) => {
          const { value, source, valid_from, valid_until } = getRule(regime, name, day);
          expect(value).toEqual(getRuleValues(regime, day)[name]);
          const entries = REGIMES[regime].rules[name] ?? [];
          const applying = entries.filter((each) => {
            const days = getRule(regime, name, each.valid_from);
            return each.valid_from <= day && (days.valid_until ?? day) >= day;
          });
          expect(applying.map((each) => each.value)).toEqual(source ? [value] : []);
          if (source) expect(valid_from && valid_from <= day).toBe(true);
          expect(valid_until === null || valid_until >= day).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('states for each regime whether to ask, from the first day on, and a source for each value', () => {
    for (const regime of REGIME_NAMES) {
      expect(getRule(regime, 'must_ask', DAYS[0] as string).source).not.toBeNull();
      for (const entries of Object.values(REGIMES[regime].rules)) {
        const days = entries.map(({ valid_from }) => valid_from);
        expect(days).toEqual([...new Set(days)].sort());
        for (const { source } of entries) {
          expect(source.article && source.title).toBeTruthy();
          expect(new URL(source.url).protocol).toBe('https:');
        }
      }
    }
  });

  it('is strictest by default', () => {
    for (const day of ['2026-11-26', '2029-12-31']) {
      const strictest = getRuleValues('default', day);
      expect([strictest.must_ask, strictest.reject_equals_accept]).toEqual([true, true]);
      expect([strictest.gpc_is_opt_out, strictest.exempt_purposes]).toEqual([true, []]);
    }
  });
});

describe('countries', () => {
  it('belong to at most one regime', () => {
    const all = Object.values(REGIME_COUNTRIES).flat();
    expect(all).toEqual([...new Set(all)]);
    for (const country of all) expect(country).toMatch(/^[A-Z]{2}$/);
    expect(REGIME_COUNTRIES.eu).toHaveLength(27 + 3 + 7);
  });

  it.each([
    ['DE', 'eu'],
    ['gr', 'eu'],
    ['IS', 'eu'],
    ['RE', 'eu'],
    ['AX', 'eu'],
    ['GB', 'uk'],
    ['US', 'us'],
    ['CH', 'ch'],
    ['BR', 'br'],
    // The laws of the regimes do not apply there.
    ['JE', 'default'],
    ['GG', 'default'],
    ['IM', 'default'],
    ['GI', 'default'],
    ['PR', 'default'],
    ['GU', 'default'],
    ['SJ', 'default'],
    ['BL', 'default'],
    // Not a country: unknown, Tor, Europe.
    ['XX', 'default'],
    ['T1', 'default'],
    ['EU', 'default'],
    ['', 'default'],
    [undefined, 'default'],
  ])('%s is asked as %s', (country, regime) => {
    expect(findRegime(country)).toBe(regime);
  });
});
