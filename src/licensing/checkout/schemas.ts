import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { describeResponse, Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { expiryFields, LICENCE_STATUSES, LicenceId } from '../licences/index.ts';
import { INTERVALS } from '../products/index.ts';
import { MAX_PACKAGES } from './prices.ts';

const EXAMPLE_EXPIRY = '2026-11-22T09:30:00.000Z';

const Currency = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[a-z]{3}$', description, examples: ['eur'] }));

const Quantity = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PACKAGES, description }));

const RedirectUrl = (description: string) => Type.Optional(Text(URL_MAX_LENGTH, { description }));

const cancelUrl = RedirectUrl('Where the buyer goes after cancelling: a URL on an allowed origin.');

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

export const RenewalRequest = Type.Object(
  {
    tier: Type.Optional(Text(64, { description: 'Default: the tier of the licence.' })),
    interval: Type.Optional(
      OneOf(INTERVALS, { description: 'Default: the current one, otherwise `year`.' }),
    ),
    currency: Currency(
      'Currency: an ISO 4217 code in lower case with a price on sale. A subscription keeps its currency.',
    ),
    quantity: Quantity('Number of packages. Default: as many as the licence has.'),
    success_url: RedirectUrl(
      'Where the customer goes after paying: a URL on an allowed origin. Default: `/account/`.',
    ),
    cancel_url: cancelUrl,
  },
  { title: 'RenewalRequest', examples: [{ tier: 'agency', interval: 'year' }] },
);

/** What a checkout is asked for. The email address of a renewal is the customer's. */
export type SessionRequest = Static<typeof CheckoutRequest>;

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'Requests with the same key and the same body within 24 hours return the same session.',
    }),
  ),
});

const sessionExample = {
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

const ShownPrice = Type.Object(
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
          'Whether the amount includes tax or tax is added. `unspecified`: not set at Stripe.',
      }),
    ),
  },
  { title: 'Price' },
);
/** A price as buyers see it. */
export type ShownPrice = Static<typeof ShownPrice>;

const priceExample = {
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

export const RenewalSession = describeResponse(
  'The page to send the customer to.',
  {
    kind: OneOf(['checkout', 'portal'], {
      description: '`checkout` to pay, `portal` to change the active subscription.',
    }),
    id: nullable(Type.String({ description: 'Checkout session identifier; null for the portal.' })),
    url: Type.String({ description: 'URL of the page.' }),
    expires_at: nullable(Moment('When the checkout expires; null for the portal.', EXAMPLE_EXPIRY)),
  },
  { kind: 'checkout', ...sessionExample },
  'RenewalSession',
);
export type RenewalSession = Static<typeof RenewalSession>;

export const RenewalOptions = describeResponse(
  'The licence and the prices for its renewal.',
  {
    id: Type.String({ description: 'Licence identifier.' }),
    product: Type.String({ description: 'The slug of the product.' }),
    tier: Type.String(),
    plan: Type.String({ description: 'The name of the tier for people.' }),
    status: OneOf(LICENCE_STATUSES),
    sites_allowed: Type.Integer({ minimum: 1 }),
    sites_used: Type.Integer({ minimum: 0 }),
    ...expiryFields,
    quantity: nullable(
      Type.Integer({ description: 'Packages of its tier; null if one checkout sells fewer.' }),
    ),
    interval: nullable(
      OneOf(INTERVALS, { description: 'Billing interval; null if it was not bought.' }),
    ),
    renews: Type.Boolean({ description: 'Whether a subscription renews it automatically.' }),
    has_portal: Type.Boolean({
      description: 'Whether `GET /customer/portal` leads to invoices and the payment method.',
    }),
    obstacle: nullable(
      Type.Object(
        { error: Type.String(), message: Type.String() },
        { description: 'Why it cannot be renewed; null if it can.' },
      ),
    ),
    provider: nullable(
      OneOf(['stripe', 'test'], { description: 'Payment provider; null without one.' }),
    ),
    prices: Type.Array(ShownPrice),
  },
  {
    id: 'lic_8fK2mQ4xT7Zb1LdP',
    product: 'pavis',
    tier: 'pro',
    plan: 'Pro',
    status: 'expired',
    sites_allowed: 3,
    sites_used: 1,
    expires_at: '2026-11-20T00:00:00.000Z',
    paid_until: '2026-11-20T00:00:00.000Z',
    quantity: 1,
    interval: 'year',
    renews: false,
    has_portal: true,
    obstacle: null,
    provider: 'stripe',
    prices: [priceExample],
  },
  'RenewalOptions',
);
export type RenewalOptions = Static<typeof RenewalOptions>;

export const PortalQuery = Type.Object({
  licence: Type.Optional(
    LicenceId('Licence identifier. Default: the latest purchase of the customer.'),
  ),
});

export const PortalSession = describeResponse(
  'The Billing Portal to send the customer to.',
  { url: Type.String({ description: 'URL of the Billing Portal.' }) },
  { url: 'https://billing.stripe.com/p/session/test_YWNjdF8x' },
  'PortalSession',
);
