import { NEVER, type Tier } from '../licences/index.ts';
import type { Interval } from './prices.ts';

/** How long a licence still works while its renewal is not paid: as long as Stripe tries by default. */
const GRACE_DAYS = 14;
/** States of a subscription in which nothing is provided any more, though it is not over. */
const STOPPED = ['unpaid', 'paused', 'incomplete_expired'];

/** What one event of the payment service says, in our words and without anybody's name. */
export type Fact =
  | ({ kind: 'session'; session: string; isPaid: boolean; mode: 'live' | 'test' } & Order)
  | { kind: 'session_failed' }
  | { kind: 'invoice_paid'; until: number | null }
  | { kind: 'invoice_failed'; invoice: string }
  | {
      kind: 'subscription';
      status: string;
      renews: boolean;
      tier: Tier | null;
      quantity?: number | undefined;
    }
  | { kind: 'subscription_ended' }
  | { kind: 'refund'; isFull: boolean }
  | { kind: 'dispute'; dispute: string; outcome: 'open' | 'won' | 'lost' }
  | { kind: 'link' };

/** What was ordered. */
interface Order {
  tier: Tier;
  interval: Interval;
  /** How many times the sites of the tier; 1 if not said. */
  quantity?: number | undefined;
}

/** A fact, and when it came about. */
export interface Told {
  eventId: string;
  /** Epoch milliseconds, in whole seconds. */
  at: number;
  fact: Fact;
}

/** What all payments of a purchase together make of its licence. */
export interface PaymentState {
  session: string;
  mode: 'live' | 'test';
  tier: Tier;
  quantity: number;
  /** The end of what is paid; epoch milliseconds. */
  expiresAt: number;
  graceDays: number;
  isSuspended: boolean;
  isRevoked: boolean;
  /** Whether it will be paid for again without anybody doing anything. */
  renews: boolean;
  isPastDue: boolean;
}

/**
 * What the facts about one purchase come to, whatever the order in which they were told; undefined
 * while it is not paid. An end beats every state, a later state an earlier one, an outcome a dispute.
 */
export function stateOf(told: readonly Told[]): PaymentState | undefined {
  const facts = told.toSorted((a, b) => a.at - b.at || (a.eventId < b.eventId ? -1 : 1));
  const of = <K extends Fact['kind']>(kind: K) =>
    facts.flatMap(({ at, fact }) =>
      fact.kind === kind ? [{ ...(fact as Extract<Fact, { kind: K }>), at }] : [],
    );

  const order = of('session').find(({ isPaid }) => isPaid);
  if (!order) return undefined;
  const subscription = of('subscription').at(-1);
  const hasEnded = of('subscription_ended').length > 0;
  const paid = of('invoice_paid');
  const lastPaidAt = paid.at(-1)?.at ?? 0;
  const ends = paid.flatMap(({ until }) => until ?? []);

  const isStopped =
    !hasEnded &&
    subscription !== undefined &&
    STOPPED.includes(subscription.status) &&
    subscription.at > lastPaidAt;
  const disputes = Object.values(Object.groupBy(of('dispute'), ({ dispute }) => dispute));
  const outcomes = disputes.map((steps = []) => {
    const ended = steps.filter(({ outcome }) => outcome !== 'open');
    return ended.some(({ outcome }) => outcome === 'lost') ? 'lost' : (ended[0]?.outcome ?? 'open');
  });
  const renews =
    order.interval !== 'once' &&
    !hasEnded &&
    subscription?.renews !== false &&
    subscription?.status !== 'canceled';

  return {
    session: order.session,
    mode: order.mode,
    tier: of('subscription').findLast(({ tier }) => tier !== null)?.tier ?? order.tier,
    quantity: of('subscription').findLast((each) => each.quantity)?.quantity ?? order.quantity ?? 1,
    expiresAt: endOf(order, ends),
    graceDays: renews ? GRACE_DAYS : 0,
    isSuspended: isStopped || outcomes.includes('open'),
    isRevoked: of('refund').some(({ isFull }) => isFull) || outcomes.includes('lost'),
    renews,
    isPastDue: renews && (of('invoice_failed').at(-1)?.at ?? 0) > lastPaidAt,
  };
}

/** What is paid once has no end; it may have an invoice all the same, whose period is the day of the purchase. */
function endOf({ at, interval }: Order & { at: number }, paidUntil: number[]): number {
  if (interval === 'once') return NEVER;
  return paidUntil.length > 0 ? Math.max(...paidUntil) : addInterval(at, interval);
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
export const yearEnd = (at: number): number =>
  Date.UTC(new Date(at + FURTHEST_ZONE_MS).getUTCFullYear() + 1, 0, 1);

/**
 * A place that a buyer may be sent to afterwards: an http(s) URL of one of our origins, normalised;
 * undefined for any other. `{CHECKOUT_SESSION_ID}` in it is kept, since the payment service fills it in.
 */
export function redirectTarget(text: string, origins: readonly string[]): string | undefined {
  const url = URL.parse(text);
  if (!url || url.username || url.password || !origins.includes(url.origin)) return undefined;
  return url.href.replaceAll('%7BCHECKOUT_SESSION_ID%7D', '{CHECKOUT_SESSION_ID}');
}
