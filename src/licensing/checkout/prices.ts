import {
  type Catalogue,
  DEFAULT_PRODUCT,
  findProduct,
  INTERVALS,
  type Interval,
  type Product,
} from '../products/index.ts';

/** A price of the price list or of a plan. */
export interface Price {
  /** The slug of the product; undefined for the default product. */
  product?: string | undefined;
  tier: string;
  interval: Interval;
  /** ISO 4217 in lower case; undefined if the entry names none. */
  currency?: string | undefined;
  /** Stripe's id; empty in the test checkout. */
  price: string;
}

type PriceChoice = { [Field in 'tier' | 'interval' | 'currency']?: Price[Field] | undefined };
type Choosable = Pick<Price, 'tier' | 'interval'> & { currency?: string | null | undefined };

/** The most packages in one checkout. */
export const MAX_PACKAGES = 100;

const ENTRY = /^([a-z][a-z0-9_-]*)\/([a-z]+)(?:\/([a-z]{3}))?=(price_[A-Za-z0-9_]+)$/;

/**
 * Parses a price list, for example `pro/year=price_123,pro/year/usd=price_456,pro/year=price_789`. The first
 * price for a tier, interval and currency is on sale. Later ones are former prices of existing subscriptions.
 * The tiers are those of the default product, see `findUnknownTier`.
 * @returns the prices in their order, or the invalid entry: malformed, or a price with two meanings
 */
export function parsePrices(text: string): { prices: Price[] } | { wrong: string } {
  const prices: Price[] = [];
  for (const entry of text.split(',').map((each) => each.trim())) {
    const [, tier, interval, currency, price] = ENTRY.exec(entry) ?? [];
    if (!tier || !INTERVALS.includes(interval as Interval) || !price) return { wrong: entry };
    const isAmbiguous = prices.some(
      (each) =>
        each.price === price &&
        (each.tier !== tier || each.interval !== interval || each.currency === currency),
    );
    if (isAmbiguous) return { wrong: entry };
    prices.push({
      tier,
      interval: interval as Interval,
      ...(currency && { currency }),
      price,
    });
  }
  return { prices };
}

/** The first price of the price list whose tier the default product does not have. */
export function findUnknownTier(
  prices: readonly Price[],
  catalogue: Catalogue,
): { tier: string; known: string[] } | undefined {
  const known = findProduct(catalogue, DEFAULT_PRODUCT)?.plans.map(({ tier }) => tier) ?? [];
  const tier = prices.map((price) => price.tier).find((name) => !known.includes(name));
  return tier === undefined ? undefined : { tier, known };
}

/**
 * What the test checkout sells of a product: every plan, in its billing intervals or in all.
 * @param renewed the tier of a licence that is renewed, whose plan may be archived
 */
export const listTestPrices = (product: Product, renewed?: string): Price[] =>
  product.plans.flatMap(({ tier, prices, archivedAt }) => {
    if (archivedAt !== null && tier !== renewed) return [];
    const own = INTERVALS.filter((interval) => interval in prices);
    return (own.length > 0 ? own : INTERVALS).map((interval) => ({
      ...named(product),
      tier,
      interval,
      price: '',
    }));
  });

/** The slug of a product as orders and payments name it: undefined for the default product. */
export const toOptionalSlug = ({ slug }: Product): string | undefined =>
  slug === DEFAULT_PRODUCT ? undefined : slug;

const named = (product: Product) => {
  const slug = toOptionalSlug(product);
  return slug === undefined ? {} : { product: slug };
};

/** The prices that the plans of a product have themselves. */
const listPlanPrices = (product: Product): Price[] =>
  product.plans.flatMap(({ tier, prices }) =>
    INTERVALS.flatMap((interval) => {
      const price = prices[interval];
      return price ? [{ ...named(product), tier, interval, price }] : [];
    }),
  );

/**
 * The prices on sale of a product. A price of a plan replaces that of the price list.
 * @param renewed the tier of a licence that is renewed, whose plan may be archived
 */
export function listSoldPrices(
  list: readonly Price[],
  product: Product,
  renewed?: string,
): Price[] {
  const isSold = ({ tier }: Price) =>
    product.plans.some(
      (plan) => plan.tier === tier && (plan.archivedAt === null || tier === renewed),
    );
  const own = listPlanPrices(product);
  const isReplaced = ({ tier, interval }: Price) =>
    own.some((price) => price.tier === tier && price.interval === interval);
  const listed = product.slug === DEFAULT_PRODUCT ? listSold(list) : [];
  return [...listed.filter((price) => !isReplaced(price)), ...own].filter(isSold);
}

/** The prices of the price list, with its former prices, and those that plans have now. */
export const listSetPrices = (list: readonly Price[], catalogue: Catalogue): Price[] => [
  ...list,
  ...catalogue.flatMap(listPlanPrices),
];

/** All prices with a known meaning: also those that plans had. A price may have been set for a wrong plan before. */
export const listKnownPrices = (list: readonly Price[], catalogue: Catalogue): Price[] => [
  ...listSetPrices(list, catalogue),
  ...catalogue.flatMap((product) =>
    product.plans.flatMap(({ tier, formerPrices }) =>
      formerPrices.map((former) => ({ ...named(product), tier, ...former })),
    ),
  ),
];

/** A price on sale or a former price. */
export const findPrice = (prices: readonly Price[], id: string | undefined): Price | undefined =>
  prices.find(({ price }) => price === id);

/** The prices on sale of the price list: the first for each tier, interval and currency. */
export const listSold = (prices: readonly Price[]): Price[] =>
  prices.filter(
    (price, index) =>
      index === prices.findIndex((each) => formatPriceName(each) === formatPriceName(price)),
  );

/** The name of a price in `PAVIS_STRIPE_PRICES`: `pro/year` or `pro/year/usd`. */
export const formatPriceName = ({ tier, interval, currency }: Price): string =>
  [tier, interval, currency].filter(Boolean).join('/');

/** The prices without those in other currencies, for each tier and interval that has one in this currency. */
export const preferCurrency = <P extends Choosable>(
  prices: readonly P[],
  currency: string | undefined,
): P[] => {
  const preferred = prices.filter((price) => currency !== undefined && price.currency === currency);
  return prices.filter(
    (price) =>
      price.currency === currency ||
      !preferred.some((other) => other.tier === price.tier && other.interval === price.interval),
  );
};

/**
 * The price for a choice. What it leaves open is tier pro with yearly billing. If that is not on sale, it is the tier of
 * the first price, with yearly billing if that is on sale; for a choice of the interval alone, tier pro before the first.
 */
export function choosePrice<P extends Choosable>(
  prices: readonly P[],
  { tier, interval, currency }: PriceChoice,
): P | undefined {
  const fitting = prices.filter(
    (price) =>
      price.tier === (tier ?? price.tier) &&
      price.interval === (interval ?? price.interval) &&
      price.currency === (currency ?? price.currency),
  );
  const [first] = fitting;
  const pro = fitting.filter((price) => price.tier === 'pro');
  const isYearly = (price: P) => price.interval === 'year';
  if (interval !== undefined) return pro[0] ?? first;
  return (
    pro.find(isYearly) ??
    fitting.find((each) => each.tier === first?.tier && isYearly(each)) ??
    first
  );
}
