import { TIER_NAMES, type Tier } from '../licences/index.ts';

export const INTERVALS = ['month', 'year', 'once'] as const;
/** How often a licence is paid for. `once` buys a lifetime licence. */
export type Interval = (typeof INTERVALS)[number];

/** An entry of the price list. */
export interface Price {
  tier: Tier;
  interval: Interval;
  /** ISO 4217 in lower case; undefined if the entry names none. */
  currency?: string | undefined;
  /** Stripe's id; empty in the test checkout. */
  price: string;
}

type PriceChoice = { [Field in 'tier' | 'interval' | 'currency']?: Price[Field] | undefined };

/** The most packages in one checkout. */
export const MAX_PACKAGES = 100;

const ENTRY = /^([a-z]+)\/([a-z]+)(?:\/([a-z]{3}))?=(price_[A-Za-z0-9_]+)$/;

/**
 * Parses a price list, for example `pro/year=price_123,pro/year/usd=price_456,pro/year=price_789`. The first
 * price for a tier, interval and currency is on sale. Later ones are former prices of existing subscriptions.
 * @returns the prices in their order, or the invalid entry: malformed, or a price with two meanings
 */
export function parsePrices(text: string): { prices: Price[] } | { wrong: string } {
  const prices: Price[] = [];
  for (const entry of text.split(',').map((each) => each.trim())) {
    const [, tier, interval, currency, price] = ENTRY.exec(entry) ?? [];
    const isTier = TIER_NAMES.includes(tier as Tier);
    if (!isTier || !INTERVALS.includes(interval as Interval) || !price) return { wrong: entry };
    const isAmbiguous = prices.some(
      (each) =>
        each.price === price &&
        (each.tier !== tier || each.interval !== interval || each.currency === currency),
    );
    if (isAmbiguous) return { wrong: entry };
    prices.push({
      tier: tier as Tier,
      interval: interval as Interval,
      ...(currency && { currency }),
      price,
    });
  }
  return { prices };
}

/** What the test checkout sells. */
export const TEST_PRICES: readonly Price[] = TIER_NAMES.flatMap((tier) =>
  INTERVALS.map((interval) => ({ tier, interval, price: '' })),
);

/** The tier of a price on sale or a former price. */
export const findTier = (prices: readonly Price[], id: string | undefined): Tier | undefined =>
  prices.find(({ price }) => price === id)?.tier;

/** The prices on sale: the first for each tier, interval and currency. */
export const listSold = (prices: readonly Price[]): Price[] =>
  prices.filter(
    (price, index) =>
      index === prices.findIndex((each) => formatPriceName(each) === formatPriceName(price)),
  );

/** The name of a price in `PAVIS_STRIPE_PRICES`: `pro/year` or `pro/year/usd`. */
export const formatPriceName = ({ tier, interval, currency }: Price): string =>
  [tier, interval, currency].filter(Boolean).join('/');

/** The price for a choice. What it leaves open is tier pro and yearly billing if on sale, else the first. */
export function choosePrice(
  prices: readonly Price[],
  { tier, interval, currency }: PriceChoice,
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
