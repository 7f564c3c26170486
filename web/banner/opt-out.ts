import { COOKIE_DAYS, type Decision, NO_VERSION, type Rules, type Situation } from './decision.ts';
import type { Choice } from './wire.ts';

/**
 * Everything is on until the visitor opts out, and an opt-out never ends by itself: not with time, with a new banner
 * version (California Civil Code § 1798.135(c)(4)), or when the signal is no longer sent (11 CCR § 7025(c)(5), 4 CCR
 * 904-3 Rule 5.09(B)). If the signal contradicts earlier consent, it is honoured, and the visitor is asked which of the
 * two they mean (11 CCR § 7025(c)(3)).
 */
export function decideOptOut(situation: Situation): Decision {
  const { gpc, choice, age, isConsent, expiry_days } = situation;
  const hasConsent = isConsent && situation.isCurrent && age < expiry_days;
  const isOverruled = hasConsent && choice?.gpc && !choice.opted_out;
  if (gpc && !isOverruled) {
    return {
      asks: hasConsent && !choice?.gpc,
      holds: false,
      accepts: () => false,
      record: !choice?.opted_out && !(choice?.gpc && !isConsent),
    };
  }
  const { categories_accepted = [], categories_rejected = [] } = choice ?? {};
  const hasRejected = choice && (categories_rejected.length > 0 || !isConsent);
  // Not of one that was added since.
  const isUndecided = (id: string) =>
    choice?.consent_action === 'manage' && situation.isCurrent && !categories_rejected.includes(id);
  return {
    // Visitors whose choice the server has rejected are asked once more.
    asks: choice?.version === NO_VERSION,
    holds: choice !== undefined && !choice.opted_out,
    accepts: (id) =>
      !choice?.opted_out && (!hasRejected || categories_accepted.includes(id) || isUndecided(id)),
  };
}

/**
 * An opt-out must not end with its cookie. Not before half its time, because the server can set one that lasts longer.
 * @param keep stores a choice in the browser
 */
export function renewOptOut(choice: Choice, keep: (renewed: Choice) => void): void {
  const now = Math.floor(Date.now() / 1_000);
  const lasts = COOKIE_DAYS * 86_400;
  if (choice.until < now + lasts / 2) keep({ ...choice, until: now + lasts });
}

/** Whether visitors see “Opt-out request honored” (11 CCR § 7025(c)(6)). */
export const confirmsOptOut = (rules: Rules, action: string | null): boolean =>
  !!rules.confirm_opt_out && action === 'gpc';
