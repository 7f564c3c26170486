import type { Platform } from '../../platform/deps.ts';
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts';
import { PAYMENT_EVENTS, type PaymentEvent, parsePaymentEvent } from './events.ts';
import { listUnknownEvents } from './payment-events/store.ts';
import { createPaymentHandler } from './payments.ts';
import { listKnownPrices, type Price } from './prices.ts';
import type { Stripe } from './stripe.ts';

/** Stripe lists events of 30 days. */
const LISTED_MS = 30 * DAY_MS;
/** The webhook may still bring later ones. */
const ARRIVING_MS = HOUR_MS;

/**
 * Processes the events of Stripe that the webhook has not brought: the endpoint was away or its secret was wrong, or a
 * backup was restored that is older than they are.
 */
export async function processMissedEvents(
  platform: Platform,
  prices: readonly Price[],
  stripe: Stripe,
  signal: AbortSignal,
): Promise<void> {
  const { datastore, clock, log, catalogue } = platform;
  const known = listKnownPrices(prices, await catalogue.read());
  const now = clock.now();
  const events: PaymentEvent[] = [];
  const between = { from: now - LISTED_MS, until: now - ARRIVING_MS };
  await stripe.readEvents(PAYMENT_EVENTS, between, (each) => {
    signal.throwIfAborted();
    const event = parsePaymentEvent(each, known);
    if (event) events.push(event);
  });
  const list = (of: PaymentEvent[]) =>
    listUnknownEvents(
      datastore.db,
      of.map(({ id }) => id),
    );
  const unknown = await list(events);
  const missed = events.filter(({ id }) => unknown.has(id));
  const handlePayment = createPaymentHandler(platform, prices, stripe);
  for (const event of toOrder(missed)) {
    signal.throwIfAborted();
    await handlePayment(event, 'stripe');
  }
  // Those of other products are not recorded.
  const recorded = missed.length - (await list(missed)).size;
  if (recorded > 0)
    log.warn(
      { events: recorded },
      'events of Stripe had not arrived: check its webhook with pavis doctor',
    );
}

/**
 * Sessions last: then a licence is issued for what has become of its payment, and no email tells of states in between. The
 * latest session is the one that a licence follows.
 */
function toOrder(events: readonly PaymentEvent[]): PaymentEvent[] {
  const isSession = ({ fact }: PaymentEvent) => fact.kind === 'session';
  const newest = events.toSorted((a, b) => b.at - a.at);
  return [...newest.filter((each) => !isSession(each)), ...newest.filter(isSession).toReversed()];
}
