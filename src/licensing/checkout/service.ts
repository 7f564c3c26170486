import { randomAlphanumeric } from '../../platform/auth/random.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Tier } from '../licences/index.ts';
import {
  choosePrice,
  EVERYTHING,
  formatPrice,
  type Interval,
  listSold,
  type Price,
} from './prices.ts';
import { redirectTarget } from './rules.ts';
import { type CheckoutOrder, ensureOrder, releaseIdempotencyKey, updateOrder } from './store.ts';
import { connectStripe, type Stripe } from './stripe.ts';

const DAY_MS = 86_400_000;

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
export const soldBy = ({
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

export function cashierOf(settings: CheckoutSettings, { log }: Platform): Cashier | undefined {
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

/**
 * Begins a purchase. What it costs is for us to say: the request names a tier, an interval and a currency.
 * @throws ApiError 400 `invalid_request` for what is not sold, a foreign redirect, an address that is
 *   none, and a used idempotency key with another body; 503 `service_unavailable`
 */
export async function beginCheckout(
  platform: Platform,
  settings: CheckoutSettings,
  cashier: Cashier,
  request: SessionRequest,
  idempotencyKey: string | undefined,
): Promise<CheckoutSessionAnswer> {
  const price = priceOf(cashier.prices, request);
  const email = request.email === undefined ? undefined : readEmail(request.email);
  if (request.email !== undefined && !email) throw invalid('email is not an e-mail address.');
  const own = settings.publicUrl();
  const origins = [new URL(own).origin, ...settings.allowedOrigins()];
  const successUrl = redirect('success_url', request.success_url, origins);
  const cancelUrl = redirect('cancel_url', request.cancel_url, origins);

  const order = await placeOrder(platform, cashier, idempotencyKey, {
    price,
    quantity: request.quantity ?? 1,
    email,
    successUrl,
    cancelUrl,
  });
  if (order.sessionId && order.url) {
    return { id: order.sessionId, url: order.url, expiresAt: order.expiresAt };
  }
  const session =
    cashier.provider === 'test'
      ? testSession(order, own)
      : await cashier.stripe.createSession(order, {
          price,
          email,
          successUrl: successUrl ?? `${own}/checkout/success`,
          cancelUrl: cancelUrl ?? `${own}/checkout/cancelled`,
        });
  const { id, url, expiresAt } = session;
  const known = { session_id: id, url, expires_at: expiresAt };
  await updateOrder(platform.datastore.db, order.id, known);
  return session;
}

interface Wanted {
  price: Price;
  quantity: number;
  email: string | undefined;
  successUrl: string | undefined;
  cancelUrl: string | undefined;
}

/** Writes the order down before anybody is asked, so that the same request finds it again. */
async function placeOrder(
  { datastore, secret, clock }: Platform,
  { provider }: Cashier,
  idempotencyKey: string | undefined,
  { price, quantity, email, successUrl, cancelUrl }: Wanted,
): Promise<CheckoutOrder> {
  const now = clock.now();
  const { tier, interval, currency } = price;
  const wanted = [provider, tier, interval, quantity, email, successUrl, cancelUrl];
  const body = JSON.stringify(currency === undefined ? wanted : [...wanted, currency]);
  const hash = (text: string) => secret.hash('checkout', text);
  const requestHash = hash(body);
  const order = await datastore.transaction(async (trx) => {
    const idempotencyHash = idempotencyKey === undefined ? null : hash(idempotencyKey);
    if (idempotencyHash) await releaseIdempotencyKey(trx, idempotencyHash, now - DAY_MS);
    return ensureOrder(trx, {
      public_id: `ord_${randomAlphanumeric(24)}`,
      idempotency_hash: idempotencyHash,
      request_hash: requestHash,
      provider,
      tier,
      billing_interval: interval,
      quantity,
      session_id: null,
      url: null,
      // With Stripe these are Stripe's to keep.
      ...(provider === 'test'
        ? { email: email ?? null, success_url: successUrl ?? null, cancel_url: cancelUrl ?? null }
        : { email: null, success_url: null, cancel_url: null }),
      created_at: now,
      expires_at: now + DAY_MS,
    });
  });
  if (order.requestHash !== requestHash) {
    throw invalid('This Idempotency-Key was used with another body: use a new one.');
  }
  return order;
}

/** Both at once make the same. */
function testSession(order: CheckoutOrder, own: string): CheckoutSessionAnswer {
  const id = `cs_test_${order.publicId.slice('ord_'.length)}`;
  return { id, url: `${own}/checkout/test/${id}`, expiresAt: order.expiresAt };
}

function priceOf(prices: readonly Price[], wanted: SessionRequest): Price {
  const price = choosePrice(prices, wanted);
  if (price) return price;
  const sold = prices.map(formatPrice).join(', ');
  throw invalid(`That is not sold. There is ${sold}.`);
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

const invalid = (message: string) => new ApiError(400, 'invalid_request', message);
