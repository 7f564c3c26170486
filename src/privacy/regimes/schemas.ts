import { type TSchema, Type } from 'typebox';
import { nullable, OneOf } from '../../platform/http/schemas.ts';
import type { getRegimeFor } from './choice.ts';
import { COUNTRIES, REGIME_COUNTRIES } from './countries.ts';
import { REGIMES } from './data.ts';
import { EXEMPT_PURPOSES, REGIME_MODES, REGIME_NAMES } from './model.ts';
import { FIRST_DAY, getRule, RULE_NAMES } from './rules.ts';

const Day = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-11-26'] });

/** The setting `consent.regimes`. */
export const RegimeSettings = Type.Object(
  {
    mode: OneOf(REGIME_MODES, {
      description:
        '`opt_in_everywhere`: all visitors are asked for consent, wherever they are. `by_country`: visitors are asked by the rules of their country, and for consent if it is unknown. In both cases, duties of their country remain, for example the opt-out link in the United States.',
    }),
    overrides: Type.Array(
      Type.Object(
        {
          country: Type.String({
            pattern: '^[A-Z]{2}$',
            description: 'ISO 3166-1 alpha-2, or XK (Kosovo).',
            examples: ['CA'],
          }),
          regime: OneOf(REGIME_NAMES),
        },
        { title: 'RegimeOverride' },
      ),
      {
        maxItems: COUNTRIES.length,
        description:
          'Regimes for single countries in place of their own, with `by_country`. A country with a regime of its own can only get one whose question is at least as strict today. Pavis does not know the law of the countries of `default`: there you can choose any regime and are responsible for the choice.',
      },
    ),
  },
  {
    title: 'RegimeSettings',
    description: 'Which rules apply. The banner and `GET /consent/regime` follow this setting.',
  },
);

export const RegimesQuery = Type.Object({
  date: Type.Optional(
    Day(
      `The day whose rules to list, from ${FIRST_DAY} on. Default: today in the time zone of the site.`,
    ),
  ),
});

const values = {
  must_ask: Type.Boolean({
    description: 'Visitors are asked before anything is stored that is not strictly necessary.',
  }),
  reject_equals_accept: Type.Boolean({ description: 'Rejecting is as easy as accepting.' }),
  gpc_is_opt_out: Type.Boolean({
    description: 'Global Privacy Control counts as an opt-out.',
  }),
  show_opt_out_link: Type.Boolean({ description: 'A link to opt out is always shown.' }),
  confirm_opt_out: Type.Boolean({
    description: 'Visitors see that their signal was honoured.',
  }),
  exempt_purposes: Type.Array(OneOf(EXEMPT_PURPOSES), {
    description:
      'Purposes that need notice and an easy objection only, if the site uses the data for itself.',
  }),
  refused_until_days: Type.Integer({
    minimum: 0,
    description: 'Days after a refusal in which visitors are not asked again; 0: no such rule.',
  }),
};

const RuleSource = Type.Object(
  {
    article: Type.String({ description: 'Article or section.' }),
    title: Type.String(),
    url: Type.String(),
  },
  { title: 'RegimeRuleSource' },
);

/** A rule whose description is that of its value. */
function dated<T extends TSchema & { description?: string }>(value: T, title: string) {
  const { description = '', ...described } = value;
  return Type.Object(
    {
      value: described as unknown as T,
      source: nullable(RuleSource),
      note: nullable(Type.String({ description: 'What Pavis makes of the source.' })),
      valid_from: nullable(Day('The first day; null if Pavis knows no such rule.')),
      valid_until: nullable(Day('The last day; null if no later rule is known.')),
    },
    { title, description },
  );
}

const Rules = Type.Object(
  {
    must_ask: dated(values.must_ask, 'RegimeFlag'),
    reject_equals_accept: dated(values.reject_equals_accept, 'RegimeFlag'),
    gpc_is_opt_out: dated(values.gpc_is_opt_out, 'RegimeFlag'),
    show_opt_out_link: dated(values.show_opt_out_link, 'RegimeFlag'),
    confirm_opt_out: dated(values.confirm_opt_out, 'RegimeFlag'),
    exempt_purposes: dated(values.exempt_purposes, 'RegimePurposes'),
    refused_until_days: dated(values.refused_until_days, 'RegimeDays'),
  },
  { title: 'RegimeRules' },
);

export const Regimes = Type.Object(
  {
    date: Day('The day whose rules these are.'),
    regimes: Type.Array(
      Type.Object(
        {
          id: OneOf(REGIME_NAMES),
          title: Type.String(),
          summary: Type.String(),
          countries: Type.Array(Type.String(), {
            description:
              'ISO 3166-1 alpha-2, and XK (Kosovo). `default` has all that no other regime has.',
          }),
          rules: Rules,
        },
        { title: 'Regime' },
      ),
    ),
  },
  { title: 'Regimes' },
);

export const VisitorRegime = Type.Object(
  {
    date: Day('Today, in the time zone of the site.'),
    regime: OneOf(REGIME_NAMES, {
      description:
        'The regime that applies under the setting `consent.regimes`: `default` with `opt_in_everywhere`, or if the country of the visitor is unknown.',
    }),
    rules: Type.Object(values, {
      title: 'RegimeRuleValues',
      description:
        'The rules that apply to the visitor. Where rules of their country are stricter than those of the chosen regime, they are in their place. `refused_until_days` is the minimum; the setting `consent.refused_until_days` can be longer.',
    }),
  },
  { title: 'VisitorRegime' },
);

export const toRegimes = (date: string) => ({
  date,
  regimes: REGIME_NAMES.map((id) => {
    const { title, summary } = REGIMES[id];
    const rules = Object.fromEntries(RULE_NAMES.map((name) => [name, getRule(id, name, date)]));
    return { id, title, summary, countries: REGIME_COUNTRIES[id], rules };
  }),
});

export const toVisitorRegime = (
  { regime, rules }: ReturnType<typeof getRegimeFor>,
  date: string,
) => ({ date, regime, rules });
