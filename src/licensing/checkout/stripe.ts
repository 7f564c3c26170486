import type { Stripe as StripeClient } from 'stripe';
import type { Logger } from '../../platform/log.ts';
import { ENDED_STATUSES } from './facts.ts';
import type { CheckoutOrder } from './orders/store.ts';
import type { Price } from './prices.ts';
import type { ShownPrice } from './schemas.ts';
import { createStripeCaller, NO_PORTAL, type StripeSettings } from './stripe-client.ts';

/** Requests to Stripe. Each throws a DomainError `service_unavailable` if Stripe fails or does not answer. */
export interface Stripe {
  createSession(
    order: CheckoutOrder,
    how: {
      price: Price;
      /** What was ordered, with a proof. */
      metadata: Record<string, string>;
      trialDays: number;
      email: string | undefined;
      /** Stripe's customer identifier, if they have bought before. */
      customer: string | undefined;
      successUrl: string;
      cancelUrl: string;
    },
  ): Promise<{ id: string; url: string; expiresAt: number }>;
  /** Expires a session, so that it can no longer be paid. @returns false if it is already paid */
  closeSession(session: string): Promise<boolean>;
  /** The customer and subscription of a session; undefined if Stripe does not know the session. */
  findContract(session: string): Promise<Contract | undefined>;
  /** Undefined if Stripe does not know the subscription. */
  findSubscription(id: string): Promise<unknown>;
  /** @returns the URL of a Billing Portal session. @throws DomainError also if the portal is not set up */
  openPortal(customer: string, returnUrl: string, change?: SubscriptionChange): Promise<string>;
  /** Undefined if Stripe does not know the price. */
  findPrice(price: Price): Promise<PriceDetails | undefined>;
  /** The invoices of a payment. Events about payments do not name them. */
  listPaidInvoices(paymentIntent: string): Promise<string[]>;
  /** Reads the events of these types, newest first, as the webhook gets them. */
  readEvents(
    types: readonly string[],
    { from, until }: { from: number; until: number },
    read: (event: unknown) => void,
  ): Promise<void>;
}

/** Whether a subscription can be changed (`active`), or its customer first resumes or pays it in the Billing Portal. */
export const SUBSCRIPTION_STATES = ['active', 'cancelled', 'unpaid', 'paused'] as const;
type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** The customer and subscription that a session created at Stripe. */
export interface Contract {
  /** Undefined if the customer was deleted at Stripe. */
  customer: string | undefined;
  /** Undefined if it was paid once, or the subscription has ended. */
  subscription:
    | {
        id: string;
        /** Undefined if there are several items, which only the vendor can add. */
        item: string | undefined;
        price: string | undefined;
        /** ISO 4217 in lower case. */
        currency: string;
        quantity: number;
        state: SubscriptionState;
      }
    | undefined;
}

interface SubscriptionChange {
  subscription: string;
  item: string;
  price: string;
  quantity: number;
}

/** The amount is null if it depends on the quantity. */
export type PriceDetails = Pick<ShownPrice, 'amount' | 'currency' | 'tax'>;

export function connectStripe(settings: StripeSettings, log: Logger): Stripe {
  const ask = createStripeCaller(settings, log);
  return {
    createSession: (
      order,
      { price, metadata, trialDays, email, customer, successUrl, cancelUrl },
    ) =>
      ask(async (stripe) => {
        const trial = trialDays > 0 ? { trial_period_days: trialDays } : {};
        const recurring = {
          mode: 'subscription',
          subscription_data: { metadata, ...trial },
        } as const;
        // Otherwise Stripe creates neither an invoice nor a customer, so the Billing Portal could not be opened.
        const once = {
          mode: 'payment',
          payment_intent_data: { metadata },
          invoice_creation: { enabled: true },
          ...(customer === undefined && { customer_creation: 'always' }),
        } as const;
        const session = await stripe.checkout.sessions.create(
          {
            ...(order.billingInterval === 'once' ? once : recurring),
            line_items: [{ price: price.price, quantity: order.quantity }],
            // A price at Stripe can have several currencies.
            ...(price.currency && { currency: price.currency }),
            success_url: successUrl,
            cancel_url: cancelUrl,
            ...(customer !== undefined
              ? { customer }
              : email !== undefined && { customer_email: email }),
            ...(settings.hasTax && { automatic_tax: { enabled: true } }),
            // A customer may have no address, on which the tax depends.
            ...(settings.hasTax &&
              customer !== undefined && { customer_update: { address: 'auto' } }),
            client_reference_id: order.publicId,
            metadata,
            allow_promotion_codes: true,
          },
          // After a failure or a crash, Stripe answers the same request with the same session.
          { idempotencyKey: `pavis-order-${order.publicId}` },
        );
        if (!session.url) throw new Error('a session without an address');
        return { id: session.id, url: session.url, expiresAt: session.expires_at * 1_000 };
      }),
    async closeSession(id) {
      // Stripe answers 400 for a session that is not open: it is paid or has expired.
      const closed = await ask<{ status: string | null } | undefined>(
        (stripe) => stripe.checkout.sessions.expire(id),
        { expected: { 400: () => undefined } },
      );
      const { status } = closed ?? (await ask((stripe) => stripe.checkout.sessions.retrieve(id)));
      return status === 'expired';
    },
    findContract: (session) =>
      ask<Contract | undefined>(
        async (stripe) => {
          const expand = ['customer', 'subscription'];
          const found = await stripe.checkout.sessions.retrieve(session, { expand });
          return toContract(found);
        },
        { expected: { 404: () => undefined } },
      ),
    findSubscription: (id) =>
      ask<unknown>((stripe) => stripe.subscriptions.retrieve(id), {
        expected: { 404: () => undefined },
      }),
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
        { refusal: NO_PORTAL },
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
            tax: toShownTax(found.tax_behavior, settings),
          };
        },
        { expected: { 404: () => undefined } },
      ),
    listPaidInvoices: (paymentIntent) =>
      ask(async (stripe) => {
        const { data } = await stripe.invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent: paymentIntent },
        });
        return data.map(({ invoice }) => (typeof invoice === 'string' ? invoice : invoice.id));
      }),
    readEvents: (types, { from, until }, read) =>
      ask(async (stripe) => {
        const created = { gte: Math.ceil(from / 1_000), lt: Math.floor(until / 1_000) };
        for await (const event of stripe.events.list({ types: [...types], created, limit: 100 }))
          read(event);
      }),
  };
}

/** Without the calculation of Stripe, nothing is added to an exclusive price. */
function toShownTax(behavior: string | null, { hasTax }: StripeSettings): PriceDetails['tax'] {
  if (behavior === 'inclusive') return behavior;
  return behavior === 'exclusive' && hasTax ? behavior : 'unspecified';
}

function toContract({ customer, subscription }: StripeClient.Checkout.Session): Contract {
  const isKnown = typeof customer === 'object' && customer !== null && !customer.deleted;
  const customerId = isKnown ? customer.id : undefined;
  const isExpanded = typeof subscription === 'object' && subscription !== null;
  if (!isExpanded || ENDED_STATUSES.includes(subscription.status)) {
    return { customer: customerId, subscription: undefined };
  }
  const { id, items, currency } = subscription;
  const [item, another] = items.data;
  return {
    customer: customerId,
    subscription: {
      id,
      item: another ? undefined : item?.id,
      price: item?.price.id,
      currency,
      quantity: item?.quantity ?? 1,
      state: toState(subscription),
    },
  };
}

function toState({
  status,
  cancel_at_period_end: isCancelled,
  cancel_at: endsAt,
}: StripeClient.Subscription): SubscriptionState {
  if (status === 'paused') return 'paused';
  if (status !== 'active' && status !== 'trialing') return 'unpaid';
  return isCancelled || endsAt ? 'cancelled' : 'active';
}

/** Opens the portal on the page that shows the cost of a change, and returns once it is confirmed. */
const toFlow = (
  { subscription, item, price, quantity }: SubscriptionChange,
  returnUrl: string,
): StripeClient.BillingPortal.SessionCreateParams.FlowData => ({
  type: 'subscription_update_confirm',
  subscription_update_confirm: { subscription, items: [{ id: item, price, quantity }] },
  after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
});
