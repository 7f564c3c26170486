import { Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { describeResponse, Moment, OneOf, Text } from '../../platform/http/schemas.ts';
import { expiryFields, LICENCE_STATUSES, TIER_NAMES } from '../licences/index.ts';
import { INTERVALS } from './prices.ts';
import { MAX_QUANTITY } from './renewals.ts';
import type { ShownPrice } from './shown-prices.ts';

export const CheckoutRequest = Type.Object(
  {
    tier: Type.Optional(OneOf(TIER_NAMES, { description: 'What to buy; `pro` if not said.' })),
    interval: Type.Optional(
      OneOf(INTERVALS, {
        description:
          'How often to pay; `year` if not said. A licence that is paid `once` never ends.',
      }),
    ),
    currency: Type.Optional(
      Type.String({
        pattern: '^[a-z]{3}$',
        description:
          'The currency to pay in: an ISO 4217 code in lower case, of those that are sold. The usual one if not said.',
        examples: ['eur'],
      }),
    ),
    quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_QUANTITY,
        description:
          'How many times the sites of the tier, in one licence with one key; 1 if not said.',
      }),
    ),
    email: Type.Optional(
      Text(254, { description: 'Where the key is sent; asked for if not said.' }),
    ),
    success_url: Type.Optional(
      Text(URL_MAX_LENGTH, {
        description:
          'Where to go after paying: on an origin that is allowed. `{CHECKOUT_SESSION_ID}` in it is filled in.',
      }),
    ),
    cancel_url: Type.Optional(Text(URL_MAX_LENGTH, { description: 'Where to go back to.' })),
  },
  {
    title: 'CheckoutRequest',
    examples: [{ tier: 'pro', interval: 'year', email: 'customer@example.com' }],
  },
);

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'The same key with the same body within 24 hours is one session.',
    }),
  ),
});

export const CheckoutSession = describeResponse(
  'Where the buyer is to go.',
  {
    id: Type.String({ description: 'Session identifier.' }),
    url: Type.String({ description: 'The page that takes the payment.' }),
    expires_at: Moment('Until when that page can be used.', '2026-11-22T09:30:00.000Z'),
  },
  {
    id: 'cs_test_a1B2c3D4',
    url: 'https://checkout.stripe.com/c/pay/cs_test_a1B2c3D4',
    expires_at: '2026-11-22T09:30:00.000Z',
  },
  'CheckoutSession',
);

export const Received = describeResponse(
  'The event is taken in, or does not concern licences.',
  { received: Type.Literal(true) },
  { received: true },
  'WebhookReceipt',
);

const shownPriceFields = {
  tier: OneOf(TIER_NAMES),
  interval: OneOf(INTERVALS, { description: 'How often it is paid.' }),
  sites: Type.Integer({ description: 'Sites of one package.' }),
  amount: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Price of one package, in the unit that Stripe counts the currency in (cents of `EUR`); null where it ' +
      'cannot be told now, and the checkout shows it.',
  }),
  currency: Type.Union([Type.String({ pattern: '^[A-Z]{3}$' }), Type.Null()], {
    description: 'ISO 4217.',
  }),
  tax: Type.Union([Type.Null(), OneOf(['inclusive', 'exclusive', 'unspecified'])], {
    description:
      'Whether tax is included in the amount or added to it; `unspecified` if the vendor has not said.',
  }),
};

const priceExample = {
  tier: 'pro' as const,
  interval: 'year' as const,
  sites: 3,
  amount: 4_900,
  currency: 'EUR',
  tax: 'exclusive' as const,
};

export const toShownPrice = ({ details, ...price }: ShownPrice) => ({
  ...price,
  amount: details?.amount ?? null,
  currency: details?.currency ?? price.currency?.toUpperCase() ?? null,
  tax: details?.taxBehaviour ?? null,
});

export const ShownPrices = describeResponse(
  'What is sold.',
  {
    provider: OneOf(['stripe', 'test'], {
      description:
        'Who takes the payment. `test`: no payment is taken, and the amounts are samples.',
    }),
    prices: Type.Array(Type.Object(shownPriceFields, { title: 'Price' })),
  },
  { provider: 'stripe', prices: [priceExample] },
  'Prices',
);

export const RenewalParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: 'Licence identifier.' }),
});

export const RenewalRequest = Type.Object(
  {
    tier: Type.Optional(OneOf(TIER_NAMES, { description: 'Default: the tier of the licence.' })),
    interval: Type.Optional(
      OneOf(INTERVALS, { description: 'Default: the current one, otherwise `year`.' }),
    ),
    currency: Type.Optional(
      Type.String({
        pattern: '^[a-z]{3}$',
        description:
          'Lower-case ISO 4217, where prices are in several currencies. A subscription keeps its currency.',
      }),
    ),
    quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_QUANTITY,
        description: 'How many times the sites of the tier. Default: as many as the licence has.',
      }),
    ),
    success_url: Type.Optional(
      Text(URL_MAX_LENGTH, {
        description:
          'Where to go after paying: on an origin that is allowed. Default: `/account/`.',
      }),
    ),
    cancel_url: Type.Optional(Text(URL_MAX_LENGTH, { description: 'Where to go back to.' })),
  },
  { title: 'RenewalRequest', examples: [{ tier: 'agency', interval: 'year' }] },
);

export const RenewalSession = describeResponse(
  'Where the customer is to go.',
  {
    kind: OneOf(['checkout', 'portal'], {
      description: '`checkout` to pay, `portal` to change the subscription that goes on.',
    }),
    id: Type.Union([Type.String(), Type.Null()], {
      description: 'Identifier of the checkout session; null for the portal.',
    }),
    url: Type.String({ description: 'The page to send the customer to.' }),
    expires_at: Type.Union([
      Moment('Until when a checkout can be paid; null for the portal.', '2026-11-22T09:30:00.000Z'),
      Type.Null(),
    ]),
  },
  {
    kind: 'checkout',
    id: 'cs_test_a1B2c3D4',
    url: 'https://checkout.stripe.com/c/pay/cs_test_a1B2c3D4',
    expires_at: '2026-11-22T09:30:00.000Z',
  },
  'RenewalSession',
);

export const RenewalOptions = describeResponse(
  'What the licence is, and what it can be renewed to.',
  {
    id: Type.String({ description: 'Licence identifier.' }),
    tier: OneOf(TIER_NAMES),
    status: OneOf(LICENCE_STATUSES),
    sites_allowed: Type.Integer({ minimum: 1 }),
    sites_used: Type.Integer({ minimum: 0 }),
    ...expiryFields,
    quantity: Type.Integer({ description: 'How many times the sites of its tier it holds.' }),
    interval: Type.Union([Type.Null(), OneOf(INTERVALS)], {
      description: 'How often it is paid; null where it was not bought.',
    }),
    renews: Type.Boolean({ description: 'Whether a subscription renews it automatically.' }),
    has_portal: Type.Boolean({
      description: 'Whether `GET /customer/portal` leads to invoices and the payment method.',
    }),
    obstacle: Type.Union(
      [Type.Null(), Type.Object({ error: Type.String(), message: Type.String() })],
      { description: 'Why it cannot be renewed; null if it can.' },
    ),
    prices: Type.Array(Type.Object(shownPriceFields, { title: 'Price' })),
  },
  {
    id: 'lic_8fK2mQ4xT7Zb1LdP',
    tier: 'pro',
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
    prices: [priceExample],
  },
  'RenewalOptions',
);

export const PortalQuery = Type.Object({
  licence: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Licence identifier. Default: the latest purchase of the customer.',
    }),
  ),
});

export const PortalSession = describeResponse(
  'Where the customer is to go.',
  { url: Type.String({ description: 'The page to send the customer to.' }) },
  { url: 'https://billing.stripe.com/p/session/test_YWNjdF8x' },
  'PortalSession',
);
