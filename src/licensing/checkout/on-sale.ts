import type { Licence } from '../licences/index.ts';
import type { Product } from '../products/index.ts';
import { listSoldPrices, listTestPrices, type Price } from './prices.ts';
import type { StripeSettings } from './stripe-client.ts';

export interface SaleSettings {
  stripe: StripeSettings | undefined;
  /** On sale and former prices. */
  prices: readonly Price[];
  /** Whether the test checkout is used without Stripe. */
  hasTestCheckout: boolean;
}

/**
 * The prices at which a product is on sale.
 * @param renewed the tier of a licence that is renewed, whose plan may be archived
 */
export function listPrices(
  { stripe, prices, hasTestCheckout }: SaleSettings,
  product: Product,
  renewed?: string,
): Price[] {
  if (stripe) return listSoldPrices(prices, product, renewed);
  return hasTestCheckout ? listTestPrices(product, renewed) : [];
}

/** `live` if payments take real money. */
export const getMode = ({ stripe }: Pick<SaleSettings, 'stripe'>): Licence['mode'] =>
  stripe?.secretKey.includes('_live_') ? 'live' : 'test';

/** The mode of trials: of the checkout in which they can be bought; `live` without one. */
export const getTrialMode = (
  settings: Pick<SaleSettings, 'stripe' | 'hasTestCheckout'>,
): Licence['mode'] => (settings.stripe || settings.hasTestCheckout ? getMode(settings) : 'live');

/** Whether a licence of the product can be renewed or bought here, apart from its status. */
export type CanRenew = (product: Product, licence: Pick<Licence, 'tier' | 'mode'>) => boolean;

/** A licence is renewed in a checkout of its mode that sells its product. */
export const createRenewalCheck =
  (settings: SaleSettings): CanRenew =>
  (product, { tier, mode }) =>
    mode === getMode(settings) && listPrices(settings, product, tier).length > 0;
