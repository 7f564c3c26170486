import type { Platform } from '../../platform/deps.ts';
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts';
import { readEmail } from '../../platform/email-address.ts';
import { customerRecords } from '../customers/index.ts';
import { PAYMENT_EVENTS, type PaymentEvent, parsePaymentEvent } from './events.ts';
import { countAssigned, listUnknownEvents } from './payment-events/store.ts';
import { createPaymentHandler } from './payment-handler.ts';
import { completeFact } from './payments.ts';
import { listKnownPrices, type Price } from './prices.ts';
import type { Stripe } from './stripe.ts';

/** Stripe lists events of 30 days. */
const LISTED_MS = 30 * DAY_MS;
/** The webhook may still bring later ones. */
const ARRIVING_MS = HOUR_MS;

/** Whether a customer was erased at or after a moment, in epoch milliseconds. */
export type WasErased = (about: {
  email: string;
  source: string;
  since: number;
}) => Promise<boolean>;

export interface MissedSettings {
  prices: readonly Price[];
  stripe: Stripe;
  wasErased: WasErased;
}

/**
 * Processes the events of Stripe that the webhook has not brought: the endpoint was away or its secret was wrong, or a
 * backup was restored that is older than they are.
 */
export async function processMissedEvents(
  platform: Platform,
  { prices, stripe, wasErased }: MissedSettings,
  signal: AbortSignal,
): Promise<void> {
  const { datastore, clock, log, catalogue } = platform;
  const products = await catalogue.read();
  const known = listKnownPrices(prices, products);
  const now = clock.now();
  const events: PaymentEvent[] = [];
  const between = { from: now - LISTED_MS, until: now - ARRIVING_MS };
  await stripe.readEvents(PAYMENT_EVENTS, between, (each) => {
    signal.throwIfAborted();
    const event = parsePaymentEvent(each, known);
    if (event) events.push(event);
  });
  const unknown = await listUnknownEvents(
    datastore.db,
    events.map(({ id }) => id),
  );
  const handlePayment = createPaymentHandler(platform, prices, stripe);
  const processed: string[] = [];
  for (const event of toOrder(events.filter(({ id }) => unknown.has(id)))) {
    signal.throwIfAborted();
    try {
      // The sessions of other products are never recorded, so they are found again each morning.
      if (!(await completeFact(platform, datastore.db, event.fact, products))) continue;
      const email = event.fact.kind === 'session' && readEmail(event.email ?? '');
      const about = { source: customerRecords.category, since: event.at };
      if (email && (await wasErased({ email, ...about }))) {
        log.error({ event: event.id }, 'paid by a customer who was erased since: refund it');
        continue;
      }
      await handlePayment(event, 'stripe');
      processed.push(event.id);
    } catch (err) {
      log.error(
        { err, event: event.id },
        'cannot process a missed payment, and tries again the next morning',
      );
    }
  }
  const count = await countAssigned(datastore.db, processed);
  if (count > 0)
    log.warn(
      { events: count },
      'payments had not arrived: run pavis doctor to check the webhook at Stripe',
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
