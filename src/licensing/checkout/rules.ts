import { DAY_MS } from '../../platform/durations.ts';
import type { RestrictionCause } from '../licences/index.ts';
import { type Interval, NEVER } from '../products/index.ts';
import { listLatestOutcomes } from './disputes.ts';
import { ENDED_STATUSES, filterFacts, type RecordedFact } from './facts.ts';
import { isRefunded, listRelatedFacts } from './refunds.ts';

/** Grace period while a renewal is unpaid: as long as Stripe retries by default. */
const GRACE_DAYS = 14;
/** Stripe keeps the first invoice after a trial as a draft for about an hour before it collects the payment. */
const GRACE_DAYS_AFTER_TRIAL = 1;

/** The effect of all payments of a purchase on its licence. */
export interface PaymentState {
  session: string;
  /** When the session was paid; epoch milliseconds. */
  paidAt: number;
  mode: 'live' | 'test';
  /** Identifier of the licence to renew; undefined for a new licence. */
  licence: string | undefined;
  /** The slug of the product; undefined for the default product. */
  product: string | undefined;
  tier: string;
  quantity: number;
  /** End of the paid period; epoch milliseconds. */
  expiresAt: number;
  graceDays: number;
  /** Why payments suspend or revoke the licence; null if they do not. */
  suspension: RestrictionCause | null;
  revocation: RestrictionCause | null;
  /** Whether a subscription renews it automatically. */
  renews: boolean;
  /** When the latest payment for a renewal failed, while that is unpaid; epoch milliseconds. */
  failedAt: number | null;
  /** Whether nothing was charged for its only period, a free trial. */
  isTrial: boolean;
  /** Whether the payment service has a customer for it, whose invoices its portal shows. */
  hasCustomer: boolean;
  /** When a free trial of a new licence began, while its end is not reported yet; undefined otherwise. */
  trialFrom: number | undefined;
  /** The price of the subscription, if it is not in the price list. */
  unknownPrice: string | null;
}

/**
 * The state of one purchase, independent of the order in which events arrived; undefined while it is unpaid.
 * An end overrides every status, a later status an earlier one, and an outcome its dispute.
 * @param findTier for prices that were not in the price list when their event arrived
 */
export function getPaymentState(
  recorded: readonly RecordedFact[],
  findTier: (price: string, product: string | undefined) => string | undefined = () => undefined,
): PaymentState | undefined {
  const facts = recorded.toSorted((a, b) => a.at - b.at || (a.eventId < b.eventId ? -1 : 1));
  const order = filterFacts(facts, 'session').find(({ isPaid }) => isPaid);
  if (!order) return undefined;
  const subscriptions = filterFacts(facts, 'subscription')
    .map((each) => ({
      ...each,
      // A licence keeps its product, so the price of another one is as good as unknown.
      tier:
        (each.product === order.product ? each.tier : null) ??
        (each.price === undefined ? undefined : findTier(each.price, order.product)) ??
        null,
    }))
    .toSorted(
      (a, b) =>
        a.at - b.at ||
        Number(b.isNew ?? false) - Number(a.isNew ?? false) ||
        (a.readAt ?? 0) - (b.readAt ?? 0),
    );
  const subscription = subscriptions.at(-1);
  const hasEnded = filterFacts(facts, 'subscription_ended').length > 0;
  const paid = filterFacts(facts, 'invoice_paid');
  const lastPaidAt = paid.at(-1)?.at ?? 0;
  // By period: an invoice of an earlier period may be paid late.
  const periods = paid
    .flatMap(({ until, ...invoice }) => (until === null ? [] : [{ ...invoice, until }]))
    .toSorted((a, b) => (a.from ?? a.at) - (b.from ?? b.at) || a.at - b.at);

  const isTrial =
    order.interval !== 'once' &&
    (periods.length > 0
      ? periods.every(({ charged }) => charged === 0) && subscription?.trialEnd !== null
      : subscription?.status === 'trialing');
  const expiresAt = () => {
    // An invoice of a single payment covers only the day of the purchase.
    if (order.interval === 'once') return NEVER;
    if (isTrial && subscription?.trialEnd) return subscription.trialEnd;
    return periods.at(-1)?.until ?? addInterval(order.at, order.interval);
  };
  // An end date in a later period leaves the renewals before it.
  const isLastPeriod = (subscription?.cancelAt ?? Number.POSITIVE_INFINITY) <= expiresAt();
  const renews =
    order.interval !== 'once' &&
    !hasEnded &&
    !isLastPeriod &&
    subscription?.renews !== false &&
    !ENDED_STATUSES.includes(subscription?.status ?? '');
  const failures = filterFacts(facts, 'invoice_failed').filter(({ isDifference }) => !isDifference);
  const failedAt = failures.at(-1)?.at ?? 0;
  const graceDays = () => {
    if (!renews) return 0;
    if (!isTrial) return GRACE_DAYS;
    return subscription?.hasPaymentMethod && failures.length === 0 ? GRACE_DAYS_AFTER_TRIAL : 0;
  };

  // The payment for the current period. A refund or dispute of another payment leaves the licence valid.
  const current =
    order.interval === 'once' ? undefined : periods.findLast(({ isDifference }) => !isDifference);
  const refs = current?.refs ?? order.refs;
  const outcomes = listLatestOutcomes(filterFacts(listRelatedFacts(facts, refs), 'dispute'));
  const suspension = (): RestrictionCause | null => {
    if (outcomes.includes('open')) return 'disputed';
    if (hasEnded || subscription === undefined) return null;
    // A payment does not end a pause: it may be for an earlier invoice.
    if (subscription.status === 'paused') return 'paused';
    const isUnpaid = ['unpaid', 'incomplete_expired'].includes(subscription.status);
    return isUnpaid && subscription.at > lastPaidAt ? 'unpaid' : null;
  };
  const revocation = (): RestrictionCause | null => {
    if (outcomes.includes('lost')) return 'dispute_lost';
    return isRefunded(facts, refs, current?.paid) ? 'refunded' : null;
  };

  return {
    session: order.session,
    paidAt: order.at,
    mode: order.mode,
    licence: order.licence,
    product: order.product,
    tier: subscriptions.findLast(({ tier }) => tier !== null)?.tier ?? order.tier,
    quantity: subscriptions.findLast((each) => each.quantity)?.quantity ?? order.quantity ?? 1,
    expiresAt: expiresAt(),
    graceDays: graceDays(),
    suspension: suspension(),
    revocation: revocation(),
    renews,
    isTrial,
    hasCustomer: order.interval !== 'once' || order.hasCustomer === true,
    trialFrom:
      order.interval !== 'once' &&
      order.total === 0 &&
      order.licence === undefined &&
      !subscription &&
      periods.length === 0
        ? order.at
        : undefined,
    failedAt: renews && failedAt > lastPaidAt ? failedAt : null,
    unknownPrice:
      subscription && subscription.tier === null && !hasEnded ? (subscription.price ?? null) : null,
  };
}

/** The same day of the next month or year in UTC, or the last day of a shorter month. */
export function addInterval(from: number, interval: Exclude<Interval, 'once'>): number {
  const date = new Date(from);
  const months = date.getUTCMonth() + (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  const timeOfDay = from - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return Date.UTC(date.getUTCFullYear(), months, day) + timeOfDay;
}

/** The time zone furthest ahead of UTC, where a year begins first. */
const FURTHEST_ZONE_MS = 14 * 3_600_000;

/**
 * The end of the calendar year of a payment, when the statutory retention period begins (§ 147(4) AO); of the
 * later year where it depends on the time zone.
 */
export const getYearEnd = (at: number): number =>
  Date.UTC(new Date(at + FURTHEST_ZONE_MS).getUTCFullYear() + 1, 0, 1);

/**
 * A normalised redirect URL; undefined for a URL of another origin. It keeps the placeholder
 * `{CHECKOUT_SESSION_ID}`, which Stripe replaces.
 */
export function parseRedirect(text: string, origins: readonly string[]): string | undefined {
  const url = URL.parse(text);
  if (!url || url.username || url.password || !origins.includes(url.origin)) return undefined;
  return url.href.replaceAll('%7BCHECKOUT_SESSION_ID%7D', '{CHECKOUT_SESSION_ID}');
}

/**
 * Which reminder is due, of those that are sent so many days before the expiry of a licence: the last that would be late
 * tomorrow. Undefined if none is, or if the licence was issued for so short a time.
 * @param days descending
 * @param now epoch milliseconds
 */
export function findReminderDay(
  { issuedAt, expiresAt }: { issuedAt: number; expiresAt: number },
  days: readonly number[],
  now: number,
): number | undefined {
  const day = days.findLast((each) => expiresAt - now < (each + 1) * DAY_MS);
  return day !== undefined && expiresAt - issuedAt > day * DAY_MS ? day : undefined;
}
