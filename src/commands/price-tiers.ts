import type { Config } from '../config/index.ts';
import { findUnknownTier } from '../licensing/checkout/index.ts';
import { readCatalogue } from '../licensing/products/index.ts';
import type { Platform } from '../platform/deps.ts';
import { CliError } from '../platform/errors.ts';

/** @throws CliError for a price list with a tier that the default product does not have */
export async function assertTiersKnown(
  { datastore }: Platform,
  { payments }: Config,
): Promise<void> {
  const unknown = findUnknownTier(payments.prices, await readCatalogue(datastore.db));
  if (!unknown) return;
  const { tier, known } = unknown;
  throw new CliError(
    `PAVIS_STRIPE_PRICES names the tier "${tier}", which the default product does not have: ${known.join(', ')} are allowed. Create it with "pavis plan create ${tier}"`,
    2,
  );
}
