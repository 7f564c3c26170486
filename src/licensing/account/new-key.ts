import { isRecent } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { DomainError } from '../../platform/errors.ts';
import { noSuchLicence } from '../activations/index.ts';
import { mailRotatedKey } from '../checkout/index.ts';
import {
  findFormerKeyTime,
  findLicenceWithCustomer,
  MAX_OVERLAP_HOURS,
  rotateKey,
} from '../licences/index.ts';

const SPACING_MS = HOUR_MS;

/** The current key of the licence is less than an hour old, whether or not it was emailed. */
export class KeySentError extends DomainError {
  readonly retryAfterSeconds: number;

  constructor(waitMs: number) {
    super(
      'rate_limited',
      'rate_limited',
      'The current key of this licence is less than an hour old. Check your inbox, or try again later.',
    );
    this.retryAfterSeconds = Math.ceil(waitMs / 1_000);
  }
}

/**
 * Emails a new key of a licence to its customer, who has lost the old one. The old key keeps working for seven days.
 * @param id the identifier of the licence
 * @throws NotFoundError for another customer's licence; DomainError for a revoked licence; KeySentError if the current
 *   key was created less than an hour ago
 */
export async function mailNewKey(
  platform: Platform,
  id: string,
  customerId: number,
): Promise<void> {
  const found = await findLicenceWithCustomer(platform.datastore.db, id);
  if (!found || found.customerId !== customerId) throw noSuchLicence();
  await rotateKey(platform, id, MAX_OVERLAP_HOURS, 'customer', async (trx, announce, rotated) => {
    const { licence } = rotated;
    const formerAt = (await findFormerKeyTime(trx, licence.id)) ?? 0;
    const now = platform.clock.now();
    if (isRecent(formerAt, SPACING_MS, now)) throw new KeySentError(formerAt + SPACING_MS - now);
    // Read before the lock: a transfer in between would send the key to another person than asked for it.
    if (licence.customerId !== customerId) throw noSuchLicence();
    await mailRotatedKey(platform, trx, announce, rotated);
  });
}
