import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { DomainError } from '../../platform/errors.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { hasQueuedOnce, queueEventOnce } from '../../webhooks/index.ts';
import {
  describeFullLicence,
  findLicenceWithCustomer,
  type Licence,
  toLicenceContent,
} from '../licences/index.ts';
import { toPublicSiteUrl } from './site-url.ts';

const TYPE = 'licence.limit_reached';

/** All slots of the licence are in use. Its code is `activation_limit_reached`. */
export class ActivationLimitError extends DomainError {
  readonly licence: Licence;
  /** The site that was refused. */
  readonly siteUrl: string;
  /** Number of slots in use. */
  readonly used: number;

  /** @param publicUrl of the Licence API, for the help link; undefined if nobody will read it */
  constructor(licence: Licence, siteUrl: string, used: number, publicUrl: string | undefined) {
    const message = describeFullLicence(used, licence.sitesAllowed);
    super('forbidden', 'activation_limit_reached', message, {
      details: publicUrl === undefined ? {} : describeHelp(publicUrl, licence, siteUrl),
    });
    this.licence = licence;
    this.siteUrl = siteUrl;
    this.used = used;
  }
}

/**
 * The page on which the customer of a licence deactivates a site and activates another. It requires a sign-in and is
 * the same for licences that do not exist, so others may see the URL. Nothing for a site whose URL that page refuses.
 */
function describeHelp(
  publicUrl: string,
  { publicId: licence }: Pick<Licence, 'publicId'>,
  siteUrl: string,
): { help_url?: string } {
  const site = toPublicSiteUrl(siteUrl);
  if (site.length > URL_MAX_LENGTH) return {};
  const query = new URLSearchParams({ licence, site });
  return { help_url: `${new URL(publicUrl).origin}/account/switch-site?${query}` };
}

/**
 * Queues a webhook event if the error is an `ActivationLimitError`, once a day (UTC) for each licence. Never throws.
 */
export async function queueLimitReached(
  { datastore, clock, webhooks, log }: Platform,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ActivationLimitError)) return;
  const { siteUrl, used } = error;
  const { publicId } = error.licence;
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
