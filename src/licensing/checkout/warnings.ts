import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { type Licence, listRestrictions } from '../licences/index.ts';
import type { RecordedFact } from './facts.ts';
import type { PaymentState } from './rules.ts';

/** Whether an invoice was paid after its licence was revoked by hand, which does not end the subscription. */
export async function isPaidInVain(
  trx: Trx,
  { id, revokedAt }: Licence,
  { fact, at }: RecordedFact,
): Promise<boolean> {
  if (fact.kind !== 'invoice_paid' || revokedAt === null) return false;
  const restrictions = await listRestrictions(trx, id);
  return restrictions.some(
    ({ effect, cause, since }) => effect === 'revoked' && cause === 'manual' && since < at,
  );
}

export const warnOfRevokedLicence = ({ log }: Platform, { publicId }: Licence): void =>
  log.error(
    { licence: publicId },
    'paid for a licence that is revoked: cancel its subscription at Stripe and refund the payment',
  );

export function warnOfUnknownPrice(
  { log }: Platform,
  { publicId }: Licence,
  { unknownPrice }: PaymentState,
): void {
  if (unknownPrice === null) return;
  log.warn(
    { licence: publicId, price: unknownPrice },
    'the price of a subscription is not in PAVIS_STRIPE_PRICES: its licence keeps its tier',
  );
}
