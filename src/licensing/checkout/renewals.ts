import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { listInUse, noSuchLicence } from '../activations/index.ts';
import type { Customer } from '../customers/index.ts';
import {
  findLicenceWithCustomer,
  getLicenceStatus,
  getTierSites,
  type Licence,
  listRestrictions,
  NEVER,
  toRenewalUrl,
} from '../licences/index.ts';
import { choosePrice, formatPrice, type Price } from './prices.ts';
import {
  findLatestPurchase,
  findLatestPurchaseByCustomer,
  findOrderedInterval,
  type Purchase,
} from './purchases/store.ts';
import {
  beginCheckout,
  type Cashier,
  type CheckoutSettings,
  type SessionRequest,
} from './service.ts';
import { withTimeout } from './shown-prices.ts';
import type { Contract } from './stripe.ts';

/** The most packages that a checkout sells at once. */
export const MAX_QUANTITY = 100;

/** Where a customer goes to renew or change a licence. */
export interface RenewalAnswer {
  kind: 'checkout' | 'portal';
  /** Of the session; null for a page of the Billing Portal. */
  id: string | null;
  url: string;
  expiresAt: number | null;
}

interface Shop {
  platform: Platform;
  settings: CheckoutSettings;
  cashier: Cashier;
}

/** What is to be paid from now on. */
interface Plan {
  price: Price;
  quantity: number;
}

const accountUrl = ({ publicUrl }: CheckoutSettings): string =>
  `${new URL(publicUrl()).origin}/account/`;

/**
 * The licence of a customer.
 * @throws DomainError `licence_not_found`, for somebody else's licence as for none
 */
export async function findOwnLicence({ datastore }: Platform, customer: Customer, id: string) {
  const licence = await findLicenceWithCustomer(datastore.db, id);
  if (!licence || licence.customerId !== customer.id) throw noSuchLicence();
  return licence;
}

/**
 * Why nothing can be paid for a licence; undefined if it can. What payments have suspended is renewed
 * by paying.
 */
export async function findRenewalError(
  { datastore }: Platform,
  licence: Licence,
  mode: Licence['mode'],
): Promise<DomainError | undefined> {
  if (licence.revokedAt !== null) {
    return new DomainError(
      'forbidden',
      'licence_revoked',
      'This licence has been revoked and cannot be renewed. You can buy a new one.',
    );
  }
  const restrictions = await listRestrictions(datastore.db, licence.id);
  if (restrictions.some(({ effect, cause }) => effect === 'suspended' && cause === 'manual')) {
    return new DomainError(
      'forbidden',
      'licence_suspended',
      'This licence is suspended and cannot be renewed. Ask the vendor to reinstate it.',
    );
  }
  if (licence.mode === mode) return undefined;
  return conflict(
    'wrong_mode',
    mode === 'test'
      ? 'This is a live licence. It cannot be renewed in the test checkout.'
      : 'This is a test licence. It cannot be renewed with a real payment. Buy a live licence.',
  );
}

/** Whether what is paid here is real money. */
export const getMode = ({ stripe }: Pick<CheckoutSettings, 'stripe'>): Licence['mode'] =>
  stripe?.secretKey.includes('_live_') ? 'live' : 'test';

/**
 * Leads a customer to where a licence of theirs is renewed, or changed to another tier, interval or number
 * of sites: to a checkout whose payment goes to this licence or, while a subscription goes on, to the
 * Billing Portal. There the one subscription is changed: Stripe shows what the change costs, prorated,
 * before the customer agrees, and nobody ends with two subscriptions.
 * @throws DomainError `invalid_request`; 403 `licence_revoked`, `licence_suspended`; 404
 *   `licence_not_found`; 409 `renewal_not_needed`, `payment_in_progress`, `other_subscriber`, `wrong_mode`;
 *   503 `service_unavailable`
 */
export async function beginRenewal(
  shop: Shop,
  customer: Customer,
  licenceId: string,
  request: SessionRequest,
  idempotencyKey: string | undefined,
): Promise<RenewalAnswer> {
  const { platform, settings, cashier } = shop;
  const licence = await findOwnLicence(platform, customer, licenceId);
  const purchase = await findLatestPurchase(platform.datastore.db, licenceId);
  const obstacle = await findRenewalError(platform, licence, getMode(settings));
  if (obstacle) throw obstacle;

  const contract =
    cashier.provider === 'stripe' && purchase
      ? await cashier.stripe.findContract(purchase.sessionId)
      : undefined;
  if (contract?.subscription && purchase?.customerId !== customer.id) {
    throw conflict(
      'other_subscriber',
      'A subscription of the former owner still pays for this licence. It can be renewed once that has ended.',
    );
  }
  const plan = toPlan(cashier.prices, licence, request, contract?.subscription);
  await assertRoomForSites(platform, licence, plan);
  if (contract?.subscription && contract.customer) {
    return changeSubscription(shop, licence, contract, plan);
  }
  if (licence.suspendedAt !== null) {
    throw new DomainError(
      'forbidden',
      'licence_suspended',
      'This licence is suspended because of a payment and cannot be renewed. Ask the vendor.',
    );
  }
  const paidNow =
    cashier.provider === 'test' && purchase?.renews
      ? await findOrderedInterval(platform.datastore.db, purchase)
      : undefined;
  assertNeeded(licence, plan, { paidNow, now: platform.clock.now() });
  const page = accountUrl(settings);
  const isOwn = purchase?.customerId === customer.id;
  const session = await beginCheckout(
    platform,
    settings,
    cashier,
    {
      tier: plan.price.tier,
      interval: plan.price.interval,
      ...(plan.price.currency && { currency: plan.price.currency }),
      quantity: plan.quantity,
      email: licence.email,
      success_url: request.success_url ?? `${page}?done=renewed`,
      cancel_url: request.cancel_url ?? toRenewalUrl(settings.publicUrl(), licence),
    },
    idempotencyKey,
    { licence: licenceId, customer: isOwn ? contract?.customer : undefined },
  );
  return { kind: 'checkout', ...session };
}

async function changeSubscription(
  { settings, cashier }: Shop,
  licence: Licence,
  { customer = '', subscription }: Contract,
  { price, quantity }: Plan,
): Promise<RenewalAnswer> {
  if (cashier.provider !== 'stripe' || !subscription) throw new Error('no subscription to change');
  const { id, item, isChangeable } = subscription;
  const isSame = price.price === subscription.price && quantity === subscription.quantity;
  if (isSame && isChangeable) throw renewsByItself();
  const change =
    isChangeable && item !== undefined
      ? { subscription: id, item, price: price.price, quantity }
      : undefined;
  const back = toRenewalUrl(settings.publicUrl(), licence);
  const url = await cashier.stripe.openPortal(customer, back, change);
  return { kind: 'portal', id: null, url, expiresAt: null };
}

/** What a request comes to: what it does not name stays as it is. */
function toPlan(
  prices: readonly Price[],
  licence: Licence,
  request: SessionRequest,
  current: Contract['subscription'],
): Plan {
  const now = prices.find(({ price }) => price !== '' && price === current?.price);
  const tier = request.tier ?? now?.tier ?? licence.tier;
  const kept = now?.tier === tier ? now.interval : undefined;
  const price = choosePrice(prices, {
    tier,
    interval: request.interval ?? kept,
    currency: current ? now?.currency : request.currency,
  });
  if (!price) {
    const sold = prices.map(formatPrice).join(', ');
    throw invalid(`This is not for sale. Available: ${sold}.`);
  }
  const isSameTier = tier === licence.tier;
  const quantity =
    request.quantity ??
    (now && isSameTier ? current?.quantity : undefined) ??
    (isSameTier ? quantityFor(licence) : 1);
  // The current price itself, which may be a former one.
  const isCurrent = now && now.tier === price.tier && now.interval === price.interval;
  return { price: isCurrent ? now : price, quantity };
}

/** How many packages of its tier hold the sites of a licence. */
const quantityFor = ({ tier, sitesAllowed }: Licence): number =>
  Math.min(MAX_QUANTITY, Math.max(1, Math.ceil(sitesAllowed / getTierSites(tier))));

/** What somebody pays for a licence now, as far as that can be told in the time that a page waits. */
export async function findCurrentPlan(
  { platform, cashier }: Pick<Shop, 'platform'> & { cashier: Cashier | undefined },
  licence: Licence,
  purchase: Purchase | undefined,
): Promise<{ renews: boolean; interval: Price['interval'] | null; quantity: number }> {
  const quantity = quantityFor(licence);
  if (!purchase) return { renews: false, interval: null, quantity };
  const ordered = await findOrderedInterval(platform.datastore.db, purchase);
  const isExpired = getLicenceStatus(licence, platform.clock.now()) === 'expired';
  const known = { renews: purchase.renews && !isExpired, interval: ordered ?? null, quantity };
  if (cashier?.provider !== 'stripe' || !purchase.renews) return known;
  const contract = cashier.stripe.findContract(purchase.sessionId).catch(() => undefined);
  const subscription = (await withTimeout(contract))?.subscription;
  const price = cashier.prices.find((each) => each.price === subscription?.price);
  if (!subscription || !price) return known;
  return { renews: known.renews, interval: price.interval, quantity: subscription.quantity };
}

async function assertRoomForSites(
  { datastore }: Platform,
  { id }: Licence,
  { price, quantity }: Plan,
): Promise<void> {
  const inUse = await listInUse(datastore.db, id);
  const used = inUse.filter(({ takesSlot }) => takesSlot).length;
  const sites = quantity * getTierSites(price.tier);
  if (used <= sites) return;
  throw invalid(
    `${used} sites use this licence, but your choice covers ${sites}. Deactivate sites first or choose more.`,
  );
}

/** @throws DomainError `renewal_not_needed` where paying again would bring nothing */
function assertNeeded(
  licence: Licence,
  { price, quantity }: Plan,
  about: {
    /** How often what goes on is paid; undefined where nothing goes on. */
    paidNow: Price['interval'] | undefined;
    now: number;
  },
): void {
  const isSame =
    price.tier === licence.tier && quantity * getTierSites(price.tier) <= licence.sitesAllowed;
  if (licence.expiresAt === NEVER && (isSame || price.interval !== 'once')) {
    throw conflict(
      'renewal_not_needed',
      'This is a lifetime licence and needs no renewal. To change it, choose another tier or more sites, paid once.',
    );
  }
  const isExpired = getLicenceStatus(licence, about.now) === 'expired';
  if (isSame && !isExpired && price.interval === about.paidNow) throw renewsByItself();
}

/**
 * The address at which a customer sees invoices, changes the card and cancels.
 * @param licenceId of the licence whose purchase it is about; the latest purchase if not said
 * @throws DomainError `licence_not_found`, `purchase_not_found`; 503 `service_unavailable`
 */
export async function openPortal(
  { platform, settings, cashier }: Shop,
  customer: Customer,
  licenceId: string | undefined,
): Promise<string> {
  const { db } = platform.datastore;
  if (licenceId !== undefined) await findOwnLicence(platform, customer, licenceId);
  const purchase =
    licenceId === undefined
      ? await findLatestPurchaseByCustomer(db, customer.id)
      : await findLatestPurchase(db, licenceId);
  // Invoices hold the name and address of who paid, which may be a former owner of the licence.
  if (!purchase || purchase.customerId !== customer.id) throw noPurchase();
  if (cashier.provider === 'test') {
    return `${settings.publicUrl()}/checkout/test/portal/${purchase.sessionId}`;
  }
  const contract = await cashier.stripe.findContract(purchase.sessionId);
  if (!contract?.customer) throw noPurchase();
  return cashier.stripe.openPortal(contract.customer, accountUrl(settings));
}

const noPurchase = () =>
  new DomainError(
    'not_found',
    'purchase_not_found',
    'You have no purchase with invoices or a payment method.',
  );

const renewsByItself = () =>
  conflict(
    'renewal_not_needed',
    'This licence renews automatically. To change it, choose another tier, interval or number of sites.',
  );

const conflict = (code: string, message: string) => new DomainError('conflict', code, message);
const invalid = (message: string) => new DomainError('invalid', 'invalid_request', message);
