import type { ExemptPurpose, RuleValues } from './model.ts';

/** The last choice of a visitor, as their browser has stored it. */
export interface EarlierChoice {
  /** Ids of optional categories. */
  accepted: readonly string[];
  rejected: readonly string[];
  ageDays: number;
  /** Whether consent to its banner version is still valid, see `asked_since`. */
  isVersionValid: boolean;
  /** Whether the browser sent Global Privacy Control when it was made. */
  gpc: boolean;
  /** Whether the signal has been recorded as an opt-out since then. */
  optedOut: boolean;
}

export interface DecisionSettings {
  categories: readonly {
    id: string;
    required: boolean;
    /** The site uses the data of the category only for itself, for this purpose. */
    ownUse?: ExemptPurpose;
  }[];
  /** Lifetime of consent, in days. */
  expiry_days: number;
  /** Lifetime of a refusal, in days. A regime can require more. */
  refused_until_days: number;
}

export interface Decision {
  /** `nothing`: the choice stands. Preferences can be opened in each case. */
  action: 'ask' | 'opt_out_link' | 'nothing';
  /** Ids of the categories that are on until the visitor chooses. */
  on: string[];
  /** Show “Opt-out request honored”. */
  confirmOptOut: boolean;
  /** Record an opt-out with `gpc: true`, once per browser. */
  recordOptOut: boolean;
}

interface Situation {
  rules: RuleValues;
  gpc: boolean;
  earlier: EarlierChoice | undefined;
  settings: DecisionSettings;
}

/** Decides by the rules of a country what the banner does. Needs nothing but its arguments, so it can run in browsers. */
export function decideByRules(situation: Situation): Decision {
  const { rules, gpc, settings } = situation;
  const isSignal = gpc && rules.gpc_is_opt_out;
  const { accepts, ...decided } = rules.must_ask
    ? decideOptIn(situation, isSignal)
    : decideOptOut(situation, isSignal);
  return {
    ...decided,
    action:
      decided.action === 'nothing' && rules.show_opt_out_link ? 'opt_out_link' : decided.action,
    on: settings.categories
      .filter((category) => category.required || accepts(category))
      .map(({ id }) => id),
  };
}

type Category = DecisionSettings['categories'][number];
type Outcome = Omit<Decision, 'on'> & { accepts: (category: Category) => boolean };

/**
 * Consent lasts `expiry_days`, a refusal `refused_until_days` or longer by law. A visitor who accepted some categories is
 * asked again after the later of the two. The signal is a refusal, unless the visitor accepted while it was sent.
 */
function decideOptIn({ rules, earlier, settings }: Situation, isSignal: boolean): Outcome {
  const refusedUntil = Math.max(settings.refused_until_days, rules.refused_until_days);
  const holds = (choice: EarlierChoice) =>
    choice.isVersionValid &&
    !choice.optedOut &&
    (!isSignal || choice.gpc) &&
    choice.ageDays < getAskAgainDays(choice, settings.expiry_days, refusedUntil);
  const standing = earlier && holds(earlier) ? earlier : undefined;
  const isConsentValid = standing !== undefined && standing.ageDays < settings.expiry_days;
  const hasObjected = (id: string) => earlier?.optedOut || earlier?.rejected.includes(id);
  return {
    action: standing || isSignal ? 'nothing' : 'ask',
    accepts: ({ id, ownUse }) =>
      standing
        ? isConsentValid && standing.accepted.includes(id)
        : !isSignal &&
          ownUse !== undefined &&
          rules.exempt_purposes.includes(ownUse) &&
          !hasObjected(id),
    confirmOptOut: isSignal && rules.confirm_opt_out && !isConsentValid,
    recordOptOut: false,
  };
}

function getAskAgainDays(
  { accepted, rejected }: EarlierChoice,
  expiry: number,
  refusedUntil: number,
): number {
  if (accepted.length === 0) return refusedUntil;
  return rejected.length === 0 ? expiry : Math.max(expiry, refusedUntil);
}

/**
 * Everything is on until the visitor opts out, and an opt-out never ends by itself: not with time, with a new banner
 * version (California Civil Code § 1798.135(c)(4)), or when the signal is no longer sent (11 CCR § 7025(c)(5), 4 CCR
 * 904-3 Rule 5.09(B)). If the signal contradicts earlier consent, it is honoured, and the visitor is asked which of the
 * two they mean (11 CCR § 7025(c)(3)).
 */
function decideOptOut({ rules, earlier, settings }: Situation, isSignal: boolean): Outcome {
  const hasConsent =
    earlier !== undefined &&
    earlier.accepted.length > 0 &&
    earlier.isVersionValid &&
    earlier.ageDays < settings.expiry_days;
  const isOverruled = hasConsent && earlier.gpc && !earlier.optedOut;
  if (isSignal && !isOverruled) {
    const wasRecorded = earlier?.optedOut || (earlier?.gpc && earlier.accepted.length === 0);
    return {
      action: hasConsent && !earlier.gpc ? 'ask' : 'nothing',
      accepts: () => false,
      confirmOptOut: rules.confirm_opt_out,
      recordOptOut: !wasRecorded,
    };
  }
  const accepts = ({ id }: Category) => {
    if (!earlier) return true;
    if (earlier.optedOut) return false;
    const hasRejected = earlier.rejected.length > 0 || earlier.accepted.length === 0;
    return !hasRejected || earlier.accepted.includes(id);
  };
  return { action: 'nothing', accepts, confirmOptOut: false, recordOptOut: false };
}
