import type { Choice } from './wire.ts';

/** What the rules of the visitor's country require besides asking first. */
export interface Rules {
  /** Everything is on until the visitor opts out. */
  opt_out?: boolean;
  /** A link to opt out is always shown. */
  opt_out_link?: boolean;
  /** Visitors see that Global Privacy Control was honoured. */
  confirm_opt_out?: boolean;
  /** Ids of the categories that are on with notice until the visitor objects. */
  exempt?: readonly string[];
  /** Lifetime of a refusal, in days. */
  refusal_days?: number;
}

/** The version of a choice that the server has rejected. */
export const NO_VERSION = -1;

export interface Situation {
  rules: Rules;
  /** Whether the browser sends Global Privacy Control. */
  gpc: boolean | undefined;
  /** The last one, as the browser has stored it. */
  choice: Choice | undefined;
  age: number;
  /** Whether consent to its banner version is still valid, see `asked_since`. */
  isCurrent: boolean;
  /** Whether it accepted optional categories. */
  isConsent: boolean | undefined;
  /** Lifetime of consent, in days. */
  expiry_days: number;
}

export interface Decision {
  /** Whether the visitor has to be asked. */
  asks: boolean | undefined;
  /** Whether the earlier choice stands. */
  holds: boolean | undefined;
  /** Whether it stands as a refusal only, because what it accepted has expired. */
  isExpired?: boolean;
  /** Whether an optional category is on. */
  accepts(id: string): boolean | undefined;
  /** Record an opt-out with `gpc: true`, once per browser. */
  record?: boolean;
}

/** The longest that browsers keep a cookie. */
export const COOKIE_DAYS = 400;

/**
 * Consent lasts `expiry_days`, a refusal `refusal_days`. A visitor who accepted some categories is asked again
 * after the later of the two. Global Privacy Control is a refusal, unless the visitor accepted while it was sent. If it
 * contradicts earlier consent, it is honoured, and the visitor is asked which of the two they mean.
 */
export function decideOptIn({
  rules,
  gpc,
  choice,
  age,
  isCurrent,
  isConsent,
  expiry_days,
}: Situation): Decision {
  const accepted = choice?.categories_accepted ?? [];
  const rejected = choice?.categories_rejected ?? [];
  const isKnown = choice && isCurrent && !choice.opted_out;
  const isValid = isKnown && age < expiry_days;
  const isRefused = !!rejected[0] && age < (rules.refusal_days ?? COOKIE_DAYS);
  const isContradicted = gpc && !choice?.gpc;
  const holds =
    isKnown && !isContradicted && (isRefused || (isValid && (isConsent || !rejected[0])));
  return {
    asks: gpc ? isContradicted && isValid && isConsent : !holds,
    holds,
    isExpired: !isValid,
    accepts: (id) =>
      !rejected.includes(id) &&
      (holds && accepted.includes(id)
        ? isValid
        : !gpc && !choice?.opted_out && rules.exempt?.includes(id)),
  };
}
