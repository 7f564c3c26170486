import type { Platform } from '../../platform/deps.ts';
import type { IssuedLicence } from '../licences/index.ts';
import { type PaymentEvent, readSubscription } from './events.ts';
import { isRefKnown } from './payment-events/store.ts';
import { processPaymentEvent, UnknownOrderError } from './payments.ts';
import { listKnownPrices, type Price } from './prices.ts';
import type { Stripe } from './stripe.ts';

export type HandlePayment = (
  event: PaymentEvent,
  actor: string,
) => Promise<IssuedLicence | undefined>;

/** Returns `processPaymentEvent` with a queue: one event at a time waits for the lock and holds a connection. */
export function createPaymentHandler(
  platform: Platform,
  prices: readonly Price[],
  stripe?: Stripe,
): HandlePayment {
  let last: Promise<unknown> = Promise.resolve();
  function process(event: PaymentEvent, actor: string, isOrderRequired = false) {
    const turn = last.then(() =>
      processPaymentEvent(platform, event, actor, prices, isOrderRequired),
    );
    last = turn.catch(() => {});
    return turn;
  }
  return async (event, actor) => {
    if (!stripe) return process(event, actor);
    const complete = await addInvoices(platform, stripe, event);
    try {
      return await process(complete, actor, true);
    } catch (error) {
      if (!(error instanceof UnknownOrderError)) throw error;
      return process(await readCurrentState(platform, prices, stripe, complete), actor);
    }
  };
}

/** Refunds and disputes name only a payment. Its invoice may be known only to Stripe. */
async function addInvoices(
  { datastore }: Platform,
  stripe: Stripe,
  event: PaymentEvent,
): Promise<PaymentEvent> {
  const isAboutPayment = ['refund', 'refund_failed', 'dispute'].includes(event.fact.kind);
  const payment = event.refs.find((ref) => ref.startsWith('pi_'));
  if (!isAboutPayment || !payment) return event;
  if (await isRefKnown(datastore.db, event.refs)) return event;
  return { ...event, refs: [...event.refs, ...(await stripe.listPaidInvoices(payment))] };
}

/** Stripe gives events no order, and advises to read the object. An event about one that Stripe does not know stays. */
async function readCurrentState(
  { catalogue, clock }: Platform,
  prices: readonly Price[],
  stripe: Stripe,
  event: PaymentEvent,
): Promise<PaymentEvent> {
  const id = event.refs.find((ref) => ref.startsWith('sub_'));
  const readAt = clock.now();
  const found = id && (await stripe.findSubscription(id));
  if (!found) return event;
  const { fact } = readSubscription(found, listKnownPrices(prices, await catalogue.read()));
  return { ...event, fact: { ...fact, readAt } };
}
