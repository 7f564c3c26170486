import { setTimeout as wait } from 'node:timers/promises';
import type { Platform } from '../../platform/deps.ts';
import { getPlan, type Plan, type Product } from '../products/index.ts';
import { formatPriceName, type Price } from './prices.ts';
import type { ShownPrice } from './schemas.ts';
import type { Cashier } from './service.ts';
import type { PriceDetails } from './stripe.ts';

const CACHE_MS = 10 * 60_000;
/** Pages do not wait for Stripe again shortly after a failure. */
const FAILURE_CACHE_MS = 30_000;
/** Maximum time that a page waits for Stripe. */
const WAIT_MS = 2_000;

/** Prices of the test checkout in euro cents, so that its pages look like those of a real shop. */
const SAMPLE_PRICES: Record<string, Record<Price['interval'], number>> = {
  starter: { month: 490, year: 4_900, once: 14_900 },
  pro: { month: 990, year: 9_900, once: 29_900 },
  agency: { month: 2_490, year: 24_900, once: 74_900 },
};
const SAMPLE_PRICE = { month: 990, year: 9_900, once: 29_900 };

/** A price of the test checkout as buyers see it. */
export const toSamplePrice = (plan: Plan, interval: Price['interval']) =>
  ({
    ...describePlan(plan),
    interval,
    amount: (SAMPLE_PRICES[plan.tier] ?? SAMPLE_PRICE)[interval],
    currency: 'EUR',
    tax: 'inclusive',
  }) satisfies ShownPrice;

const describePlan = ({ tier, label, sitesAllowed, features, description }: Plan) => ({
  tier,
  plan: label,
  sites: sitesAllowed,
  features: [...features],
  description,
});

/**
 * The prices on sale of a product, in the order of `Cashier.listPrices`.
 * @param renewed the tier of a licence that is renewed, whose plan may be archived
 * @param kept the price of its subscription, which is charged for its tier and interval, on sale or not
 */
export type ReadPrices = (
  product: Product,
  renewed?: string,
  kept?: Price,
) => Promise<ShownPrice[]>;

/**
 * Returns a function that reads the prices of a product from Stripe, which sets amounts and currencies. Prices are
 * cached for ten minutes. Amounts are null while Stripe does not answer.
 */
export function createPriceReader(
  { clock }: Pick<Platform, 'clock'>,
  cashier: Cashier,
): ReadPrices {
  if (cashier.provider === 'test')
    return async (product, renewed) =>
      cashier
        .listPrices(product, renewed)
        .map(({ tier, interval }) => toSamplePrice(getPlan(product, tier), interval));
  const { stripe } = cashier;
  const cache = new Map<string, { details: Promise<PriceDetails | undefined>; until: number }>();

  function read(price: Price): Promise<PriceDetails | undefined> {
    const name = `${formatPriceName(price)}=${price.price}`;
    const cached = cache.get(name);
    if (cached && clock.monotonic() < cached.until) return cached.details;
    const entry = {
      until: clock.monotonic() + CACHE_MS,
      details: stripe.findPrice(price).catch(() => {
        entry.until = clock.monotonic() + FAILURE_CACHE_MS;
        return undefined;
      }),
    };
    cache.set(name, entry);
    return entry.details;
  }

  return (product, renewed, kept) =>
    Promise.all(
      keepPrice(cashier.listPrices(product, renewed), kept).map(async (price) => ({
        ...describePlan(getPlan(product, price.tier)),
        interval: price.interval,
        amount: null,
        currency: price.currency?.toUpperCase() ?? null,
        tax: null,
        ...(await withTimeout(read(price))),
      })),
    );
}

/**
 * The prices on sale of a product, in the order of `Cashier.listPrices`. For a choice of a currency, each has its own: only
 * Stripe has that of an entry that names none.
 * @param currency ISO 4217; undefined if it is left open
 * @param renewed the tier of a licence that is renewed, whose plan may be archived
 */
export async function listPricesIn(
  currency: string | undefined,
  { cashier, readPrices }: { cashier: Cashier; readPrices: ReadPrices },
  product: Product,
  renewed?: string,
): Promise<readonly Price[]> {
  const sold = cashier.listPrices(product, renewed);
  if (currency === undefined) return sold;
  const shown = await readPrices(product, renewed);
  return sold.map((price, at) => ({ ...price, currency: shown[at]?.currency?.toLowerCase() }));
}

function keepPrice(sold: readonly Price[], kept: Price | undefined): readonly Price[] {
  if (!kept) return sold;
  const isReplaced = ({ tier, interval }: Price) =>
    tier === kept.tier && interval === kept.interval;
  return [...new Set([...sold.map((each) => (isReplaced(each) ? kept : each)), kept])];
}

/** The result of a promise, or undefined if a page would wait too long for it. */
export const withTimeout = <T>(promise: Promise<T>): Promise<T | undefined> =>
  Promise.race([promise, wait(WAIT_MS, undefined, { ref: false })]);
