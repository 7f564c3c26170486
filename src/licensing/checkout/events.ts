import { TIER_NAMES, type Tier } from '../licences/index.ts';
import { type DisputeOutcome, readOutcome } from './disputes.ts';
import type { Fact } from './facts.ts';
import { findTier, INTERVALS, type Interval, type Price } from './prices.ts';

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
  /** The page on which an invoice that could not be collected is paid; stored nowhere but in the mail. */
  invoiceUrl?: string | undefined;
}

/** A paid session that does not say what was ordered: our own record of it may, or it is not ours. */
interface UnknownOrder {
  kind: 'session';
  session: string;
  isPaid: boolean;
  mode: 'live' | 'test';
  orderId: string | undefined;
  licence: string | undefined;
  tier?: undefined;
  interval?: Interval | undefined;
  quantity?: undefined;
}

interface Read {
  refs: unknown[];
  fact: Fact | UnknownOrder;
  email?: string | undefined;
  invoiceUrl?: string | undefined;
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
    fact: { kind: 'invoice_paid', ...paidFor(invoice) },
  }),
  'invoice.payment_failed': (invoice) => ({
    refs: invoiceRefs(invoice),
    fact: { kind: 'invoice_failed', invoice: idOf(invoice) ?? '' },
    invoiceUrl: webAddress(text(invoice, 'hosted_invoice_url')),
  }),
  'invoice_payment.paid': (payment) => ({
    refs: [get(payment, 'invoice'), ...paymentRefs(get(payment, 'payment'))],
    fact: { kind: 'link' },
  }),
  'customer.subscription.created': (subscription, prices) => {
    const { refs, fact } = readSubscription(subscription, prices);
    return { refs, fact: { ...fact, isNew: true } };
  },
  'customer.subscription.updated': readSubscription,
  'customer.subscription.paused': readSubscription,
  'customer.subscription.resumed': readSubscription,
  'customer.subscription.deleted': (subscription) => ({
    refs: [subscription, get(subscription, 'latest_invoice')],
    fact: { kind: 'subscription_ended' },
  }),
  'charge.refunded': (charge) => ({
    refs: [charge, get(charge, 'payment_intent'), get(charge, 'invoice')],
    fact: {
      kind: 'refund',
      isFull: get(charge, 'refunded') === true,
      charge: idOf(charge),
      amount: number(charge, 'amount'),
      refunded: number(charge, 'amount_refunded'),
    },
  }),
  'charge.refund.updated': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.dispute.created': (dispute) => readDispute(dispute),
  'charge.dispute.updated': (dispute) => readDispute(dispute),
  'charge.dispute.funds_withdrawn': (dispute) => readDispute(dispute),
  'charge.dispute.funds_reinstated': (dispute) => readDispute(dispute, 'won'),
  'charge.dispute.closed': (dispute) => readDispute(dispute),
};

/** The types of events that Stripe has to send: the endpoint's list, and no others. */
export const PAYMENT_EVENTS: readonly string[] = Object.keys(READERS);

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
    licence: idOf(get(session, 'metadata', 'licence')),
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

function readSubscription(subscription: unknown, prices: readonly Price[]) {
  const trialEnd = number(subscription, 'trial_end');
  const fact = {
    kind: 'subscription' as const,
    status: text(subscription, 'status') ?? '',
    // While the collection of payments is paused, no invoice is paid automatically.
    renews:
      get(subscription, 'cancel_at_period_end') !== true &&
      number(subscription, 'cancel_at') === undefined &&
      !get(subscription, 'pause_collection'),
    trialEnd: trialEnd === undefined ? null : trialEnd * 1_000,
    hasPaymentMethod: ['default_payment_method', 'default_source'].some((name) =>
      idOf(get(subscription, name)),
    ),
    ...soldIn(subscription, prices),
  };
  return { refs: [subscription, get(subscription, 'latest_invoice')], fact };
}

/** A refund that fails or is cancelled leaves the money with us; before that `charge.refunded` has told of it. */
function readRefund(refund: unknown): Read | undefined {
  const [id, amount] = [idOf(refund), number(refund, 'amount')];
  const isLost = ['failed', 'canceled'].includes(text(refund, 'status') ?? '');
  if (!id || amount === undefined || !isLost) return undefined;
  const charge = idOf(get(refund, 'charge'));
  return {
    refs: [charge, get(refund, 'payment_intent')],
    fact: { kind: 'refund_failed', refund: id, charge, amount },
  };
}

/** @param moved what the event itself says of the money, whatever the status */
function readDispute(dispute: unknown, moved?: DisputeOutcome): Read {
  return {
    refs: [get(dispute, 'charge'), get(dispute, 'payment_intent')],
    fact: {
      kind: 'dispute',
      dispute: idOf(dispute) ?? '',
      outcome: moved ?? readOutcome(text(dispute, 'status')),
    },
  };
}

/** Reasons for an invoice that begins a period: what is prorated on it is the period itself, cut short. */
const BEGINS_PERIOD = ['subscription_create', 'subscription_cycle'];

/**
 * What an invoice charges for: its latest period, and what it costs. What it gives back is on lines of
 * less than nothing, whose periods reach further and do not count.
 */
function paidFor(invoice: unknown) {
  const lines = list(invoice, 'lines', 'data').filter((line) => (number(line, 'amount') ?? 0) >= 0);
  const periods = lines.flatMap((line) => {
    const [start, end] = [number(line, 'period', 'start'), number(line, 'period', 'end')];
    return end === undefined ? [] : [{ start, end }];
  });
  const latest = periods.toSorted((a, b) => a.end - b.end).at(-1);
  const begins = BEGINS_PERIOD.includes(text(invoice, 'billing_reason') ?? '');
  const paid = number(invoice, 'amount_paid');
  return {
    until: latest ? latest.end * 1_000 : null,
    from: latest?.start === undefined ? null : latest.start * 1_000,
    isDifference: !begins && lines.length > 0 && lines.every(isProration),
    charged: lines.reduce<number>((sum, line) => sum + (number(line, 'amount') ?? 0), 0),
    ...(paid !== undefined && { paid }),
  };
}

/** In the shapes of Stripe's API before and since 2025. */
const isProration = (line: unknown): boolean =>
  get(line, 'proration') === true ||
  get(line, 'parent', 'subscription_item_details', 'proration') === true ||
  get(line, 'parent', 'invoice_item_details', 'proration') === true;

/**
 * What a subscription is to now. Other items than those of the price list may be in it; of a single
 * item whose price is not known, the quantity is still followed.
 */
function soldIn(subscription: unknown, prices: readonly Price[]) {
  const items = list(subscription, 'items', 'data').map((item) => ({
    price: idOf(get(item, 'price')),
    quantity: sound(number(item, 'quantity')),
  }));
  const known = items.find(({ price }) => findTier(prices, price) !== undefined);
  const item = known ?? items[0];
  return {
    tier: findTier(prices, item?.price) ?? null,
    price: item?.price,
    quantity: known || items.length === 1 ? item?.quantity : undefined,
  };
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

/** An address that a mail may link to. */
const webAddress = (address = ''): string | undefined =>
  URL.parse(address)?.protocol === 'https:' ? address : undefined;

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
