import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { queueEventOnce } from '../../webhooks/index.ts';
import { toLicenceContent } from '../licences/index.ts';
import { readEndingLicences } from './ending-licences.ts';

const TYPE = 'licence.expiring';

/**
 * Queues webhook events about licences that expire in the given numbers of days, once for each number and expiry.
 * The next run catches up on a missed day. Licences that renew automatically are left out.
 * @param days descending
 */
export async function queueExpiringEvents(
  platform: Platform,
  days: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const { datastore, clock, webhooks } = platform;
  if (!(await webhooks.has(TYPE))) return;
  const now = clock.now();
  for await (const { licence, day } of readEndingLicences(platform, days, now, signal)) {
    const { publicId, expiresAt } = licence;
    const once = { key: `${publicId} ${expiresAt} ${day}`, until: expiresAt + DAY_MS };
    await datastore.transaction((trx, announce) =>
      queueEventOnce(trx, announce, { type: TYPE, at: now, once }, () =>
        toLicenceContent(trx, licence, now, { days: day }),
      ),
    );
  }
}
