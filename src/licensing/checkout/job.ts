import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { Job } from '../../platform/jobs/job.ts';
import { mailExpiry } from './mails.ts';
import { deleteOrders } from './orders/store.ts';
import { deleteForeignEvents, lockPayments } from './payment-events/store.ts';
import { followKnownPrices } from './payments.ts';
import type { Price } from './prices.ts';
import { listEndingLicences } from './purchases/store.ts';

/** How many days before its end a customer is told of it. */
const WARNED_DAYS_BEFORE = [30, 7, 1];
const WARNING_HOUR_MS = 8 * 3_600_000;
/** After that nobody asks for a checkout that was begun: payments that take days say themselves what was ordered. */
const ORDERS_KEPT_MS = 30 * DAY_MS;
/** Stripe tells nothing again that is older than 30 days: what belongs to no licence by then never will. */
const FOREIGN_EVENTS_KEPT_MS = 60 * DAY_MS;

/**
 * Every morning (UTC) on one node: tells whose licence ends soon, follows prices that were added to the
 * price list, and forgets old orders and what is not ours.
 */
export function licenceJob(
  platform: Platform,
  settings: { publicUrl: () => string; prices: readonly Price[] },
): Job {
  return new Job(platform, {
    name: 'licences',
    next: (now) => Math.floor((now - WARNING_HOUR_MS) / DAY_MS + 1) * DAY_MS + WARNING_HOUR_MS,
    async work(signal) {
      await followKnownPrices(platform, settings.prices);
      await warnOfExpiry(platform, settings, signal);
      const { datastore, clock } = platform;
      await datastore.transaction((trx) => deleteOrders(trx, clock.now() - ORDERS_KEPT_MS));
      const forgetSome = () =>
        datastore.transaction(async (trx) => {
          await lockPayments(trx);
          return deleteForeignEvents(trx, clock.now() - FOREIGN_EVENTS_KEPT_MS);
        });
      while (await forgetSome()) signal.throwIfAborted();
    },
  });
}

/**
 * Mails those whose licence ends within 30, 7 and 1 days, once for each; a day that was missed is
 * made up for by the next mail. Licences that renew by themselves are left out.
 */
async function warnOfExpiry(
  platform: Platform,
  { publicUrl }: { publicUrl: () => string },
  signal: AbortSignal,
): Promise<void> {
  const { datastore, clock } = platform;
  const now = clock.now();
  const [longest = 0] = WARNED_DAYS_BEFORE;
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const page = { from: now, to: now + longest * DAY_MS, after };
    const licences = await listEndingLicences(datastore.db, page);
    const last = licences.at(-1);
    if (!last) return;
    after = last.id;
    for (const licence of licences) {
      const left = licence.expiresAt - now;
      const days = WARNED_DAYS_BEFORE.findLast((each) => left <= each * DAY_MS);
      // Who buys for a week knows.
      if (days === undefined || licence.expiresAt - licence.issuedAt <= days * DAY_MS) continue;
      await datastore.transaction((trx, announce) =>
        mailExpiry(trx, announce, { licence, days, now, publicUrl: publicUrl() }),
      );
    }
  }
}
