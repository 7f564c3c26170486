import { getLicenceStatus, type Licence } from '../licences/index.ts';
import type { Product } from '../products/index.ts';
import { listKnownPrices, type Price } from './prices.ts';
import { findOrderedInterval, type Purchase } from './purchases/store.ts';
import { findCurrentPrice, getPackages } from './renewal-plan.ts';
import type { RenewalOptions } from './renewal-schemas.ts';
import type { Shop } from './renewals.ts';
import type { Cashier } from './service.ts';
import { withTimeout } from './shown-prices.ts';

/**
 * The current plan of a licence, as far as Stripe answers within the time that a page waits.
 * @returns also the price of an active subscription of the customer, in its currency
 */
export async function findCurrentPlan(
  { platform, settings, cashier }: Omit<Shop, 'cashier'> & { cashier: Cashier | undefined },
  product: Product,
  licence: Licence,
  purchase: Purchase | undefined,
): Promise<{
  plan: Pick<RenewalOptions, 'renews' | 'subscription' | 'interval' | 'quantity' | 'currency'>;
  price?: Price | undefined;
}> {
  const unpaid = {
    interval: null,
    quantity: getPackages(product, licence) ?? null,
    currency: null,
    subscription: null,
  };
  if (!purchase) return { plan: { ...unpaid, renews: false } };
  const ordered = await findOrderedInterval(platform.datastore.db, purchase);
  const isExpired = getLicenceStatus(licence, platform.clock.now()) === 'expired';
  const paid = { ...unpaid, renews: purchase.renews && !isExpired, interval: ordered ?? null };
  // A cancelled subscription can be renewed until it has ended.
  if (cashier?.provider !== 'stripe' || ordered === 'once') return { plan: paid };
  const contract = cashier.stripe.findContract(purchase.sessionId).catch(() => undefined);
  const subscription = (await withTimeout(contract))?.subscription;
  const known = listKnownPrices(settings.prices, await platform.catalogue.read([licence]));
  const price = findCurrentPrice(known, product, subscription);
  if (!subscription) return { plan: paid };
  const { quantity, currency, state } = subscription;
  const isOwn = purchase.customerId === licence.customerId;
  return {
    plan: {
      ...paid,
      subscription: isOwn ? state : null,
      currency: currency.toUpperCase(),
      ...(price && { interval: price.interval, quantity }),
    },
    price: price && isOwn ? { ...price, currency } : undefined,
  };
}
