import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import {
  describeResponse,
  IdempotencyKeyHeader,
  Moment,
  nullable,
  OneOf,
  Text,
} from '../../platform/http/schemas.ts';
import { INTERVALS } from '../products/index.ts';
import { MAX_PACKAGES } from './prices.ts';

export const EXAMPLE_EXPIRY = '2026-11-22T09:30:00.000Z';

export const Currency = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[a-z]{3}$', description, examples: ['eur'] }));

export const Quantity = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PACKAGES, description }));

export const RedirectUrl = (description: string) =>
  Type.Optional(Text(URL_MAX_LENGTH, { description }));

export const cancelUrl = RedirectUrl(
  'Where the buyer goes after cancelling: a URL on an allowed origin.',
);

const product = Type.Optional(
  Text(64, { description: 'The slug of the product. Default: the default product.' }),
);

export const PricesQuery = Type.Object({ product });

export const CheckoutRequest = Type.Object(
  {
    product,
    tier: Type.Optional(
      Text(64, { description: 'Tier to buy. Default: `pro`, or else the first tier on sale.' }),
    ),
    interval: Type.Optional(
      OneOf(INTERVALS, {
        description: 'Billing interval. Default: `year`. `once` buys a lifetime licence.',
      }),
    ),
    currency: Currency(
      'Currency: an ISO 4217 code in lower case with a price on sale. Default: the currency of the first price.',
    ),
    quantity: Quantity(
      'Number of packages. Multiplies the sites of the tier, in one licence with one key. Default: 1.',
    ),
    email: Type.Optional(
      Text(254, {
        description: 'Email address for the licence key. Default: the checkout asks for it.',
      }),
    ),
    success_url: RedirectUrl(
      'Where the buyer goes after paying: a URL on an allowed origin. `{CHECKOUT_SESSION_ID}` is replaced by the session identifier.',
    ),
    cancel_url: cancelUrl,
  },
  {
    title: 'CheckoutRequest',
    examples: [{ tier: 'pro', interval: 'year', email: 'customer@example.com' }],
  },
);

/** What a checkout is asked for. The email address of a renewal is the customer's. */
export type SessionRequest = Static<typeof CheckoutRequest>;

export const IdempotencyHeader = IdempotencyKeyHeader(
  'Requests with the same key and the same body within 24 hours return the same session.',
);

export const sessionExample = {
  id: 'cs_test_a1B2c3D4',
  url: 'https://checkout.stripe.com/c/pay/cs_test_a1B2c3D4',
  expires_at: EXAMPLE_EXPIRY,
};

export const CheckoutSession = describeResponse(
  'The checkout to send the buyer to.',
  {
    id: Type.String({ description: 'Session identifier.' }),
    url: Type.String({ description: 'URL of the checkout.' }),
    expires_at: Moment('When the checkout expires.', EXAMPLE_EXPIRY),
  },
  sessionExample,
  'CheckoutSession',
);

export const Received = describeResponse(
  'The event was processed or does not concern licences.',
  { received: Type.Literal(true) },
  { received: true },
  'WebhookReceipt',
);

export const ShownPrice = Type.Object(
  {
    tier: Type.String(),
    plan: Type.String({ description: 'The name of the tier for people.' }),
    interval: OneOf(INTERVALS, { description: 'Billing interval.' }),
    sites: Type.Integer({ description: 'Sites per package.' }),
    features: Type.Array(Type.String()),
    description: nullable(Type.String({ description: 'What the vendor says of the plan.' })),
    amount: nullable(
      Type.Integer({
        description:
          'Price of one package in the smallest unit in which Stripe counts the currency (cents for `EUR`). ' +
          'Null if not available now; the checkout shows it.',
      }),
    ),
    currency: nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })),
    tax: nullable(
      OneOf(['inclusive', 'exclusive', 'unspecified'], {
        description:
          'Whether the amount includes tax or tax is added. `unspecified`: not set at Stripe, or no tax is added ' +
          'because `PAVIS_STRIPE_TAX` is off.',
      }),
    ),
  },
  { title: 'Price' },
);
/** A price as buyers see it. */
export type ShownPrice = Static<typeof ShownPrice>;

export const priceExample = {
  tier: 'pro',
  plan: 'Pro',
  interval: 'year',
  sites: 3,
  features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
  description: 'Data subject requests, retention, reporting and advanced integrations.',
  amount: 4_900,
  currency: 'EUR',
  tax: 'exclusive',
};

export const ShownPrices = describeResponse(
  'The prices on sale.',
  {
    provider: OneOf(['stripe', 'test'], {
      description: 'Payment provider. `test`: no payment is taken, and the amounts are samples.',
    }),
    product: Type.String({ description: 'The slug of the product.' }),
    prices: Type.Array(ShownPrice),
  },
  { provider: 'stripe', product: 'pavis', prices: [priceExample] },
  'Prices',
);
export type ShownPrices = Static<typeof ShownPrices>;
