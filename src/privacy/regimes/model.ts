/** `default` applies to every other country, and where the country is unknown. */
export const REGIME_NAMES = ['eu', 'uk', 'us', 'ch', 'br', 'default'] as const;
export type RegimeName = (typeof REGIME_NAMES)[number];

/** What a law can exempt from consent, if the site uses the data only for itself. */
export const EXEMPT_PURPOSES = ['statistics', 'appearance'] as const;
export type ExemptPurpose = (typeof EXEMPT_PURPOSES)[number];

export interface RuleValues {
  /** Consent before storage that is not strictly necessary. */
  must_ask: boolean;
  /** Rejecting is as easy as accepting. */
  reject_equals_accept: boolean;
  /** Global Privacy Control counts as an opt-out. */
  gpc_is_opt_out: boolean;
  /** A link to opt out is always shown. */
  show_opt_out_link: boolean;
  /** Visitors see that their signal was honoured. */
  confirm_opt_out: boolean;
  /** Purposes that need notice and objection only. */
  exempt_purposes: readonly ExemptPurpose[];
  /** Days after a refusal in which nobody asks again. */
  refused_until_days: number;
}

/** What applies where no rule is known. */
export const NO_RULE: RuleValues = {
  must_ask: false,
  reject_equals_accept: false,
  gpc_is_opt_out: false,
  show_opt_out_link: false,
  confirm_opt_out: false,
  exempt_purposes: [],
  refused_until_days: 0,
};

export interface RuleSource {
  /** Article or section. */
  article: string;
  title: string;
  url: string;
}

/** A value of a rule and the day from which it applies, `YYYY-MM-DD`. */
export interface DatedRule<Value> {
  valid_from: string;
  value: Value;
  source: RuleSource;
  note?: string;
}

/** The values of each rule in the order of their days. */
export type RegimeRules = {
  [Name in keyof RuleValues]?: readonly DatedRule<RuleValues[Name]>[];
};

export const REGIME_MODES = ['opt_in_everywhere', 'by_country'] as const;

/** How the owner asks visitors: the setting `consent.regimes`. */
export interface RegimeSettings {
  mode: (typeof REGIME_MODES)[number];
  /** Regimes for single countries (ISO 3166-1 alpha-2, in capitals) in place of their own. Used with `by_country` only. */
  overrides: readonly { country: string; regime: RegimeName }[];
}
