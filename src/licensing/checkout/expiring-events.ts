import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { queueEventOnce } from '../../webhooks/index.ts';
import { toLicenceContent } from '../licences/index.ts';
import { listEndingLicences } from './purchases/store.ts';
import { findReminderDay } from './rules.ts';

const TYPE = 'licence.expiring';

/**
 * Queues webhook events about licences that expire within the given numbers of days, once for each number and expiry.
 * The next run catches up on a missed day. Licences that renew automatically are left out.
 * @param days descending
 */
export async function queueExpiringEvents(
  { datastore, clock, webhooks }: Platform,
  days: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  if (!(await webhooks.has(TYPE))) return;
  const now = clock.now();
  const to = now + Math.max(...days) * DAY_MS;
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const licences = await listEndingLicences(datastore.db, { from: now, to, after });
    const last = licences.at(-1);
    if (!last) return;
    after = last.id;
    for (const licence of licences) {
      const day = findReminderDay(licence, days, now);
      if (day === undefined) continue;
      const { publicId, expiresAt } = licence;
      const once = { key: `${publicId} ${expiresAt} ${day}`, until: expiresAt + DAY_MS };
      await datastore.transaction((trx, announce) =>
        queueEventOnce(trx, announce, { type: TYPE, at: now, once }, () =>
          toLicenceContent(trx, licence, now, { days: day }),
        ),
      );
    }
  }
}
