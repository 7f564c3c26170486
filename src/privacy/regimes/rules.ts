import { REGIME_COUNTRIES } from './countries.ts';
import { REGIMES } from './data.ts';
import {
  type DatedRule,
  NO_RULE,
  REGIME_NAMES,
  type RegimeName,
  type RuleSource,
  type RuleValues,
} from './model.ts';

export const RULE_NAMES = Object.keys(NO_RULE) as (keyof RuleValues)[];

/** The first day that the data covers. */
export const FIRST_DAY = '2020-01-01';

/** The value of a rule on a day. Source and days are null where Pavis knows no such rule. */
export interface RuleOnDay<Name extends keyof RuleValues = keyof RuleValues> {
  value: RuleValues[Name];
  source: RuleSource | null;
  note: string | null;
  valid_from: string | null;
  /** The last day; null if no later rule is known. */
  valid_until: string | null;
}

/** @param day `YYYY-MM-DD`, not before `FIRST_DAY` */
export function getRule<Name extends keyof RuleValues>(
  regime: RegimeName,
  name: Name,
  day: string,
): RuleOnDay<Name> {
  const dated: readonly DatedRule<RuleValues[Name]>[] = REGIMES[regime].rules[name] ?? [];
  const found = dated.findLast(({ valid_from }) => valid_from <= day);
  const next = dated.find(({ valid_from }) => valid_from > day);
  return {
    value: found?.value ?? NO_RULE[name],
    source: found?.source ?? null,
    note: found?.note ?? null,
    valid_from: found?.valid_from ?? null,
    valid_until: next ? getDayBefore(next.valid_from) : null,
  };
}

function getDayBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

/** The values of all rules of a regime on a day. */
export const getRuleValues = (regime: RegimeName, day: string): RuleValues =>
  Object.fromEntries(
    RULE_NAMES.map((name) => [name, getRule(regime, name, day).value]),
  ) as unknown as RuleValues;

/** @param country ISO 3166-1 alpha-2, in any case; undefined: unknown */
export const findRegime = (country: string | undefined): RegimeName =>
  REGIME_NAMES.find(
    (name) => country !== undefined && REGIME_COUNTRIES[name].includes(country.toUpperCase()),
  ) ?? 'default';
