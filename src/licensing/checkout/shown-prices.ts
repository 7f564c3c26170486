import type { Platform } from '../../platform/deps.ts';
import { getTierSites } from '../licences/index.ts';
import { formatPrice, listSold, type Price } from './prices.ts';
import type { Cashier } from './service.ts';
import type { PriceDetails } from './stripe.ts';

const KEPT_MS = 10 * 60_000;
/** After a failure, so that a page does not wait for Stripe again and again. */
const FAILED_KEPT_MS = 30_000;
/** A page that shows prices waits no longer. */
const WAIT_MS = 2_000;

/** What can be bought, and what it costs; `details` is undefined where that cannot be told now. */
export interface ShownPrice {
  tier: Price['tier'];
  interval: Price['interval'];
  /** As the price list says it. */
  currency: string | undefined;
  sites: number;
  details: PriceDetails | undefined;
}

/** Prices of the test checkout in euro cents, so that its pages look like those of a real shop. */
const SAMPLE_PRICES: Record<Price['tier'], Record<Price['interval'], number>> = {
  starter: { month: 490, year: 4_900, once: 14_900 },
  pro: { month: 990, year: 9_900, once: 29_900 },
  agency: { month: 2_490, year: 24_900, once: 74_900 },
};

const toSamplePrice = ({ tier, interval }: Price): PriceDetails => ({
  amount: SAMPLE_PRICES[tier][interval],
  currency: 'EUR',
  taxBehaviour: 'inclusive',
});

interface Kept {
  details: Promise<PriceDetails | undefined>;
  until: number;
}

/**
 * Reads prices from Stripe, which sets amounts and currencies. They are kept for ten minutes; the checkout
 * itself always shows the current one.
 */
export function createPriceReader(
  { clock }: Pick<Platform, 'clock'>,
  cashier: Cashier,
): () => Promise<ShownPrice[]> {
  const kept = new Map<string, Kept>();

  function read(price: Price): Promise<PriceDetails | undefined> {
    if (cashier.provider === 'test') return Promise.resolve(toSamplePrice(price));
    const name = formatPrice(price);
    const known = kept.get(name);
    if (known && clock.monotonic() < known.until) return known.details;
    const entry: Kept = {
      until: clock.monotonic() + KEPT_MS,
      details: cashier.stripe.findPrice(price).catch(() => {
        entry.until = clock.monotonic() + FAILED_KEPT_MS;
        return undefined;
      }),
    };
    kept.set(name, entry);
    return entry.details;
  }

  return () =>
    Promise.all(
      listSold(cashier.prices).map(async (price) => ({
        tier: price.tier,
        interval: price.interval,
        currency: price.currency,
        sites: getTierSites(price.tier),
        details: await withTimeout(read(price)),
      })),
    );
}

/** What comes of a promise within the time that a page waits. */
export async function withTimeout<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), WAIT_MS);
  });
  try {
    return await Promise.race([promise, waited]);
  } finally {
    clearTimeout(timer);
  }
}
