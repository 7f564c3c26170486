import { DomainError } from '../../platform/errors.ts';
import { getLicenceStatus, type Licence, UNLIMITED_SITES } from '../licences/index.ts';
import { getPlan, type Interval, NEVER, type Product } from '../products/index.ts';
import { staysUnlimited } from './planned-state.ts';
import {
  choosePrice,
  formatPriceName,
  MAX_PACKAGES,
  type Price,
  toOptionalSlug,
} from './prices.ts';
import type { SessionRequest } from './schemas.ts';
import type { Contract } from './stripe.ts';

export const RENEWS_AUTOMATICALLY =
  'This licence renews automatically. To change it, choose another tier, interval or number of sites.';
export const LIFETIME_LICENCE =
  'This is a lifetime licence and needs no renewal. To change it, choose another tier or more sites, paid once.';

/** What the customer of a licence pays from now on. */
export interface Plan {
  price: Price;
  quantity: number;
}

/** What the customer of a licence has paid until now. */
interface Paid {
  /** The active subscription. */
  current: Contract['subscription'];
  /** Its price, see `findCurrentPrice`. */
  now: Price | undefined;
  /** Billing interval of the latest purchase. */
  ordered: Interval | undefined;
}

/**
 * The price of a subscription to a product, which may be a former one; undefined if it is not known. A price at Stripe can
 * have several currencies.
 * @param known see `listKnownPrices`
 */
export function findCurrentPrice(
  known: readonly Price[],
  product: Product,
  current: Contract['subscription'],
): Price | undefined {
  const slug = toOptionalSlug(product);
  const own = known.filter((each) => each.product === slug && each.price === current?.price);
  return own.find(({ currency }) => currency === current?.currency) ?? own[0];
}

/**
 * The plan that a request asks for. What the request does not name stays as it is, also after a subscription has ended:
 * a subscription keeps its price, on sale or not, until another tier or interval is chosen.
 * @throws DomainError `invalid_request` if it is not on sale, or without a quantity if the sites are more than one checkout
 *   sells
 */
export function toPlan(
  product: Product,
  prices: readonly Price[],
  licence: Licence,
  request: SessionRequest,
  { current, now, ordered }: Paid,
): Plan {
  const tier = request.tier ?? now?.tier ?? licence.tier;
  const wanted = { tier, currency: current ? now?.currency : request.currency };
  const interval = request.interval ?? now?.interval ?? ordered;
  const isKept = now !== undefined && now.tier === tier && now.interval === interval;
  const price =
    (isKept ? now : choosePrice(prices, { ...wanted, interval })) ??
    getPrice(prices, { ...wanted, interval: request.interval });
  const isSameTier = tier === licence.tier;
  const quantity =
    request.quantity ??
    (now && isSameTier ? current?.quantity : undefined) ??
    (isSameTier ? getPackages(product, licence) : 1);
  if (quantity === undefined) {
    const message = `This licence has ${licence.sitesAllowed} sites, more than one checkout sells. Give the quantity that you want, from 1 to ${MAX_PACKAGES}.`;
    throw new DomainError('invalid', 'invalid_request', message);
  }
  return { price, quantity };
}

/** @throws DomainError `invalid_request` if it is not on sale */
export function getPrice(
  prices: readonly Price[],
  wanted: Parameters<typeof choosePrice>[1],
): Price {
  const price = choosePrice(prices, wanted);
  if (price) return price;
  const message =
    prices.length > 0
      ? `This is not for sale. Available: ${prices.map(formatPriceName).join(', ')}.`
      : 'No plan of this product is for sale.';
  throw new DomainError('invalid', 'invalid_request', message);
}

/**
 * How many packages of its tier cover the sites of a licence, one if they are unlimited; undefined if they are more than
 * one checkout sells.
 */
export function getPackages(product: Product, licence: Licence): number | undefined {
  if (staysUnlimited(licence, licence)) return 1;
  const packages = Math.ceil(licence.sitesAllowed / getPlan(product, licence.tier).sitesAllowed);
  return packages <= MAX_PACKAGES ? packages : undefined;
}

/** The sites that a licence has with a choice. */
export const countSites = (
  product: Product,
  licence: Licence,
  { price, quantity }: Plan,
): number =>
  staysUnlimited(licence, price)
    ? licence.sitesAllowed
    : Math.min(UNLIMITED_SITES, quantity * getPlan(product, price.tier).sitesAllowed);

/**
 * @param paidNow billing interval of the active subscription; undefined without one
 * @throws DomainError `renewal_not_needed` if the plan would change nothing
 */
export function assertUseful(
  product: Product,
  licence: Licence,
  plan: Plan,
  paidNow: Price['interval'] | undefined,
  now: number,
): void {
  const { price } = plan;
  const isSame =
    price.tier === licence.tier && countSites(product, licence, plan) <= licence.sitesAllowed;
  if (licence.expiresAt === NEVER && (isSame || price.interval !== 'once')) {
    throw new DomainError('conflict', 'renewal_not_needed', LIFETIME_LICENCE);
  }
  const isExpired = getLicenceStatus(licence, now) === 'expired';
  if (isSame && !isExpired && price.interval === paidNow) throw renewsAutomatically();
}

export const renewsAutomatically = () =>
  new DomainError('conflict', 'renewal_not_needed', RENEWS_AUTOMATICALLY);
