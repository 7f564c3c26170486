import type { Stripe as StripeClient } from 'stripe';
import { DomainError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { CheckoutOrder } from './orders/store.ts';
import type { Price } from './prices.ts';

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
    how: {
      price: Price;
      email: string | undefined;
      /** Its id of a customer who has bought before. */
      customer: string | undefined;
      successUrl: string;
      cancelUrl: string;
    },
  ): Promise<{ id: string; url: string; expiresAt: number }>;
  /** Ends a session, so that nobody can pay it any more. @returns false if it was paid already */
  closeSession(session: string): Promise<boolean>;
  /** Who paid in a session and what became of its subscription; undefined for a session of elsewhere. */
  findContract(session: string): Promise<Contract | undefined>;
  /** @returns the address of a page of the Billing Portal. @throws DomainError also where the portal is not set up */
  openPortal(customer: string, returnUrl: string, change?: SubscriptionChange): Promise<string>;
  /** What a price is; undefined if there is none of this id. */
  findPrice(price: Price): Promise<PriceDetails | undefined>;
  /** The invoices that a payment was for: events about payments do not name them. */
  invoicesPaidBy(paymentIntent: string): Promise<string[]>;
}

/** What somebody has at Stripe since they paid in a session. */
export interface Contract {
  /** Undefined where the customer was deleted there. */
  customer: string | undefined;
  /** Undefined where nothing is collected any more: paid once, or cancelled. */
  subscription:
    | {
        id: string;
        /** Undefined where it has several items, which nobody but the vendor can make of it. */
        item: string | undefined;
        price: string | undefined;
        quantity: number;
        /** Whether it goes on and is paid, so that it can be changed. */
        isChangeable: boolean;
      }
    | undefined;
}

interface SubscriptionChange {
  subscription: string;
  item: string;
  price: string;
  quantity: number;
}

/** A price as buyers are shown it. */
export interface PriceDetails {
  /** In the smallest unit that Stripe counts the currency in; null where it depends on the quantity. */
  amount: number | null;
  /** ISO 4217, in upper case. */
  currency: string;
  taxBehaviour: 'inclusive' | 'exclusive' | 'unspecified';
}

/** States of a subscription from which nothing comes any more. */
const ENDED = ['canceled', 'incomplete_expired'];

export function connectStripe({ secretKey, apiUrl }: StripeSettings, log: Logger): Stripe {
  // Loaded when somebody buys: it is large, and most processes never need it.
  let opened: Promise<StripeClient> | undefined;
  const client = () => {
    opened ??= openStripe({ secretKey, apiUrl });
    return opened;
  };

  /** @param expected what to make of an answer that is no fault, by its status */
  async function ask<T>(
    question: (stripe: StripeClient) => Promise<T>,
    expected: Partial<Record<number, () => T>> = {},
  ): Promise<T> {
    try {
      return await question(await client());
    } catch (error) {
      const { type, code, statusCode } = error as Record<string, unknown>;
      const answer = typeof statusCode === 'number' ? expected[statusCode] : undefined;
      if (answer) return answer();
      log.warn({ type, code, status: statusCode }, 'the payment service refused or did not answer');
      throw new DomainError(
        'unavailable',
        'service_unavailable',
        'The payment service cannot be reached. Try again in a moment.',
      );
    }
  }

  return {
    createSession: (order, { price, email, customer, successUrl, cancelUrl }) =>
      ask(async (stripe) => {
        const metadata = {
          tier: order.tier,
          interval: order.interval,
          quantity: String(order.quantity),
          order: order.publicId,
          ...(order.licence !== null && { licence: order.licence }),
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
            ...(customer !== undefined
              ? { customer }
              : email !== undefined && { customer_email: email }),
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
    closeSession: (session) =>
      ask(
        async (stripe) => {
          await stripe.checkout.sessions.expire(session);
          return true;
        },
        // What is not open cannot be closed: it was paid, or has run out.
        {
          400: () => false,
        },
      ).then(async (isClosed) => {
        if (isClosed) return true;
        const { status } = await ask((stripe) => stripe.checkout.sessions.retrieve(session));
        return status === 'expired';
      }),
    findContract: (session) =>
      ask<Contract | undefined>(
        async (stripe) => {
          const expand = ['customer', 'subscription'];
          const found = await stripe.checkout.sessions.retrieve(session, { expand });
          return toContract(found);
        },
        { 404: () => undefined },
      ),
    openPortal: (customer, returnUrl, change) =>
      ask(
        async (stripe) => {
          const { url } = await stripe.billingPortal.sessions.create({
            customer,
            return_url: returnUrl,
            ...(change && { flow_data: toFlow(change, returnUrl) }),
          });
          return url;
        },
        { 400: refusePortal, 404: refusePortal },
      ),
    findPrice: (price) =>
      ask<PriceDetails | undefined>(
        async (stripe) => {
          const other = price.currency;
          const expand = other === undefined ? [] : ['currency_options'];
          const found = await stripe.prices.retrieve(price.price, { expand });
          const isOther = other !== undefined && other !== found.currency;
          const { unit_amount: amount } = isOther ? (found.currency_options?.[other] ?? {}) : found;
          return {
            amount: amount ?? null,
            currency: (other ?? found.currency).toUpperCase(),
            taxBehaviour:
              (['inclusive', 'exclusive'] as const).find((each) => each === found.tax_behavior) ??
              'unspecified',
          };
        },
        { 404: () => undefined },
      ),
    invoicesPaidBy: (paymentIntent) =>
      ask(async (stripe) => {
        const { data } = await stripe.invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent: paymentIntent },
        });
        return data.map(({ invoice }) => (typeof invoice === 'string' ? invoice : invoice.id));
      }),
  };
}

function toContract({ customer, subscription }: StripeClient.Checkout.Session): Contract {
  const isKnown = typeof customer === 'object' && customer !== null && !customer.deleted;
  const goesOn =
    typeof subscription === 'object' &&
    subscription !== null &&
    !ENDED.includes(subscription.status);
  if (!goesOn) {
    return { customer: isKnown ? customer.id : undefined, subscription: undefined };
  }
  const { id, items, status, cancel_at_period_end: isCancelled, cancel_at: endsAt } = subscription;
  const [item, another] = items.data;
  return {
    customer: isKnown ? customer.id : undefined,
    subscription: {
      id,
      item: another ? undefined : item?.id,
      price: item?.price.id,
      quantity: item?.quantity ?? 1,
      isChangeable: ['active', 'trialing'].includes(status) && !isCancelled && !endsAt,
    },
  };
}

/** Straight to the page that says what a change costs now, and back once it is made. */
const toFlow = (
  { subscription, item, price, quantity }: SubscriptionChange,
  returnUrl: string,
): StripeClient.BillingPortal.SessionCreateParams.FlowData => ({
  type: 'subscription_update_confirm',
  subscription_update_confirm: { subscription, items: [{ id: item, price, quantity }] },
  after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
});

function refusePortal(): never {
  throw new DomainError(
    'unavailable',
    'service_unavailable',
    'The Billing Portal is not set up for this. Ask the vendor to change your subscription.',
  );
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
