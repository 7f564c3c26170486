import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DomainError } from '../../platform/errors.ts';
import { getRegimeFor, toStricter } from './choice.ts';
import { COUNTRIES, REGIME_COUNTRIES } from './countries.ts';
import { REGIME_MODES, REGIME_NAMES, type RegimeName, type RegimeSettings } from './model.ts';
import { assertOverrides } from './overrides.ts';
import { findRegime, getRuleValues } from './rules.ts';

const DAY = '2026-11-26';
const byCountry = (overrides: RegimeSettings['overrides'] = []): RegimeSettings => ({
  mode: 'by_country',
  overrides,
});
const everywhere: RegimeSettings = { mode: 'opt_in_everywhere', overrides: [] };
const choose = (country: string, regime: RegimeName) => [{ country, regime }];

describe('getRegimeFor', () => {
  it.each(REGIME_NAMES)('has the rules of %s in its countries', (regime) => {
    for (const country of REGIME_COUNTRIES[regime]) {
      const applied = getRegimeFor(country.toLowerCase(), byCountry(), DAY);
      expect(applied).toEqual({ regime, rules: getRuleValues(regime, DAY) });
    }
  });

  it('has the strictest rules for unknown countries, whatever the owner has chosen', () => {
    for (const settings of [everywhere, byCountry(choose('CA', 'us'))]) {
      const applied = getRegimeFor(undefined, settings, DAY);
      expect(applied).toEqual({ regime: 'default', rules: getRuleValues('default', DAY) });
    }
  });

  it('asks everywhere, and keeps what else the law of the country requires', () => {
    const { regime, rules } = getRegimeFor('US', everywhere, DAY);
    expect([regime, rules]).toEqual([
      'default',
      {
        must_ask: true,
        reject_equals_accept: true,
        gpc_is_opt_out: true,
        show_opt_out_link: true,
        confirm_opt_out: true,
        exempt_purposes: [],
        refused_until_days: 366,
      },
    ]);
    expect(getRegimeFor('GB', everywhere, DAY).rules.exempt_purposes).toEqual([]);
  });

  it('ignores overrides where all are asked', () => {
    const settings = { ...everywhere, overrides: choose('CA', 'us') };
    expect(getRegimeFor('CA', settings, DAY).rules.must_ask).toBe(true);
  });

  it('applies the chosen regime alone where Pavis knows no law', () => {
    const applied = getRegimeFor('CA', byCountry(choose('CA', 'us')), DAY);
    expect(applied).toEqual({ regime: 'us', rules: getRuleValues('us', DAY) });
  });

  it('is never laxer than the law of the country, on any day and whatever is stored', () => {
    const known = COUNTRIES.filter((country) => findRegime(country) !== 'default');
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.constantFrom(...REGIME_NAMES),
        fc.constantFrom(...REGIME_MODES),
        fc.constantFrom('2020-01-01', '2023-03-29', '2026-02-04', '2026-02-05', '2029-12-31'),
        (country, regime, mode, day) => {
          const { rules } = getRegimeFor(
            country,
            { mode, overrides: choose(country, regime) },
            day,
          );
          expect(toStricter(getRuleValues(findRegime(country), day), rules)).toEqual(rules);
        },
      ),
    );
  });
});

describe('assertOverrides', () => {
  /** Why overrides are refused; undefined if they are accepted. */
  function findReason(overrides: RegimeSettings['overrides'], day = DAY): string | undefined {
    try {
      assertOverrides(overrides, day);
      return undefined;
    } catch (error) {
      const { params } = (error as DomainError).details as { params: Record<string, string> };
      return params.consent;
    }
  }

  /** The regimes that an owner may choose for a country of each, by hand. */
  const ALLOWED: Record<RegimeName, readonly RegimeName[]> = {
    eu: ['eu', 'ch', 'br', 'default'],
    uk: ['eu', 'uk', 'ch', 'br', 'default'],
    us: REGIME_NAMES,
    ch: ['eu', 'ch', 'br', 'default'],
    br: ['eu', 'ch', 'br', 'default'],
    default: REGIME_NAMES,
  };

  it.each(REGIME_NAMES)('accepts no laxer question for countries of %s', (own) => {
    const [country = ''] = REGIME_COUNTRIES[own];
    const accepted = REGIME_NAMES.filter((regime) => !findReason(choose(country, regime)));
    expect(accepted).toEqual(ALLOWED[own]);
  });

  it('follows the law of the day', () => {
    expect(findReason(choose('DE', 'uk'), '2026-02-04')).toBeUndefined();
    expect(findReason(choose('DE', 'uk'), '2026-02-05')).toContain('exempt_purposes');
  });

  it.each([
    [
      choose('DE', 'us'),
      /\[0\]\[regime\] .* for DE\. The rule must_ask of eu: .* \(ePrivacy Directive .*, Article 5\(3\)\)/,
    ],
    [
      choose('GB', 'us'),
      /The rule must_ask of uk: .*Regulation 6\).* Choose one of eu, uk, ch, br, default/,
    ],
    [choose('IT', 'uk'), /The rule exempt_purposes of eu: .*ePrivacy Directive/],
    [choose('XX', 'us'), /\[0\]\[country\] must be a country code of ISO 3166-1, .*not XX/],
    [[...choose('CA', 'us'), ...choose('CA', 'eu')], /\[1\]\[country\] must be unique\. CA/],
  ])('refuses %j with the reason', (overrides, reason) => {
    expect(findReason(overrides)).toMatch(reason);
  });
});
