import { NEVER, type RestrictionCause, type Tier } from '../licences/index.ts';
import { latestOutcomes } from './disputes.ts';
import type { Fact, RecordedFact } from './facts.ts';
import type { Interval } from './prices.ts';
import { isRefunded } from './refunds.ts';

/** How long a licence still works while its renewal is not paid: as long as Stripe tries by default. */
const GRACE_DAYS = 14;
/** Stripe keeps the first invoice after a trial a draft for about an hour before it takes the money. */
const GRACE_DAYS_AFTER_TRIAL = 1;

/** What all payments of a purchase together make of its licence. */
export interface PaymentState {
  session: string;
  mode: 'live' | 'test';
  /** Identifier of the licence that it renews; undefined where a new one is bought. */
  licence: string | undefined;
  tier: Tier;
  quantity: number;
  /** The end of what is paid; epoch milliseconds. */
  expiresAt: number;
  graceDays: number;
  /** Why payments suspend and revoke the licence; null if they do not. */
  suspension: RestrictionCause | null;
  revocation: RestrictionCause | null;
  /** Whether it will be paid for again without anybody doing anything. */
  renews: boolean;
  isPastDue: boolean;
  /** The price of the subscription, if the price list does not say which tier it is. */
  unknownPrice: string | null;
}

/**
 * What the facts about one purchase come to, whatever the order in which they were told; undefined
 * while it is not paid. An end beats every state, a later state an earlier one, an outcome a dispute.
 * @param tierOf the tier of a price, for prices that were not in the price list when they were told
 */
export function getPaymentState(
  told: readonly RecordedFact[],
  tierOf: (price: string) => Tier | undefined = () => undefined,
): PaymentState | undefined {
  const facts = told.toSorted((a, b) => a.at - b.at || (a.eventId < b.eventId ? -1 : 1));
  const of = <K extends Fact['kind']>(kind: K) =>
    facts.flatMap(({ at, refs, fact }) =>
      fact.kind === kind ? [{ ...(fact as Extract<Fact, { kind: K }>), at, refs }] : [],
    );

  const order = of('session').find(({ isPaid }) => isPaid);
  if (!order) return undefined;
  const subscriptions = of('subscription')
    .map((each) => ({
      ...each,
      tier: each.tier ?? (each.price === undefined ? undefined : tierOf(each.price)) ?? null,
    }))
    .toSorted((a, b) => a.at - b.at || Number(b.isNew ?? false) - Number(a.isNew ?? false));
  const subscription = subscriptions.at(-1);
  const hasEnded = of('subscription_ended').length > 0;
  const paid = of('invoice_paid');
  const lastPaidAt = paid.at(-1)?.at ?? 0;
  // By what they pay for: an invoice of an earlier period may be paid late.
  const periods = paid
    .flatMap(({ until, ...invoice }) => (until === null ? [] : [{ ...invoice, until }]))
    .toSorted((a, b) => (a.from ?? a.at) - (b.from ?? b.at) || a.at - b.at);

  const isTrial =
    order.interval !== 'once' &&
    (periods.length > 0
      ? periods.every(({ charged }) => charged === 0) && subscription?.trialEnd !== null
      : subscription?.status === 'trialing');
  const expiresAt = () => {
    // What is paid once has no end; its invoice, if it has one, is for the day of the purchase.
    if (order.interval === 'once') return NEVER;
    if (isTrial && subscription?.trialEnd) return subscription.trialEnd;
    return periods.at(-1)?.until ?? addInterval(order.at, order.interval);
  };
  const renews =
    order.interval !== 'once' &&
    !hasEnded &&
    subscription?.renews !== false &&
    subscription?.status !== 'canceled';
  const failures = of('invoice_failed');
  const graceDays = () => {
    if (!renews) return 0;
    if (!isTrial) return GRACE_DAYS;
    return subscription?.hasPaymentMethod && failures.length === 0 ? GRACE_DAYS_AFTER_TRIAL : 0;
  };

  const outcomes = latestOutcomes(of('dispute'));
  const suspension = (): RestrictionCause | null => {
    if (outcomes.includes('open')) return 'disputed';
    if (hasEnded || subscription === undefined) return null;
    // Only Stripe's word resumes what was paused: a payment may be for an invoice of before.
    if (subscription.status === 'paused') return 'paused';
    const isUnpaid = ['unpaid', 'incomplete_expired'].includes(subscription.status);
    return isUnpaid && subscription.at > lastPaidAt ? 'unpaid' : null;
  };
  // The payment that the licence rests on: giving back another one takes nothing away.
  const main = periods.findLast(({ isDifference }) => !isDifference);
  const isGivenBack =
    order.interval === 'once' || !main
      ? isRefunded(told, order.refs)
      : isRefunded(told, main.refs, main.paid);
  const revocation = (): RestrictionCause | null => {
    if (outcomes.includes('lost')) return 'dispute_lost';
    return isGivenBack ? 'refunded' : null;
  };

  return {
    session: order.session,
    mode: order.mode,
    licence: order.licence,
    tier: subscriptions.findLast(({ tier }) => tier !== null)?.tier ?? order.tier,
    quantity: subscriptions.findLast((each) => each.quantity)?.quantity ?? order.quantity ?? 1,
    expiresAt: expiresAt(),
    graceDays: graceDays(),
    suspension: suspension(),
    revocation: revocation(),
    renews,
    isPastDue: renews && (failures.at(-1)?.at ?? 0) > lastPaidAt,
    unknownPrice:
      subscription && subscription.tier === null && !hasEnded ? (subscription.price ?? null) : null,
  };
}

/** The same day of the next month or year, in UTC, or the last day of a month that is too short. */
export function addInterval(from: number, interval: Exclude<Interval, 'once'>): number {
  const date = new Date(from);
  const months = date.getUTCMonth() + (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  const timeOfDay = from - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return Date.UTC(date.getUTCFullYear(), months, day) + timeOfDay;
}

/** No zone is further ahead of UTC: there a year begins first. */
const FURTHEST_ZONE_MS = 14 * 3_600_000;

/**
 * The end of the calendar year of a payment, from which records of it are kept (§ 147(4) AO): of the
 * later year where that depends on the zone.
 */
export const getYearEnd = (at: number): number =>
  Date.UTC(new Date(at + FURTHEST_ZONE_MS).getUTCFullYear() + 1, 0, 1);

/** What a licence was before a purchase renewed it; `expires_at` in epoch milliseconds. */
export interface Replaced {
  tier: Tier;
  sites_allowed: number;
  expires_at: number;
  grace_days: number;
}

/**
 * The end of what was paid, with the days that were left of the licence when it was renewed. Those are
 * of the tier and sites that were paid for: an upgrade does not carry them over.
 * @param sites how many the purchase is for
 */
export function addRemainingDays(
  { tier, expiresAt }: Pick<PaymentState, 'tier' | 'expiresAt'>,
  sites: number,
  { replaced, boughtAt }: { replaced: Replaced | undefined; boughtAt: number | null },
): number {
  if (!replaced || boughtAt === null) return expiresAt;
  const isSame = tier === replaced.tier && sites <= replaced.sites_allowed;
  const left = isSame ? Math.max(0, replaced.expires_at - boughtAt) : 0;
  return Math.min(NEVER, expiresAt + left);
}

/**
 * A place that a buyer may be sent to afterwards: an http(s) URL of one of our origins, normalised;
 * undefined for any other. `{CHECKOUT_SESSION_ID}` in it is kept, since the payment service fills it in.
 */
export function redirectTarget(text: string, origins: readonly string[]): string | undefined {
  const url = URL.parse(text);
  if (!url || url.username || url.password || !origins.includes(url.origin)) return undefined;
  return url.href.replaceAll('%7BCHECKOUT_SESSION_ID%7D', '{CHECKOUT_SESSION_ID}');
}
