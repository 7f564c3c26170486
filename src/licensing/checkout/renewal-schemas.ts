import { type Static, Type } from 'typebox';
import { describeResponse, Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { expiryFields, LICENCE_STATUSES, LicenceId, trialField } from '../licences/index.ts';
import { INTERVALS } from '../products/index.ts';
import {
  Currency,
  cancelUrl,
  EXAMPLE_EXPIRY,
  priceExample,
  Quantity,
  RedirectUrl,
  ShownPrice,
  sessionExample,
} from './schemas.ts';
import { SUBSCRIPTION_STATES } from './stripe.ts';

export const RenewalRequest = Type.Object(
  {
    tier: Type.Optional(Text(64, { description: 'Default: the tier of the licence.' })),
    interval: Type.Optional(
      OneOf(INTERVALS, { description: 'Default: the current one, otherwise `year`.' }),
    ),
    currency: Currency(
      'Currency: an ISO 4217 code in lower case with a price on sale. A subscription keeps its currency. Default: that of the last purchase, if the choice is on sale in it.',
    ),
    quantity: Quantity('Number of packages. Default: as many as the licence has.'),
    success_url: RedirectUrl(
      'Where the customer goes after paying: a URL on an allowed origin. Default: `/account/`.',
    ),
    cancel_url: cancelUrl,
  },
  { title: 'RenewalRequest', examples: [{ tier: 'agency', interval: 'year' }] },
);

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
    trial: trialField,
    sites_allowed: Type.Integer({ minimum: 1 }),
    sites_used: Type.Integer({ minimum: 0 }),
    ...expiryFields,
    quantity: nullable(
      Type.Integer({ description: 'Packages of its tier; null if one checkout sells fewer.' }),
    ),
    interval: nullable(
      OneOf(INTERVALS, { description: 'Billing interval; null if it was not bought.' }),
    ),
    currency: nullable(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description:
          'Currency of the subscription of the customer (ISO 4217), in which changes are paid; null without one, or if it is not known now.',
      }),
    ),
    renews: Type.Boolean({ description: 'Whether a subscription renews it automatically.' }),
    subscription: nullable(
      OneOf(SUBSCRIPTION_STATES, {
        description:
          'The subscription of the customer that pays for it: `active` if it can be changed, `cancelled` while it runs to its end, `unpaid` or `paused`. ' +
          'The customer resumes or pays the last three in the Billing Portal, and they cannot be changed before. Null without one, or if it is not known now.',
      }),
    ),
    subscription_known: Type.Boolean({
      description:
        'False while the payment service does not answer: `subscription` and `currency` are null then.',
    }),
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
    prices: Type.Array(ShownPrice, {
      description:
        'With an active subscription, those in its currency, and for its tier and interval the price that it keeps, on sale or not. Otherwise, a tier and interval that is on sale in the currency of the last purchase has that price only.',
    }),
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
    currency: null,
    renews: false,
    subscription: null,
    subscription_known: true,
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
    LicenceId('Licence identifier. Default: the latest purchase of the customer with invoices.'),
  ),
});

export const PortalSession = describeResponse(
  'The Billing Portal to send the customer to.',
  { url: Type.String({ description: 'URL of the Billing Portal.' }) },
  { url: 'https://billing.stripe.com/p/session/test_YWNjdF8x' },
  'PortalSession',
);
