import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { hasQueuedOnce, queueEventOnce } from '../../webhooks/index.ts';
import { findLicenceWithCustomer, type Licence, toLicenceContent } from '../licences/index.ts';

const TYPE = 'licence.limit_reached';

/** A licence that has refused an activation, because all its sites are in use. */
export interface FullLicence {
  licence: Licence;
  /** The site that was refused. */
  siteUrl: string;
  /** Number of slots in use. */
  used: number;
}

/** Queues a webhook event about a refused activation, once a day (UTC) for each licence. Never throws. */
export async function queueLimitReached(
  { datastore, clock, webhooks, log }: Platform,
  { licence: { publicId }, siteUrl, used }: FullLicence,
): Promise<void> {
  const at = clock.now();
  const once = { key: `${publicId} ${toIsoMoment(at).slice(0, 10)}`, until: at + 2 * DAY_MS };
  try {
    if (!(await webhooks.has(TYPE))) return;
    // Without the write lock: a client that keeps asking must not hold up others.
    if (await hasQueuedOnce(datastore.db, TYPE, once.key)) return;
    await datastore.transaction(async (trx, announce) => {
      const licence = await findLicenceWithCustomer(trx, publicId);
      if (!licence) return;
      await queueEventOnce(trx, announce, { type: TYPE, at, once }, () =>
        toLicenceContent(trx, licence, at, { site_url: siteUrl, sites_used: used }),
      );
    });
  } catch (err) {
    log.warn({ err, licence: publicId }, 'cannot queue a webhook about a refused activation');
  }
}
