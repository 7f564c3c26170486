import { DAY_MS } from '../../platform/durations.ts';
import type { Plan, Product } from '../products/index.ts';

/** How long a trial counts as used. After that, its hashes are deleted. */
export const TRIAL_KEPT_MS = 3 * 365 * DAY_MS;

/** The plans of a product whose trial can be started without a card. */
export const listTrialPlans = ({ plans }: Pick<Product, 'plans'>): Plan[] =>
  plans.filter(
    ({ archivedAt, trialWithoutCard, trialDays }) =>
      archivedAt === null && trialWithoutCard && trialDays > 0,
  );

/**
 * The address for which a trial counts: without a tag, because mail to `ada+shop@example.com` reaches
 * `ada@example.com` (RFC 5233 §1). Dots stay: most providers tell such addresses apart.
 * @param email as `readEmail` returns it
 */
export function toTrialAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const plus = local.indexOf('+', 1);
  return (plus === -1 ? local : local.slice(0, plus)) + email.slice(at);
}
