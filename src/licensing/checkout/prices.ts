import { TIER_NAMES, type Tier } from '../licences/index.ts';

export const INTERVALS = ['month', 'year', 'once'] as const;
/** How often a licence is paid for: what is paid once has no end. */
export type Interval = (typeof INTERVALS)[number];

/** What can be bought, and the payment service's id of its price. */
export interface Price {
  tier: Tier;
  interval: Interval;
  price: string;
}

const ENTRY = /^([a-z]+)\/([a-z]+)=(price_[A-Za-z0-9_]+)$/;

/**
 * Reads a price list as `pro/year=price_123,pro/month=price_456`.
 * @returns the prices in their order, or the entry that is wrong: malformed, or there twice
 */
export function parsePrices(text: string): { prices: Price[] } | { wrong: string } {
  const prices: Price[] = [];
  for (const entry of text.split(',').map((each) => each.trim())) {
    const [, tier, interval, price] = ENTRY.exec(entry) ?? [];
    const isTier = TIER_NAMES.includes(tier as Tier);
    if (!isTier || !INTERVALS.includes(interval as Interval) || !price) return { wrong: entry };
    const known = prices.some(
      (each) => (each.tier === tier && each.interval === interval) || each.price === price,
    );
    if (known) return { wrong: entry };
    prices.push({ tier: tier as Tier, interval: interval as Interval, price });
  }
  return { prices };
}

/** Everything, for the test checkout, which has no prices. */
export const EVERYTHING: readonly Price[] = TIER_NAMES.flatMap((tier) =>
  INTERVALS.map((interval) => ({ tier, interval, price: '' })),
);

/**
 * What somebody wants who named a tier, an interval, both or neither: tier pro and a year before
 * others, else what is listed first. Undefined: that is not sold.
 */
export function choosePrice(
  prices: readonly Price[],
  { tier, interval }: { tier?: Tier | undefined; interval?: Interval | undefined },
): Price | undefined {
  const fitting = prices.filter(
    (price) =>
      price.tier === (tier ?? price.tier) && price.interval === (interval ?? price.interval),
  );
  const pro = fitting.filter((price) => price.tier === 'pro');
  const preferred = pro.length > 0 ? pro : fitting;
  return preferred.find((price) => price.interval === 'year') ?? preferred[0];
}
