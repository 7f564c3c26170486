import { InvalidFieldError } from '../../platform/errors.ts';
import { toStricter } from './choice.ts';
import { COUNTRIES } from './countries.ts';
import { REGIME_NAMES, type RegimeName, type RegimeSettings, type RuleValues } from './model.ts';
import { findRegime, getRule, getRuleValues } from './rules.ts';

/**
 * The rules on the question, in which a chosen regime must not be laxer. All other rules of the country's own regime
 * apply beside those of the chosen one, see `getRegimeFor`.
 */
const QUESTION = {
  must_ask: 'visitors are asked before anything is stored that is not strictly necessary',
  exempt_purposes: 'statistics and appearance need consent as well',
  reject_equals_accept: 'rejecting is as easy as accepting',
  gpc_is_opt_out: 'Global Privacy Control counts as a refusal or opt-out',
} satisfies { [Name in keyof RuleValues]?: string };

/**
 * Checks regimes that the owner has chosen for single countries.
 * @param day the current one, `YYYY-MM-DD`
 * @throws InvalidFieldError if a country does not exist or is listed twice, or its regime is laxer than its own
 */
export function assertOverrides(overrides: RegimeSettings['overrides'], day: string): void {
  const countries = overrides.map(({ country }) => country);
  for (const [at, { country, regime }] of overrides.entries()) {
    const refuse = (field: string, problem: string) => {
      const message = `consent[regimes][overrides][${at}][${field}] ${problem}`;
      return new InvalidFieldError('consent', message);
    };
    if (!COUNTRIES.includes(country))
      throw refuse(
        'country',
        `must be a country code of ISO 3166-1, for example CA, not ${country}.`,
      );
    if (countries.indexOf(country) !== at)
      throw refuse('country', `must be unique. ${country} is listed twice: remove one of the two.`);
    const problem = findProblem(findRegime(country), regime, day);
    if (problem)
      throw refuse('regime', `must not be laxer than the rules for ${country}. ${problem}`);
  }
}

function findProblem(own: RegimeName, chosen: RegimeName, day: string): string | undefined {
  const rule = findLaxerRule(own, chosen, day);
  if (!rule) return undefined;
  // An exemption of other countries is laxer than the duty to ask, so the source is that of the duty.
  const source = getRule(own, rule, day).source ?? getRule(own, 'must_ask', day).source;
  const allowed = REGIME_NAMES.filter((name) => !findLaxerRule(own, name, day));
  return `The rule ${rule} of ${own}: ${QUESTION[rule]} (${source?.title}, ${source?.article}). ${chosen} does not require this. Choose one of ${allowed.join(', ')}, or remove the override.`;
}

/** The first rule on the question in which a regime is laxer than a country's own. `default` is a precaution, not a law. */
function findLaxerRule(own: RegimeName, chosen: RegimeName, day: string) {
  if (own === 'default') return undefined;
  const values = getRuleValues(chosen, day);
  const required = toStricter(getRuleValues(own, day), values);
  const names = Object.keys(QUESTION) as (keyof typeof QUESTION)[];
  return names.find((name) => JSON.stringify(values[name]) !== JSON.stringify(required[name]));
}
