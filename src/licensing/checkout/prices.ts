import { TIER_NAMES, type Tier } from '../licences/index.ts';

export const INTERVALS = ['month', 'year', 'once'] as const;
/** How often a licence is paid for: what is paid once has no end. */
export type Interval = (typeof INTERVALS)[number];

/** What a price of the payment service pays for. */
export interface Price {
  tier: Tier;
  interval: Interval;
  /** Lower-case ISO 4217; undefined if the list does not say it. */
  currency?: string | undefined;
  /** The payment service's id. */
  price: string;
}

const ENTRY = /^([a-z]+)\/([a-z]+)(?:\/([a-z]{3}))?=(price_[A-Za-z0-9_]+)$/;

/**
 * Reads a price list as `pro/year=price_123,pro/year/usd=price_456,pro/year=price_789`. Of the prices
 * for the same tier, interval and currency the first one is sold, and the others are former prices,
 * which subscriptions may still be on.
 * @returns the prices in their order, or the entry that is wrong: malformed, or a price that is there
 *   twice but for another currency of it
 */
export function parsePrices(text: string): { prices: Price[] } | { wrong: string } {
  const prices: Price[] = [];
  for (const entry of text.split(',').map((each) => each.trim())) {
    const [, tier, interval, currency, price] = ENTRY.exec(entry) ?? [];
    const isTier = TIER_NAMES.includes(tier as Tier);
    if (!isTier || !INTERVALS.includes(interval as Interval) || !price) return { wrong: entry };
    const isTwice = prices.some(
      (each) =>
        each.price === price &&
        (each.tier !== tier || each.interval !== interval || each.currency === currency),
    );
    if (isTwice) return { wrong: entry };
    prices.push({
      tier: tier as Tier,
      interval: interval as Interval,
      ...(currency && { currency }),
      price,
    });
  }
  return { prices };
}

/** Everything, for the test checkout, which has no prices. */
export const EVERYTHING: readonly Price[] = TIER_NAMES.flatMap((tier) =>
  INTERVALS.map((interval) => ({ tier, interval, price: '' })),
);

/** The tier that a price is for, former prices included. */
export const findTier = (prices: readonly Price[], id: string | undefined): Tier | undefined =>
  prices.find(({ price }) => price === id)?.tier;

/** The prices at which something is sold now: the first for each tier, interval and currency. */
export const listSold = (prices: readonly Price[]): Price[] =>
  prices.filter(
    (price, index) =>
      index ===
      prices.findIndex(
        ({ tier, interval, currency }) =>
          tier === price.tier && interval === price.interval && currency === price.currency,
      ),
  );

/** A price as the list of `PAVIS_STRIPE_PRICES` names it: `pro/year`, or `pro/year/usd`. */
export const formatPrice = ({ tier, interval, currency }: Price): string =>
  [tier, interval, currency].filter(Boolean).join('/');

/**
 * What somebody wants who named a tier, an interval, a currency, some of them or none: tier pro and a
 * year before others, else what is listed first. Undefined: that is not sold.
 */
export function choosePrice(
  prices: readonly Price[],
  {
    tier,
    interval,
    currency,
  }: {
    tier?: Tier | undefined;
    interval?: Interval | undefined;
    currency?: string | undefined;
  },
): Price | undefined {
  const fitting = prices.filter(
    (price) =>
      price.tier === (tier ?? price.tier) &&
      price.interval === (interval ?? price.interval) &&
      price.currency === (currency ?? price.currency),
  );
  const pro = fitting.filter((price) => price.tier === 'pro');
  const preferred = pro.length > 0 ? pro : fitting;
  return preferred.find((price) => price.interval === 'year') ?? preferred[0];
}
