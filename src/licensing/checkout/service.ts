import { randomAlphanumeric } from '../../platform/crypto/random.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { readEmail } from '../../platform/email-address.ts';
import { DomainError } from '../../platform/errors.ts';
import { lockLicence } from '../licences/index.ts';
import { type Catalogue, DEFAULT_PRODUCT, findProduct, type Product } from '../products/index.ts';
import { listPrices, type SaleSettings } from './on-sale.ts';
import { toMetadata } from './orders/metadata.ts';
import {
  type CheckoutOrder,
  ensureOrder,
  listOpenOrders,
  releaseIdempotencyKey,
  saveSession,
  updateOrder,
} from './orders/store.ts';
import { type Price, toOptionalSlug } from './prices.ts';
import { parseRedirect } from './rules.ts';
import type { SessionRequest } from './schemas.ts';
import { connectStripe, type Stripe } from './stripe.ts';

export interface CheckoutSettings extends SaleSettings {
  /** Public URL of the Licence API. */
  publicUrl: () => string;
  /** Origins beside our own that redirect URLs may have. */
  allowedOrigins: () => readonly string[];
  perMinute: number | undefined;
  webhookSecrets: readonly string[];
}

/** The payment provider, and the prices at which it sells a product or renews a licence of a tier. */
export type Cashier = { listPrices: (product: Product, renewed?: string) => readonly Price[] } & (
  | { provider: 'stripe'; stripe: Stripe }
  | { provider: 'test' }
);

/** @throws DomainError `invalid_request` with the slugs that exist */
export function getSoldProduct(catalogue: Catalogue, slug: string = DEFAULT_PRODUCT): Product {
  const product = findProduct(catalogue, slug);
  if (product) return product;
  throw invalid(`product must be one of: ${catalogue.map((each) => each.slug).join(', ')}.`);
}

export function createCashier(settings: CheckoutSettings, { log }: Platform): Cashier | undefined {
  const shared = {
    listPrices: (product: Product, renewed?: string) => listPrices(settings, product, renewed),
  };
  if (settings.stripe)
    return { ...shared, provider: 'stripe', stripe: connectStripe(settings.stripe, log) };
  return settings.hasTestCheckout ? { ...shared, provider: 'test' } : undefined;
}

interface OpenedSession {
  id: string;
  url: string;
  expiresAt: number;
}

/** The licence that a purchase renews. */
interface Renewed {
  /** Its identifier. */
  licence: string;
  /** Stripe's customer identifier, if they have bought before. */
  customer: string | undefined;
}

/**
 * Creates a checkout session. A licence has one open checkout at a time: a new one replaces the previous one, so nobody
 * pays twice.
 * @param price from the price list or a plan
 * @throws DomainError `invalid_request` for a redirect to another origin, an invalid email address, or an idempotency key
 *   with another body; 409 `payment_in_progress` if the licence was just paid; 503 `service_unavailable`
 */
export async function beginCheckout(
  platform: Platform,
  settings: CheckoutSettings,
  cashier: Cashier,
  product: Product,
  request: SessionRequest,
  idempotencyKey: string | undefined,
  price: Price,
  renewed?: Renewed,
): Promise<OpenedSession> {
  const email = request.email === undefined ? undefined : readEmail(request.email);
  if (request.email !== undefined && !email)
    throw invalid('email must be an email address, for example name@example.com.');
  const baseUrl = settings.publicUrl();
  const origins = [new URL(baseUrl).origin, ...settings.allowedOrigins()];
  const successUrl = toRedirect('success_url', request.success_url, origins);
  const cancelUrl = toRedirect('cancel_url', request.cancel_url, origins);

  const { order, others } = await placeOrder(platform, cashier, idempotencyKey, {
    product,
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
      ? toTestSession(order, baseUrl)
      : await cashier.stripe.createSession(order, {
          price,
          metadata: toMetadata(platform.secret, order, price.product),
          trialDays: findTrialDays(product, price, renewed),
          email,
          customer: renewed?.customer,
          successUrl: successUrl ?? `${baseUrl}/checkout/success`,
          cancelUrl: cancelUrl ?? `${baseUrl}/checkout/cancelled`,
        });
  if (await saveSession(platform.datastore.db, order.id, session, platform.clock.now())) {
    return session;
  }
  if (cashier.provider === 'stripe') await cashier.stripe.closeSession(session.id);
  throw inProgress(
    'Another checkout for this licence was started in the meantime. Use that one or start again.',
  );
}

/**
 * Closes the other open checkouts of the licence.
 * @throws DomainError `payment_in_progress` if one of them is already paid
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
    throw inProgress(
      'A payment for this licence is being processed. Check your licence again in a minute.',
    );
  }
}

interface OrderRequest {
  product: Product;
  price: Price;
  quantity: number;
  email: string | undefined;
  successUrl: string | undefined;
  cancelUrl: string | undefined;
  /** Identifier of the licence to renew. */
  licence: string | undefined;
}

/** Saves the order before Stripe is called, so that a repeated request finds it. */
async function placeOrder(
  { datastore, secret, clock }: Platform,
  { provider }: Cashier,
  idempotencyKey: string | undefined,
  { product, price, quantity, email, successUrl, cancelUrl, licence }: OrderRequest,
): Promise<{ order: CheckoutOrder; others: CheckoutOrder[] }> {
  const now = clock.now();
  const { tier, interval, currency } = price;
  const slug = toOptionalSlug(product);
  const hash = (text: string) => secret.hash('checkout', text);
  const requestHash = hash(
    JSON.stringify([
      ...[provider, tier, interval, quantity, email, successUrl, cancelUrl],
      ...(currency === undefined ? [] : [currency]),
      ...(licence === undefined ? [] : [licence]),
      ...(slug === undefined ? [] : [`product ${slug}`]),
    ]),
  );
  const idempotencyHash = idempotencyKey === undefined ? null : hash(idempotencyKey);
  const placed = await datastore.transaction(async (trx) => {
    if (licence !== undefined) await lockLicence(trx, licence);
    if (idempotencyHash) await releaseIdempotencyKey(trx, idempotencyHash, now);
    const order = await ensureOrder(trx, {
      public_id: `ord_${randomAlphanumeric(24)}`,
      idempotency_hash: idempotencyHash,
      request_hash: requestHash,
      provider,
      product_id: product.id,
      tier,
      billing_interval: interval,
      quantity,
      licence: licence ?? null,
      session_id: null,
      url: null,
      // Stripe stores these itself.
      email: (provider === 'test' && email) || null,
      success_url: (provider === 'test' && successUrl) || null,
      cancel_url: (provider === 'test' && cancelUrl) || null,
      created_at: now,
      expires_at: now + DAY_MS,
    });
    if (licence === undefined) return { order, others: [] };
    const others = await listOpenOrders(trx, { licence, except: order.id, now });
    for (const { id, sessionId } of others) {
      // A request that is still creating its session closes it itself, see `saveSession`.
      if (provider === 'test' || sessionId === null)
        await updateOrder(trx, id, { expires_at: now });
    }
    return { order, others };
  });
  if (placed.order.requestHash !== requestHash) {
    throw invalid('This Idempotency-Key was used with another request body. Use a new key.');
  }
  return placed;
}

/** Only a new subscription has a free trial. */
const findTrialDays = ({ plans }: Product, { tier }: Price, renewed: Renewed | undefined) =>
  renewed ? 0 : (plans.find((plan) => plan.tier === tier)?.trialDays ?? 0);

/** Deterministic, so that concurrent requests for the same order return the same session. */
function toTestSession(order: CheckoutOrder, baseUrl: string): OpenedSession {
  const id = `cs_test_${order.publicId.slice('ord_'.length)}`;
  return { id, url: `${baseUrl}/checkout/test/${id}`, expiresAt: order.expiresAt };
}

function toRedirect(
  name: string,
  text: string | undefined,
  origins: readonly string[],
): string | undefined {
  const url = text === undefined ? undefined : parseRedirect(text, origins);
  if (url || text === undefined) return url;
  throw invalid(`${name} must be a URL of an allowed origin: ${[...new Set(origins)].join(', ')}.`);
}

const invalid = (message: string) => new DomainError('invalid', 'invalid_request', message);
const inProgress = (message: string) => new DomainError('conflict', 'payment_in_progress', message);
