import type { Stripe as StripeClient } from 'stripe';
import { ApiError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Price } from './prices.ts';
import type { CheckoutOrder } from './store.ts';

const TIMEOUT_MS = 10_000;

export interface StripeSettings {
  secretKey: string;
  /** Another address of Stripe's API, as of a stand-in for tests. */
  apiUrl: string | undefined;
}

/** What we ask of Stripe. Each refuses with 503 `service_unavailable` if Stripe fails or keeps silent. */
export interface Stripe {
  createSession(
    order: CheckoutOrder,
    how: { price: Price; email: string | undefined; successUrl: string; cancelUrl: string },
  ): Promise<{ id: string; url: string; expiresAt: number }>;
  /** The invoices that a payment was for: events about payments do not name them. */
  invoicesPaidBy(paymentIntent: string): Promise<string[]>;
}

export function connectStripe({ secretKey, apiUrl }: StripeSettings, log: Logger): Stripe {
  // Loaded when somebody buys: it is large, and most processes never need it.
  let opened: Promise<StripeClient> | undefined;
  const client = () => {
    opened ??= openStripe({ secretKey, apiUrl });
    return opened;
  };

  async function ask<T>(question: (stripe: StripeClient) => Promise<T>): Promise<T> {
    try {
      return await question(await client());
    } catch (error) {
      const { type, code, statusCode } = error as Record<string, unknown>;
      log.warn({ type, code, status: statusCode }, 'the payment service refused or did not answer');
      throw new ApiError(
        503,
        'service_unavailable',
        'The payment service cannot be reached. Try again in a moment.',
      );
    }
  }

  return {
    createSession: (order, { price, email, successUrl, cancelUrl }) =>
      ask(async (stripe) => {
        const metadata = {
          tier: order.tier,
          interval: order.interval,
          quantity: String(order.quantity),
          order: order.publicId,
        };
        const recurring = { mode: 'subscription', subscription_data: { metadata } } as const;
        const once = { mode: 'payment', payment_intent_data: { metadata } } as const;
        const session = await stripe.checkout.sessions.create(
          {
            ...(order.interval === 'once' ? once : recurring),
            line_items: [{ price: price.price, quantity: order.quantity }],
            // One price of Stripe's can be for several currencies.
            ...(price.currency && { currency: price.currency }),
            success_url: successUrl,
            cancel_url: cancelUrl,
            ...(email !== undefined && { customer_email: email }),
            client_reference_id: order.publicId,
            metadata,
            allow_promotion_codes: true,
          },
          // Asked again after a failure or a crash, Stripe answers with the same session.
          { idempotencyKey: `pavis-${order.publicId}` },
        );
        if (!session.url) throw new Error('a session without an address');
        return { id: session.id, url: session.url, expiresAt: session.expires_at * 1_000 };
      }),
    invoicesPaidBy: (paymentIntent) =>
      ask(async (stripe) => {
        const { data } = await stripe.invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent: paymentIntent },
        });
        return data.map(({ invoice }) => (typeof invoice === 'string' ? invoice : invoice.id));
      }),
  };
}

/** Stripe's own library, set up for us. */
export async function openStripe({ secretKey, apiUrl }: StripeSettings): Promise<StripeClient> {
  const { Stripe: Client } = await import('stripe');
  const url = apiUrl === undefined ? undefined : new URL(apiUrl);
  const protocol = url?.protocol === 'http:' ? 'http' : 'https';
  return new Client(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (protocol === 'http' ? 80 : 443),
      protocol,
    }),
  });
}
