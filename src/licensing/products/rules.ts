import { InvalidFieldError, NotFoundError } from '../../platform/errors.ts';

/** The product of licences that name no other, and of the price list in the environment. */
export const DEFAULT_PRODUCT = 'pavis';

export const INTERVALS = ['month', 'year', 'once'] as const;
/** How often a licence is paid for. `once` buys a lifetime licence. */
export type Interval = (typeof INTERVALS)[number];

/** The `expires_at` of a lifetime licence. */
export const NEVER = Date.parse('9999-12-31T23:59:59.000Z');

/** Prices at Stripe by billing interval. Null: the price of the price list, for the default product. */
export type PlanPrices = Partial<Record<Interval, string | null>>;

/** A price at Stripe that a plan had before, on which subscriptions may be. */
export interface FormerPrice {
  interval: Interval;
  price: string;
}

export interface Plan {
  id: number;
  /** Its name in licences and in the APIs. */
  tier: string;
  /** Its name for people. */
  label: string;
  /** What buyers read of it. Null: the names of its features. */
  description: string | null;
  /** Sites per package. A licence can override it. */
  sitesAllowed: number;
  features: readonly string[];
  /** Whether development sites use no activation slot. A licence can override it. */
  developmentSitesFree: boolean;
  graceDays: number;
  trialDays: number;
  /** Whether the trial can be started with an email address only, without a subscription. */
  trialWithoutCard: boolean;
  prices: PlanPrices;
  /** The latest first. */
  formerPrices: readonly FormerPrice[];
  position: number;
  /** An archived plan keeps working for its licences and is not sold any more; epoch milliseconds. */
  archivedAt: number | null;
}

export interface Product {
  id: number;
  slug: string;
  name: string;
  currentVersion: string | null;
  siteUrl: string | null;
  createdAt: number;
  /** In the order in which they are offered. */
  plans: readonly Plan[];
}

/** Whether the product has a name of the vendor's: the default product is created with ours. */
export const hasOwnName = ({ slug, name }: Product): boolean =>
  slug !== DEFAULT_PRODUCT || name !== 'Pavis';

/** All products, oldest first. The first is the default product. */
export type Catalogue = readonly Product[];

export const findProduct = (catalogue: Catalogue, slug: string): Product | undefined =>
  catalogue.find((product) => product.slug === slug);

/** The former prices of a plan that gets other prices. */
export function listFormerPrices(
  { prices, formerPrices }: Pick<Plan, 'prices' | 'formerPrices'>,
  next: PlanPrices,
): FormerPrice[] {
  const current = INTERVALS.flatMap((interval): FormerPrice[] => {
    const price = prices[interval];
    return price ? [{ interval, price }] : [];
  });
  const kept = Object.values(next);
  return [...current, ...formerPrices].filter(
    ({ price }, index, all) =>
      !kept.includes(price) && index === all.findIndex((each) => each.price === price),
  );
}

/**
 * The product that a parameter names.
 * @throws InvalidFieldError with the slugs that exist
 */
export function readProduct(catalogue: Catalogue, slug: string = DEFAULT_PRODUCT): Product {
  const product = findProduct(catalogue, slug);
  if (product) return product;
  throw new InvalidFieldError(
    'product',
    `product must be one of: ${catalogue.map((each) => each.slug).join(', ')}.`,
  );
}

/**
 * The plan that a parameter names.
 * @throws InvalidFieldError with the tiers of the product that are allowed
 */
export function readPlan(
  { plans }: Product,
  tier: string,
  { isArchivedAllowed = false } = {},
): Plan {
  const allowed = plans.filter(({ archivedAt }) => isArchivedAllowed || archivedAt === null);
  const plan = allowed.find((each) => each.tier === tier);
  if (plan) return plan;
  const tiers = allowed.map((each) => each.tier).join(', ');
  const isArchived = plans.some((each) => each.tier === tier);
  throw new InvalidFieldError(
    'tier',
    `${isArchived ? `The plan ${tier} is archived. ` : ''}${tiers ? `tier must be one of: ${tiers}.` : 'Create a plan of this product first.'}`,
  );
}

export const hasPlan = (
  catalogue: Catalogue,
  { productId, tier }: { productId: number; tier: string },
): boolean =>
  catalogue.some(({ id, plans }) => id === productId && plans.some((plan) => plan.tier === tier));

/** @throws NotFoundError if the product was not created */
export function getProduct(catalogue: Catalogue, id: number): Product {
  const product = catalogue.find((each) => each.id === id);
  if (!product) throw new NotFoundError('The product');
  return product;
}

/** @throws NotFoundError if the plan was not created */
export function getPlan({ plans }: Product, tier: string): Plan {
  const plan = plans.find((each) => each.tier === tier);
  if (!plan) throw new NotFoundError('The plan');
  return plan;
}

/** The features of a plan without those that a licence removes, then those that it adds. */
export const resolveFeatures = (
  plan: readonly string[],
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): string[] => [...new Set([...plan.filter((name) => !removed.includes(name)), ...added])];
