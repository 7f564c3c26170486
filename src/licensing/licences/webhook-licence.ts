import { toIsoMoment } from '../../platform/clock.ts';
import type { Trx } from '../../platform/db/index.ts';
import { readEmail } from '../../platform/email-address.ts';
import type { EventContent } from '../../webhooks/index.ts';
import { getProduct, readCatalogue } from '../products/index.ts';
import { getLicenceStatus } from './rules.ts';
import { toExpiry } from './schemas.ts';
import type { LicenceWithCustomer } from './store.ts';

/**
 * The content of an event about a licence. It has no key.
 * @param at epoch milliseconds, for the status
 * @param more members of `data` beside the licence
 */
export async function toLicenceContent(
  trx: Trx,
  licence: LicenceWithCustomer,
  at: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<EventContent> {
  const { publicId: id, mode, tier, sitesAllowed, issuedAt } = licence;
  // A deleted customer has a random text as address.
  const email = readEmail(licence.email) ?? null;
  const product = getProduct(await readCatalogue(trx), licence.productId).slug;
  return {
    email,
    data: {
      licence: {
        id,
        mode,
        product,
        tier,
        status: getLicenceStatus(licence, at),
        sites_allowed: sitesAllowed,
        issued_at: toIsoMoment(issuedAt),
        ...toExpiry(licence, at),
        ...(licence.isTrial && { trial: true }),
        customer: { email },
      },
      ...more,
    },
  };
}
