import { TIER_NAMES, type Tier } from '../licences/index.ts';
import { INTERVALS, type Interval, type Price } from './prices.ts';
import type { Fact } from './rules.ts';

/** What a portal of the payment service may let customers raise it to. */
const MAX_QUANTITY = 10_000;

/** An event of the payment service, as far as it is about licences. */
export interface PaymentEvent {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  /** Its ids of what it is about. */
  refs: string[];
  fact: Fact | UnknownOrder;
  /** Who paid; stored nowhere but with the customer. */
  email?: string | undefined;
}

/** A paid session that does not say what was ordered: our own record of it may, or it is not ours. */
interface UnknownOrder {
  kind: 'session';
  session: string;
  isPaid: boolean;
  mode: 'live' | 'test';
  orderId: string | undefined;
  tier?: undefined;
  interval?: Interval | undefined;
  quantity?: undefined;
}

interface Read {
  refs: unknown[];
  fact: Fact | UnknownOrder;
  email?: string | undefined;
}

/**
 * Reads an event of Stripe, in the shapes of its API before and since 2025 (the endpoint's version
 * decides which one is sent). Undefined for kinds of events that do not concern us.
 */
export function readPaymentEvent(
  event: unknown,
  prices: readonly Price[],
): PaymentEvent | undefined {
  const [id, type, created] = [idOf(event), text(event, 'type'), number(event, 'created')];
  if (!id || !type || created === undefined || !Object.hasOwn(READERS, type)) return undefined;
  const read = READERS[type]?.(get(event, 'data', 'object'), prices);
  if (!read) return undefined;
  const refs = [...new Set(read.refs.flatMap((ref) => idOf(ref) ?? []))];
  return { ...read, id, at: created * 1_000, refs };
}

type Reader = (object: unknown, prices: readonly Price[]) => Read | undefined;

const READERS: Record<string, Reader> = {
  'checkout.session.completed': (session) =>
    readSession(
      session,
      ['paid', 'no_payment_required'].includes(text(session, 'payment_status') ?? ''),
    ),
  'checkout.session.async_payment_succeeded': (session) => readSession(session, true),
  'checkout.session.async_payment_failed': (session) => ({
    refs: sessionRefs(session),
    fact: { kind: 'session_failed' },
  }),
  'invoice.paid': (invoice) => ({
    refs: invoiceRefs(invoice),
    fact: { kind: 'invoice_paid', until: paidUntil(invoice) ?? null },
  }),
  'invoice.payment_failed': (invoice) => ({
    refs: invoiceRefs(invoice),
    fact: { kind: 'invoice_failed', invoice: idOf(invoice) ?? '' },
  }),
  'invoice_payment.paid': (payment) => ({
    refs: [get(payment, 'invoice'), ...paymentRefs(get(payment, 'payment'))],
    fact: { kind: 'link' },
  }),
  'customer.subscription.updated': (subscription, prices) => ({
    refs: [subscription, get(subscription, 'latest_invoice')],
    fact: {
      kind: 'subscription',
      status: text(subscription, 'status') ?? '',
      renews:
        get(subscription, 'cancel_at_period_end') !== true &&
        number(subscription, 'cancel_at') === undefined,
      ...soldIn(subscription, prices),
    },
  }),
  'customer.subscription.deleted': (subscription) => ({
    refs: [subscription, get(subscription, 'latest_invoice')],
    fact: { kind: 'subscription_ended' },
  }),
  'charge.refunded': (charge) => ({
    refs: [charge, get(charge, 'payment_intent'), get(charge, 'invoice')],
    fact: { kind: 'refund', isFull: get(charge, 'refunded') === true },
  }),
  'charge.dispute.created': (dispute) => readDispute(dispute, 'open'),
  'charge.dispute.closed': (dispute) =>
    // An inquiry that ends (`warning_closed`) has taken nothing away.
    readDispute(dispute, text(dispute, 'status') === 'lost' ? 'lost' : 'won'),
};

/** The kinds of events to have sent. */
export const PAYMENT_EVENTS = Object.keys(READERS);

function readSession(session: unknown, isPaid: boolean): Read | undefined {
  const id = idOf(session);
  if (!id) return undefined;
  const tier = text(session, 'metadata', 'tier') as Tier;
  const named = text(session, 'metadata', 'interval') as Interval;
  const interval = INTERVALS.includes(named) ? named : undefined;
  const known = {
    kind: 'session',
    session: id,
    isPaid,
    mode: get(session, 'livemode') === true ? 'live' : 'test',
  } as const;
  const orderId =
    idOf(get(session, 'client_reference_id')) ?? idOf(get(session, 'metadata', 'order'));
  return {
    refs: sessionRefs(session),
    fact: TIER_NAMES.includes(tier)
      ? { ...known, tier, interval: interval ?? 'year', quantity: quantityOf(session) }
      : { ...known, interval, orderId },
    email: text(session, 'customer_details', 'email') ?? text(session, 'customer_email'),
  };
}

const sessionRefs = (session: unknown) => [
  session,
  get(session, 'subscription'),
  get(session, 'invoice'),
  get(session, 'payment_intent'),
];

const invoiceRefs = (invoice: unknown) => [
  invoice,
  get(invoice, 'subscription'),
  get(invoice, 'parent', 'subscription_details', 'subscription'),
  ...paymentRefs(invoice),
  ...list(invoice, 'payments', 'data').flatMap((each) => paymentRefs(get(each, 'payment'))),
];

const paymentRefs = (of: unknown) => [get(of, 'payment_intent'), get(of, 'charge')];

const readDispute = (dispute: unknown, outcome: 'open' | 'won' | 'lost'): Read => ({
  refs: [get(dispute, 'charge'), get(dispute, 'payment_intent')],
  fact: { kind: 'dispute', dispute: idOf(dispute) ?? '', outcome },
});

/** The end of the latest period that an invoice charges for; what it gives back reaches further and does not count. */
function paidUntil(invoice: unknown): number | undefined {
  const ends = list(invoice, 'lines', 'data')
    .filter((line) => (number(line, 'amount') ?? 0) >= 0)
    .flatMap((line) => number(line, 'period', 'end') ?? []);
  return ends.length > 0 ? Math.max(...ends) * 1_000 : undefined;
}

/** What a subscription is to now, if that is of our price list. Other items may be in it as well. */
function soldIn(
  subscription: unknown,
  prices: readonly Price[],
): { tier: Tier | null; quantity: number | undefined } {
  for (const item of list(subscription, 'items', 'data')) {
    const id = idOf(get(item, 'price'));
    const tier = prices.find(({ price }) => price === id)?.tier;
    if (tier) return { tier, quantity: sound(number(item, 'quantity')) };
  }
  return { tier: null, quantity: undefined };
}

/** Texts are all that metadata can be. */
const quantityOf = (session: unknown): number | undefined =>
  sound(Number(text(session, 'metadata', 'quantity')));

/** A quantity that a licence can have. */
const sound = (quantity = 0): number | undefined =>
  Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_QUANTITY ? quantity : undefined;

function get(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}

/** The id of what is named by it, or given whole. */
function idOf(value: unknown): string | undefined {
  const id = typeof value === 'object' ? get(value, 'id') : value;
  return typeof id === 'string' && /^[\w-]{1,255}$/.test(id) ? id : undefined;
}

function text(value: unknown, ...path: string[]): string | undefined {
  const found = get(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** A whole number that a moment in seconds may be. */
function number(value: unknown, ...path: string[]): number | undefined {
  const found = get(value, ...path);
  return Number.isSafeInteger(found) && Math.abs(found as number) < 1e12
    ? (found as number)
    : undefined;
}

function list(value: unknown, ...path: string[]): unknown[] {
  const found = get(value, ...path);
  return Array.isArray(found) ? found : [];
}
