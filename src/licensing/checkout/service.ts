import { randomAlphanumeric } from '../../platform/crypto/random.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { readEmail } from '../../platform/email-address.ts';
import { DomainError } from '../../platform/errors.ts';
import { lockLicence, type Tier } from '../licences/index.ts';
import {
  type CheckoutOrder,
  ensureOrder,
  listOpenOrders,
  releaseIdempotencyKey,
  saveSession,
  updateOrder,
} from './orders/store.ts';
import {
  choosePrice,
  EVERYTHING,
  formatPrice,
  type Interval,
  listSold,
  type Price,
} from './prices.ts';
import { redirectTarget } from './rules.ts';
import { connectStripe, type Stripe } from './stripe.ts';

export interface CheckoutSettings {
  /** The public address of the Licence API. */
  publicUrl: () => string;
  /** Origins beside our own that a buyer may be sent to afterwards. */
  allowedOrigins: () => readonly string[];
  perMinute: number | undefined;
  stripe: { secretKey: string; apiUrl: string | undefined } | undefined;
  webhookSecrets: readonly string[];
  /** Those that are sold and former ones, which subscriptions may still be on. */
  prices: readonly Price[];
  /** Whether the built-in test checkout stands in where there is no Stripe. */
  hasTestCheckout: boolean;
}

/** What can be bought: nothing where nobody takes the payment. */
export const listOffers = ({
  stripe,
  prices,
  hasTestCheckout,
}: Pick<CheckoutSettings, 'stripe' | 'prices' | 'hasTestCheckout'>): readonly Price[] => {
  if (stripe) return listSold(prices);
  return hasTestCheckout ? EVERYTHING : [];
};

/** Where purchases are paid; undefined where nothing can be bought. */
export type Cashier =
  | { provider: 'stripe'; stripe: Stripe; prices: readonly Price[] }
  | { provider: 'test'; prices: readonly Price[] };

export function createCashier(settings: CheckoutSettings, { log }: Platform): Cashier | undefined {
  if (settings.stripe) {
    const stripe = connectStripe(settings.stripe, log);
    return { provider: 'stripe', stripe, prices: listSold(settings.prices) };
  }
  return settings.hasTestCheckout ? { provider: 'test', prices: EVERYTHING } : undefined;
}

export interface SessionRequest {
  tier?: Tier;
  interval?: Interval;
  /** Lower-case ISO 4217. */
  currency?: string;
  quantity?: number;
  email?: string;
  success_url?: string;
  cancel_url?: string;
}

export interface CheckoutSessionAnswer {
  id: string;
  url: string;
  expiresAt: number;
}

/** The licence that a purchase renews. */
export interface Renewed {
  /** Its identifier. */
  licence: string;
  /** The payment service's id of its customer, where they have bought before. */
  customer: string | undefined;
}

/**
 * Begins a purchase. What it costs is for us to say: the request names a tier, an interval and a currency.
 * A licence has one purchase that can be paid at a time: another one takes its place, so nobody pays twice.
 * @throws DomainError `invalid_request` for what is not sold, a foreign redirect, an address that is
 *   none, and a used idempotency key with another body; 409 `payment_in_progress` where the licence was just paid for; 503
 *   `service_unavailable`
 */
export async function beginCheckout(
  platform: Platform,
  settings: CheckoutSettings,
  cashier: Cashier,
  request: SessionRequest,
  idempotencyKey: string | undefined,
  renewed?: Renewed,
): Promise<CheckoutSessionAnswer> {
  const price = getPrice(cashier.prices, request);
  const email = request.email === undefined ? undefined : readEmail(request.email);
  if (request.email !== undefined && !email)
    throw invalid('email must be an email address, for example name@example.com.');
  const own = settings.publicUrl();
  const origins = [new URL(own).origin, ...settings.allowedOrigins()];
  const successUrl = redirect('success_url', request.success_url, origins);
  const cancelUrl = redirect('cancel_url', request.cancel_url, origins);

  const { order, others } = await placeOrder(platform, cashier, idempotencyKey, {
    price,
    quantity: request.quantity ?? 1,
    email,
    successUrl,
    cancelUrl,
    licence: renewed?.licence,
  });
  if (order.sessionId && order.url) {
    return { id: order.sessionId, url: order.url, expiresAt: order.expiresAt };
  }
  await closeOthers(platform, cashier, order, others);
  const session =
    cashier.provider === 'test'
      ? testSession(order, own)
      : await cashier.stripe.createSession(order, {
          price,
          email,
          customer: renewed?.customer,
          successUrl: successUrl ?? `${own}/checkout/success`,
          cancelUrl: cancelUrl ?? `${own}/checkout/cancelled`,
        });
  const { id, url, expiresAt } = session;
  const kept = { id: order.id, sessionId: id, url, expiresAt, now: platform.clock.now() };
  if (await saveSession(platform.datastore.db, kept)) return session;
  if (cashier.provider === 'stripe') await cashier.stripe.closeSession(id);
  throw new DomainError(
    'conflict',
    'payment_in_progress',
    'Another checkout for this licence was started in the meantime. Use that one or start again.',
  );
}

/**
 * Sees that the other purchases of the same licence cannot be paid any more.
 * @throws DomainError `payment_in_progress` if one was paid already
 */
async function closeOthers(
  { datastore, clock }: Platform,
  cashier: Cashier,
  order: CheckoutOrder,
  others: readonly CheckoutOrder[],
): Promise<void> {
  if (cashier.provider === 'test') return;
  for (const { id, sessionId } of others) {
    if (sessionId === null) continue;
    if (await cashier.stripe.closeSession(sessionId)) {
      await updateOrder(datastore.db, id, { expires_at: clock.now() });
      continue;
    }
    await updateOrder(datastore.db, order.id, { expires_at: order.createdAt });
    throw new DomainError(
      'conflict',
      'payment_in_progress',
      'A payment for this licence is being processed. Check your licence again in a minute.',
    );
  }
}

interface Wanted {
  price: Price;
  quantity: number;
  email: string | undefined;
  successUrl: string | undefined;
  cancelUrl: string | undefined;
  /** Identifier of the licence that is renewed. */
  licence: string | undefined;
}

/** Writes the order down before anybody is asked, so that the same request finds it again. */
async function placeOrder(
  { datastore, secret, clock }: Platform,
  { provider }: Cashier,
  idempotencyKey: string | undefined,
  { price, quantity, email, successUrl, cancelUrl, licence }: Wanted,
): Promise<{ order: CheckoutOrder; others: CheckoutOrder[] }> {
  const now = clock.now();
  const { tier, interval, currency } = price;
  const wanted = [provider, tier, interval, quantity, email, successUrl, cancelUrl];
  const more = [
    ...(currency === undefined ? [] : [currency]),
    ...(licence === undefined ? [] : [licence]),
  ];
  const body = JSON.stringify([...wanted, ...more]);
  const hash = (text: string) => secret.hash('checkout', text);
  const requestHash = hash(body);
  const placed = await datastore.transaction(async (trx) => {
    if (licence !== undefined) await lockLicence(trx, licence);
    const idempotencyHash = idempotencyKey === undefined ? null : hash(idempotencyKey);
    if (idempotencyHash) await releaseIdempotencyKey(trx, idempotencyHash, now - DAY_MS);
    const order = await ensureOrder(trx, {
      public_id: `ord_${randomAlphanumeric(24)}`,
      idempotency_hash: idempotencyHash,
      request_hash: requestHash,
      provider,
      tier,
      billing_interval: interval,
      quantity,
      licence: licence ?? null,
      session_id: null,
      url: null,
      // With Stripe these are Stripe's to keep.
      ...(provider === 'test'
        ? { email: email ?? null, success_url: successUrl ?? null, cancel_url: cancelUrl ?? null }
        : { email: null, success_url: null, cancel_url: null }),
      created_at: now,
      expires_at: now + DAY_MS,
    });
    if (licence === undefined) return { order, others: [] };
    const others = await listOpenOrders(trx, { licence, but: order.id, now });
    for (const { id, sessionId } of others) {
      // Whose session is still being made closes it itself, see `keepSession`.
      if (provider === 'test' || sessionId === null)
        await updateOrder(trx, id, { expires_at: now });
    }
    return { order, others };
  });
  const { order } = placed;
  if (order.requestHash !== requestHash) {
    throw invalid('This Idempotency-Key was used with another request body. Use a new key.');
  }
  return placed;
}

/** Both at once make the same. */
function testSession(order: CheckoutOrder, own: string): CheckoutSessionAnswer {
  const id = `cs_test_${order.publicId.slice('ord_'.length)}`;
  return { id, url: `${own}/checkout/test/${id}`, expiresAt: order.expiresAt };
}

function getPrice(prices: readonly Price[], wanted: SessionRequest): Price {
  const price = choosePrice(prices, wanted);
  if (price) return price;
  const sold = prices.map(formatPrice).join(', ');
  throw invalid(`This is not for sale. Available: ${sold}.`);
}

function redirect(
  name: string,
  text: string | undefined,
  origins: readonly string[],
): string | undefined {
  if (text === undefined) return undefined;
  const target = redirectTarget(text, origins);
  if (target) return target;
  throw invalid(`${name} must be a URL of an allowed origin: ${[...new Set(origins)].join(', ')}.`);
}

const invalid = (message: string) => new DomainError('invalid', 'invalid_request', message);
