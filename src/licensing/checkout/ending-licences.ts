import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import type { LicenceWithCustomer } from '../licences/index.ts';
import { listEndingLicences } from './purchases/store.ts';
import { findReminderDay } from './rules.ts';

/** A licence that expires in `day` days or less. */
interface EndingLicence {
  licence: LicenceWithCustomer;
  day: number;
}

/**
 * The licences that expire in one of the given numbers of days, for reminders and webhook events. A run each day finds
 * each at least that many days before. Licences that renew automatically are left out.
 * @param days descending
 * @param now epoch milliseconds
 */
export async function* readEndingLicences(
  { datastore }: Platform,
  days: readonly number[],
  now: number,
  signal: AbortSignal,
): AsyncGenerator<EndingLicence> {
  const to = now + (Math.max(...days) + 1) * DAY_MS;
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const licences = await listEndingLicences(datastore.db, { from: now, to, after });
    const last = licences.at(-1);
    if (!last) return;
    after = last.id;
    for (const licence of licences) {
      const day = findReminderDay(licence, days, now);
      if (day !== undefined) yield { licence, day };
    }
  }
}
