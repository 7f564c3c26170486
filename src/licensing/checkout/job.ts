import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { Job } from '../../platform/jobs/job.ts';
import { deleteOnceKeys } from '../../webhooks/index.ts';
import { type Licence, toRenewalUrl } from '../licences/index.ts';
import { getProduct } from '../products/index.ts';
import { deleteOldCounts } from '../validation/index.ts';
import { readEndingLicences } from './ending-licences.ts';
import { queueExpiringEvents } from './expiring-events.ts';
import { mailExpiry } from './mails.ts';
import { type MissedSettings, processMissedEvents, type WasErased } from './missed-events.ts';
import type { CanRenew } from './on-sale.ts';
import { deleteOrders } from './orders/store.ts';
import { deleteForeignEvents, lockPayments, readTerms } from './payment-events/store.ts';
import { followKnownPrices } from './payments.ts';
import type { Price } from './prices.ts';
import { findLatestPurchase } from './purchases/store.ts';
import { connectStripe } from './stripe.ts';
import type { StripeSettings } from './stripe-client.ts';

/** How many days before the expiry customers get a reminder. */
const REMINDER_DAYS = [30, 7, 1];
const RUN_AT_MS = 8 * 3_600_000;
/** Payments that complete later name themselves what was ordered. */
const ORDERS_KEPT_MS = 30 * DAY_MS;
/** Stripe resends events for 30 days. Events without a licence after that are not about licences. */
const FOREIGN_EVENTS_KEPT_MS = 60 * DAY_MS;

/**
 * Every morning (UTC) on one node: processes missed payments, applies new prices, sends reminders, queues webhook events
 * about expiries, and deletes old orders, counts and foreign events.
 */
export function licenceJob(
  platform: Platform,
  settings: {
    publicUrl: () => string;
    canRenew: CanRenew;
    prices: readonly Price[];
    /** Undefined without Stripe. */
    stripe: StripeSettings | undefined;
    wasErased: WasErased;
    /** How many days before the expiry there are webhook events, descending. */
    expiringDays: readonly number[];
  },
): Job {
  return new Job(platform, {
    name: 'licences',
    next: (now) => Math.floor((now - RUN_AT_MS) / DAY_MS + 1) * DAY_MS + RUN_AT_MS,
    async work(signal) {
      await catchUp(platform, settings, signal);
      await followKnownPrices(platform, settings.prices);
      await sendReminders(platform, settings, signal);
      await queueExpiringEvents(platform, settings.expiringDays, signal);
      const { datastore, clock } = platform;
      await datastore.transaction((trx) => deleteOrders(trx, clock.now() - ORDERS_KEPT_MS));
      await datastore.transaction((trx) => deleteOnceKeys(trx, clock.now()));
      await datastore.transaction((trx) => deleteOldCounts(trx, clock.now()));
      const deleteSome = () =>
        datastore.transaction(async (trx) => {
          await lockPayments(trx);
          return deleteForeignEvents(trx, clock.now() - FOREIGN_EVENTS_KEPT_MS);
        });
      while (await deleteSome()) signal.throwIfAborted();
    },
  });
}

/** Without Stripe, the other work is done with the payments that are known. */
async function catchUp(
  platform: Platform,
  { stripe, ...settings }: Omit<MissedSettings, 'stripe'> & { stripe: StripeSettings | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (!stripe) return;
  try {
    const connected = connectStripe(stripe, platform.log);
    await processMissedEvents(platform, { ...settings, stripe: connected }, signal);
  } catch (err) {
    signal.throwIfAborted();
    platform.log.error(
      { err },
      'cannot look for missed payments: run pavis doctor to check the key',
    );
  }
}

/**
 * Emails the customers of licences that expire in 30, 7 and 1 days, once for each. The next run catches up on
 * a missed day. Licences that renew automatically get no reminder.
 */
async function sendReminders(
  platform: Platform,
  {
    publicUrl,
    canRenew,
    stripe,
  }: { publicUrl: () => string; canRenew: CanRenew; stripe: StripeSettings | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { datastore, clock, catalogue } = platform;
  const now = clock.now();
  for await (const { licence, day } of readEndingLicences(platform, REMINDER_DAYS, now, signal)) {
    const product = getProduct(await catalogue.read([licence]), licence.productId);
    const renewUrl = canRenew(product, licence) ? toRenewalUrl(publicUrl(), licence) : undefined;
    // The test checkout sells a renewal at any time.
    const isPaidByOther = stripe !== undefined && (await isPaidByFormerOwner(platform, licence));
    await datastore.transaction((trx, announce) =>
      mailExpiry(trx, announce, licence, { days: day, now, renewUrl, isPaidByOther }),
    );
  }
}

/** Whether a cancelled subscription of a former owner runs until the licence expires, which cannot be renewed before. */
async function isPaidByFormerOwner(
  { datastore: { db } }: Platform,
  { publicId, customerId, expiresAt }: Licence,
): Promise<boolean> {
  const purchase = await findLatestPurchase(db, publicId);
  if (!purchase || purchase.customerId === customerId || purchase.expiresAt < expiresAt)
    return false;
  const { interval, hasEnded } = await readTerms(db, purchase.id);
  return interval !== 'once' && !hasEnded;
}
