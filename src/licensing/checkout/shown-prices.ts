import { setTimeout as wait } from 'node:timers/promises';
import type { Platform } from '../../platform/deps.ts';
import { getTierSites } from '../licences/index.ts';
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
const SAMPLE_PRICES: Record<Price['tier'], Record<Price['interval'], number>> = {
  starter: { month: 490, year: 4_900, once: 14_900 },
  pro: { month: 990, year: 9_900, once: 29_900 },
  agency: { month: 2_490, year: 24_900, once: 74_900 },
};

/** A price of the test checkout as buyers see it. */
export const toSamplePrice = ({ tier, interval }: Pick<Price, 'tier' | 'interval'>) =>
  ({
    tier,
    interval,
    sites: getTierSites(tier),
    amount: SAMPLE_PRICES[tier][interval],
    currency: 'EUR',
    tax: 'inclusive',
  }) satisfies ShownPrice;

/**
 * Returns a function that reads prices from Stripe, which sets amounts and currencies. Prices are cached for ten
 * minutes. Amounts are null while Stripe does not answer.
 */
export function createPriceReader(
  { clock }: Pick<Platform, 'clock'>,
  cashier: Cashier,
): () => Promise<ShownPrice[]> {
  const { prices } = cashier;
  if (cashier.provider === 'test') return async () => prices.map(toSamplePrice);
  const { stripe } = cashier;
  const cache = new Map<string, { details: Promise<PriceDetails | undefined>; until: number }>();

  function read(price: Price): Promise<PriceDetails | undefined> {
    const name = formatPriceName(price);
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

  return () =>
    Promise.all(
      prices.map(async (price) => ({
        tier: price.tier,
        interval: price.interval,
        sites: getTierSites(price.tier),
        amount: null,
        currency: price.currency?.toUpperCase() ?? null,
        tax: null,
        ...(await withTimeout(read(price))),
      })),
    );
}

/** The result of a promise, or undefined if a page would wait too long for it. */
export const withTimeout = <T>(promise: Promise<T>): Promise<T | undefined> =>
  Promise.race([promise, wait(WAIT_MS, undefined, { ref: false })]);
