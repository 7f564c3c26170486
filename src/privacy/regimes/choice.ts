import type { RegimeName, RegimeSettings, RuleValues } from './model.ts';
import { findRegime, getRuleValues } from './rules.ts';

/**
 * The regime for visitors of a country under the choice of the owner, and its rules. Rules of the country's own regime
 * stay where those of the chosen one are laxer, so that a change of law applies before the owner reacts. For countries of
 * `default`, whose law Pavis does not know, the choice of the owner is all that counts.
 * @param country ISO 3166-1 alpha-2, in any case; undefined: unknown
 * @param day `YYYY-MM-DD`, not before `FIRST_DAY`
 */
export function getRegimeFor(
  country: string | undefined,
  { mode, overrides }: RegimeSettings,
  day: string,
): { regime: RegimeName; rules: RuleValues } {
  const own = findRegime(country);
  const override = overrides.find((each) => each.country === country?.toUpperCase());
  const regime = mode === 'by_country' ? (override?.regime ?? own) : 'default';
  const rules = getRuleValues(regime, day);
  return {
    regime,
    rules: own === 'default' ? rules : toStricter(getRuleValues(own, day), rules),
  };
}

/** The stricter of two values of each rule. */
export const toStricter = (one: RuleValues, other: RuleValues): RuleValues => ({
  must_ask: one.must_ask || other.must_ask,
  reject_equals_accept: one.reject_equals_accept || other.reject_equals_accept,
  gpc_is_opt_out: one.gpc_is_opt_out || other.gpc_is_opt_out,
  show_opt_out_link: one.show_opt_out_link || other.show_opt_out_link,
  confirm_opt_out: one.confirm_opt_out || other.confirm_opt_out,
  exempt_purposes: toFewerExemptions(one, other),
  refused_until_days: Math.max(one.refused_until_days, other.refused_until_days),
});

/** Exemptions are from the duty to ask, so rules without this duty do not limit those of the other. */
const toFewerExemptions = (one: RuleValues, other: RuleValues): RuleValues['exempt_purposes'] =>
  one.must_ask && other.must_ask
    ? one.exempt_purposes.filter((each) => other.exempt_purposes.includes(each))
    : (one.must_ask ? one : other).exempt_purposes;
