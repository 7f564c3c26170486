import type { DomainError } from '../../platform/errors.ts';
import { getLicenceStatus, type Licence } from '../licences/index.ts';
import type { Product } from '../products/index.ts';
import { readTerms } from './payment-events/store.ts';
import { listKnownPrices, type Price } from './prices.ts';
import type { Purchase } from './purchases/store.ts';
import { findCurrentPrice, getPackages } from './renewal-plan.ts';
import type { RenewalOptions } from './renewal-schemas.ts';
import { findPaymentError, type Shop } from './renewals.ts';
import type { Cashier } from './service.ts';
import { withTimeout } from './shown-prices.ts';
import type { Contract } from './stripe.ts';

/**
 * The current plan of a licence, as far as Stripe answers within the time that a page waits.
 * @returns also the price of an active subscription of the customer, in its currency, in which currency they paid the latest
 *   purchase, and why its payments rule out a renewal
 */
export async function findCurrentPlan(
  { platform, settings, cashier }: Omit<Shop, 'cashier'> & { cashier: Cashier | undefined },
  product: Product,
  licence: Licence,
  purchase: Purchase | undefined,
): Promise<{
  plan: Pick<
    RenewalOptions,
    'renews' | 'subscription' | 'subscription_known' | 'interval' | 'quantity' | 'currency'
  >;
  price?: Price | undefined;
  /** ISO 4217 in upper case. */
  paidIn: string | undefined;
  obstacle?: DomainError | undefined;
}> {
  const terms = purchase && (await readTerms(platform.datastore.db, purchase.id));
  const interval = terms?.interval;
  const isOwn = purchase?.customerId === licence.customerId;
  const paidIn = isOwn ? terms?.currency : undefined;
  const isExpired = getLicenceStatus(licence, platform.clock.now()) === 'expired';
  const read = await readContract(cashier, interval === 'once' ? undefined : purchase);
  const paid = {
    renews: !isExpired && (purchase?.renews ?? false),
    subscription: null,
    subscription_known: read !== undefined,
    interval: interval ?? null,
    quantity: getPackages(product, licence) ?? null,
    currency: null,
  };
  // A subscription may exist, in which the customer pays what suspended the licence.
  if (!read) return { plan: paid, paidIn };
  const obstacle = findPaymentError(licence, read.contract, isOwn);
  // A cancelled subscription can be renewed until it has ended.
  const subscription = read.contract?.subscription;
  if (!subscription || !isOwn) return { plan: paid, paidIn, obstacle };
  const known = listKnownPrices(settings.prices, await platform.catalogue.read([licence]));
  const price = findCurrentPrice(known, product, subscription);
  const { quantity, currency, state } = subscription;
  return {
    plan: {
      ...paid,
      subscription: state,
      currency: currency.toUpperCase(),
      ...(price && { interval: price.interval, quantity }),
    },
    price: price && { ...price, currency },
    paidIn,
    obstacle,
  };
}

/** The contract of a purchase, if it has one; undefined while Stripe does not answer. */
async function readContract(
  cashier: Cashier | undefined,
  purchase: Purchase | undefined,
): Promise<{ contract: Contract | undefined } | undefined> {
  if (cashier?.provider !== 'stripe' || !purchase) return { contract: undefined };
  const read = cashier.stripe.findContract(purchase.sessionId).then((contract) => ({ contract }));
  return withTimeout(read.catch(() => undefined));
}
