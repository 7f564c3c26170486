import { type DisputeOutcome, toDisputeOutcome } from './disputes.ts';
import { currency, findId, get, list, number, text } from './event-fields.ts';
import type { Fact, FactOf } from './facts.ts';
import { getPaidPeriod } from './invoice-period.ts';
import type { Metadata } from './orders/metadata.ts';
import { findPrice, type Price } from './prices.ts';

/** The Billing Portal may allow more packages than our checkout. */
const MAX_QUANTITY = 10_000;

/** An event of the payment service about licences. */
export interface PaymentEvent {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  /** The payment service's identifiers of the objects that the event is about. */
  refs: string[];
  fact: Exclude<Fact, { kind: 'session' }> | OrderedSession;
  /** The address of the buyer. It is stored only with the customer. */
  email?: string | undefined;
  unpaid?: UnpaidInvoice;
}

/** For the email: the page on which an invoice is paid, and whether Stripe makes no further attempt by itself. */
export interface UnpaidInvoice {
  url: string | undefined;
  isLastAttempt: boolean;
}

/** A session. Only our own order or its proof says what was ordered, see `completeFact`. */
type OrderedSession = Pick<
  FactOf<'session'>,
  'kind' | 'session' | 'isPaid' | 'mode' | 'total' | 'hasCustomer' | 'currency'
> & { orderId?: string | undefined; metadata?: Metadata | undefined };

type EventContent = Omit<PaymentEvent, 'id' | 'at' | 'refs'> & { refs: unknown[] };

/**
 * Parses an event of Stripe in the formats of its API before and since 2025. The version of the endpoint decides
 * which one is sent. Undefined for types of events that are not about licences.
 */
export function parsePaymentEvent(
  event: unknown,
  prices: readonly Price[],
): PaymentEvent | undefined {
  const [id, type, created] = [findId(event), text(event, 'type'), number(event, 'created')];
  if (!id || !type || created === undefined || !Object.hasOwn(READERS, type)) return undefined;
  const read = READERS[type]?.(get(event, 'data', 'object'), prices);
  if (!read) return undefined;
  const refs = [...new Set(read.refs.flatMap((ref) => findId(ref) ?? []))];
  return { ...read, id, at: created * 1_000, refs };
}

type Reader = (object: unknown, prices: readonly Price[]) => EventContent | undefined;

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
    fact: { kind: 'invoice_paid', ...getPaidPeriod(invoice), ...currency(invoice) },
  }),
  'invoice.payment_failed': (invoice) => ({
    refs: invoiceRefs(invoice),
    fact: {
      kind: 'invoice_failed',
      invoice: findId(invoice) ?? '',
      due: number(invoice, 'amount_due'),
      ...(getPaidPeriod(invoice).isDifference && { isDifference: true }),
      ...currency(invoice),
    },
    unpaid: {
      url: toHttpsUrl(text(invoice, 'hosted_invoice_url')),
      isLastAttempt: get(invoice, 'next_payment_attempt') === null,
    },
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
      charge: findId(charge),
      amount: number(charge, 'amount'),
      refunded: number(charge, 'amount_refunded'),
      ...currency(charge),
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

/** The types of events that the endpoint at Stripe has to send. */
export const PAYMENT_EVENTS: readonly string[] = Object.keys(READERS);

function readSession(session: unknown, isPaid: boolean): EventContent | undefined {
  const id = findId(session);
  if (!id) return undefined;
  return {
    refs: sessionRefs(session),
    fact: {
      kind: 'session',
      session: id,
      isPaid,
      mode: get(session, 'livemode') === true ? 'live' : 'test',
      total: number(session, 'amount_total'),
      ...(findId(get(session, 'customer')) && { hasCustomer: true }),
      ...currency(session),
      orderId:
        findId(get(session, 'client_reference_id')) ?? findId(get(session, 'metadata', 'order')),
      metadata: (get(session, 'metadata') ?? undefined) as Metadata | undefined,
    },
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

/** The state of a subscription in an event, or as Stripe has it now. */
export function readSubscription(subscription: unknown, prices: readonly Price[]) {
  const trialEnd = number(subscription, 'trial_end');
  const cancelAt = number(subscription, 'cancel_at');
  const fact = {
    kind: 'subscription' as const,
    status: text(subscription, 'status') ?? '',
    // While the collection of payments is paused, no invoice is paid automatically.
    renews:
      get(subscription, 'cancel_at_period_end') !== true && !get(subscription, 'pause_collection'),
    ...(cancelAt !== undefined && { cancelAt: cancelAt * 1_000 }),
    trialEnd: trialEnd === undefined ? null : trialEnd * 1_000,
    hasPaymentMethod: ['default_payment_method', 'default_source'].some((name) =>
      findId(get(subscription, name)),
    ),
    ...readPlan(subscription, prices),
  };
  return { refs: [subscription, get(subscription, 'latest_invoice')], fact };
}

/** A failed or cancelled refund, which `charge.refunded` has reported before. */
function readRefund(refund: unknown): EventContent | undefined {
  const [id, amount] = [findId(refund), number(refund, 'amount')];
  const isLost = ['failed', 'canceled'].includes(text(refund, 'status') ?? '');
  if (!id || amount === undefined || !isLost) return undefined;
  const charge = findId(get(refund, 'charge'));
  return {
    refs: [charge, get(refund, 'payment_intent')],
    fact: { kind: 'refund_failed', refund: id, charge, amount, ...currency(refund) },
  };
}

/** @param outcome if the type of the event decides it, whatever the status */
function readDispute(dispute: unknown, outcome?: DisputeOutcome): EventContent {
  return {
    refs: [get(dispute, 'charge'), get(dispute, 'payment_intent')],
    fact: {
      kind: 'dispute',
      dispute: findId(dispute) ?? '',
      outcome: outcome ?? toDisputeOutcome(text(dispute, 'status')),
      amount: number(dispute, 'amount'),
      ...currency(dispute),
    },
  };
}

/**
 * Tier, price and quantity of a subscription. It may have items that are not in the price list; a single item
 * with an unknown price still sets the quantity.
 */
function readPlan(subscription: unknown, prices: readonly Price[]) {
  const items = list(subscription, 'items', 'data').map((item) => ({
    price: findId(get(item, 'price')),
    quantity: toQuantity(number(item, 'quantity')),
  }));
  const known = items.find(({ price }) => findPrice(prices, price) !== undefined);
  const item = known ?? items[0];
  const { tier = null, product } = findPrice(prices, item?.price) ?? {};
  return {
    tier,
    ...(product && { product }),
    price: item?.price,
    quantity: known || items.length === 1 ? item?.quantity : undefined,
  };
}

/** Undefined for a quantity that a licence cannot have. */
const toQuantity = (quantity = 0): number | undefined =>
  Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_QUANTITY ? quantity : undefined;

/** A URL that an email may link to. */
const toHttpsUrl = (address = ''): string | undefined =>
  URL.parse(address)?.protocol === 'https:' ? address : undefined;
