import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { countSlotsInUse, noSuchLicence } from '../activations/index.ts';
import type { Customer } from '../customers/index.ts';
import {
  findLicenceWithCustomer,
  type Licence,
  listRestrictions,
  toRenewalUrl,
} from '../licences/index.ts';
import { getProduct, type Product } from '../products/index.ts';
import { getMode } from './on-sale.ts';
import { readTerms } from './payment-events/store.ts';
import { listKnownPrices, preferCurrency } from './prices.ts';
import { findLatestPurchase, listInvoicedPurchases } from './purchases/store.ts';
import {
  assertUseful,
  countSites,
  findCurrentPrice,
  type Plan,
  renewsAutomatically,
  toPlan,
} from './renewal-plan.ts';
import type { RenewalSession } from './renewal-schemas.ts';
import type { SessionRequest } from './schemas.ts';
import { beginCheckout, type Cashier, type CheckoutSettings } from './service.ts';
import { listPricesIn, type ReadPrices } from './shown-prices.ts';
import type { Contract } from './stripe.ts';

export const TEST_LICENCE =
  'This is a test licence. It cannot be renewed with a real payment. Buy a live licence.';
export const SUSPENDED_BY_PAYMENT =
  'This licence is suspended because of a payment and cannot be renewed. Ask the vendor.';
/** For a subscription that is cancelled, unpaid or paused. */
export const LIFETIME_AFTER_SUBSCRIPTION =
  'A subscription cannot become a lifetime licence. Once your subscription has ended, you can buy the lifetime licence here.';

export interface Shop {
  platform: Platform;
  settings: CheckoutSettings;
  cashier: Cashier;
}

const toAccountUrl = ({ publicUrl }: CheckoutSettings): string =>
  `${new URL(publicUrl()).origin}/account/`;

/**
 * The licence of a customer.
 * @throws DomainError `licence_not_found`, also for another customer's licence
 */
export async function getOwnLicence({ datastore }: Platform, customer: Customer, id: string) {
  const licence = await findLicenceWithCustomer(datastore.db, id);
  if (!licence || licence.customerId !== customer.id) throw noSuchLicence();
  return licence;
}

/** Why a licence cannot be renewed; undefined if it can. A payment lifts a suspension that payments caused. */
export async function findRenewalError(
  { datastore }: Platform,
  licence: Licence,
  mode: Licence['mode'],
): Promise<DomainError | undefined> {
  if (licence.revokedAt !== null) {
    const message = 'This licence has been revoked and cannot be renewed. You can buy a new one.';
    return new DomainError('forbidden', 'licence_revoked', message);
  }
  const restrictions = await listRestrictions(datastore.db, licence.id);
  if (restrictions.some(({ effect, cause }) => effect === 'suspended' && cause === 'manual')) {
    const message =
      'This licence is suspended and cannot be renewed. Ask the vendor to reinstate it.';
    return new DomainError('forbidden', 'licence_suspended', message);
  }
  if (licence.mode === mode) return undefined;
  const message =
    mode === 'test'
      ? 'This is a live licence. It cannot be renewed in the test checkout.'
      : TEST_LICENCE;
  return new DomainError('conflict', 'wrong_mode', message);
}

/**
 * Why a licence cannot be renewed because of its payments; undefined if it can. The customer of a suspended licence can
 * only pay a subscription of their own.
 * @param isOwn whether the contract is that of the customer
 */
export function findPaymentError(
  { suspendedAt }: Licence,
  contract: Contract | undefined,
  isOwn: boolean,
): DomainError | undefined {
  if (contract?.subscription && !isOwn) {
    const message =
      'A subscription of the former owner still pays for this licence. It can be renewed once that has ended.';
    return new DomainError('conflict', 'other_subscriber', message);
  }
  if (suspendedAt === null || (contract?.subscription && contract.customer)) return undefined;
  return new DomainError('forbidden', 'licence_suspended', SUSPENDED_BY_PAYMENT);
}

/**
 * Creates the page on which a customer renews or changes a licence: a checkout session, or the Billing Portal
 * while a subscription is active. In the portal the existing subscription is changed and the customer sees the
 * prorated cost before agreeing, so nobody ends up with two subscriptions.
 * @throws DomainError `invalid_request`; 403 `licence_revoked`, `licence_suspended`; 404
 *   `licence_not_found`; 409 `renewal_not_needed`, `payment_in_progress`, `other_subscriber`, `wrong_mode`,
 *   `not_possible`; 503 `service_unavailable`
 */
export async function beginRenewal(
  shop: Shop & { readPrices: ReadPrices },
  customer: Customer,
  licenceId: string,
  request: SessionRequest,
  idempotencyKey: string | undefined,
): Promise<RenewalSession> {
  const { platform, settings, cashier } = shop;
  const { db } = platform.datastore;
  const licence = await getOwnLicence(platform, customer, licenceId);
  const purchase = await findLatestPurchase(db, licenceId);
  const obstacle = await findRenewalError(platform, licence, getMode(settings));
  if (obstacle) throw obstacle;

  const contract =
    cashier.provider === 'stripe' && purchase
      ? await cashier.stripe.findContract(purchase.sessionId)
      : undefined;
  const isOwn = purchase?.customerId === customer.id;
  const unpayable = findPaymentError(licence, contract, isOwn);
  if (unpayable) throw unpayable;
  const catalogue = await platform.catalogue.read([licence]);
  const product = getProduct(catalogue, licence.productId);
  const terms = purchase && (await readTerms(db, purchase.id));
  const current = contract?.subscription;
  const now = findCurrentPrice(listKnownPrices(settings.prices, catalogue), product, current);
  const ordered = terms?.interval;
  const isCurrencyOpen = !current && request.currency === undefined;
  const paidIn = isOwn && isCurrencyOpen ? terms?.currency?.toLowerCase() : undefined;
  const currency = current ? now?.currency : (request.currency ?? paidIn);
  const sold = await listPricesIn(currency, shop, product, licence.tier);
  // As the renewal page shows them.
  const prices = preferCurrency(sold, paidIn);
  const plan = toPlan(product, prices, licence, request, { current, now, ordered });
  await assertRoomForSites(platform, product, licence, plan);
  if (contract?.subscription && contract.customer) {
    return changeSubscription(shop, licence, contract, plan);
  }
  const paidNow = cashier.provider === 'test' && purchase?.renews ? ordered : undefined;
  assertUseful(product, licence, plan, paidNow, platform.clock.now());
  // Stripe chooses the currency unless the request or the entry names it.
  const entry = cashier.listPrices(product, licence.tier)[sold.indexOf(plan.price)];
  const price = request.currency === undefined && entry ? entry : plan.price;
  const session = await beginCheckout(
    platform,
    settings,
    cashier,
    product,
    {
      quantity: plan.quantity,
      email: licence.email,
      success_url:
        request.success_url ??
        `${toAccountUrl(settings)}?done=${licence.isTrial ? 'bought' : 'renewed'}`,
      cancel_url: request.cancel_url ?? toRenewalUrl(settings.publicUrl(), licence),
    },
    idempotencyKey,
    price,
    { licence: licenceId, customer: isOwn ? contract?.customer : undefined },
  );
  const { id, url, expiresAt } = session;
  return { kind: 'checkout', id, url, expires_at: toIsoMoment(expiresAt) };
}

async function changeSubscription(
  { settings, cashier }: Shop,
  licence: Licence,
  { customer = '', subscription }: Contract,
  { price, quantity }: Plan,
): Promise<RenewalSession> {
  if (cashier.provider !== 'stripe' || !subscription) throw new Error('no subscription to change');
  const { id, item, state } = subscription;
  const isChangeable = state === 'active';
  if (price.interval === 'once') {
    const message = isChangeable
      ? 'A subscription cannot become a lifetime licence. Cancel it in the Billing Portal; once it has ended, you can buy the lifetime licence here.'
      : LIFETIME_AFTER_SUBSCRIPTION;
    throw new DomainError('conflict', 'not_possible', message);
  }
  const isSame = price.price === subscription.price && quantity === subscription.quantity;
  if (isSame && isChangeable) throw renewsAutomatically();
  const change =
    isChangeable && item !== undefined
      ? { subscription: id, item, price: price.price, quantity }
      : undefined;
  const back = toRenewalUrl(settings.publicUrl(), licence);
  const url = await cashier.stripe.openPortal(customer, back, change);
  return { kind: 'portal', id: null, url, expires_at: null };
}

async function assertRoomForSites(
  { datastore }: Platform,
  product: Product,
  licence: Licence,
  plan: Plan,
): Promise<void> {
  const used = await countSlotsInUse(datastore.db, licence.id);
  const sites = countSites(product, licence, plan);
  if (used <= sites) return;
  const message = `${used} sites use this licence, but your choice covers ${sites}. Deactivate sites first or choose more.`;
  throw new DomainError('invalid', 'invalid_request', message);
}

/**
 * The URL of the Billing Portal, where a customer sees invoices, changes the payment method and cancels.
 * @param licenceId default: the latest purchase with a customer at the payment service
 * @throws DomainError `licence_not_found`, `purchase_not_found`; 503 `service_unavailable`
 */
export async function openPortal(
  { platform, settings, cashier }: Shop,
  customer: Customer,
  licenceId: string | undefined,
): Promise<string> {
  const { db } = platform.datastore;
  if (licenceId !== undefined) await getOwnLicence(platform, customer, licenceId);
  // Invoices show the name and address of the buyer, who may be a former owner of the licence.
  for (const purchase of await listInvoicedPurchases(db, customer.id, licenceId)) {
    if (cashier.provider === 'test') {
      return `${settings.publicUrl()}/checkout/test/portal/${purchase.sessionId}`;
    }
    const contract = await cashier.stripe.findContract(purchase.sessionId);
    if (contract?.customer) {
      return cashier.stripe.openPortal(contract.customer, toAccountUrl(settings));
    }
  }
  const message = 'You have no purchase with invoices or a payment method.';
  throw new DomainError('not_found', 'purchase_not_found', message);
}
