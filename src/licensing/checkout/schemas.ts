import { Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { answer, Moment, OneOf, Text } from '../../platform/http/schemas.ts';
import { TIER_NAMES } from '../licences/index.ts';
import { INTERVALS } from './prices.ts';

/** Who wants more of one key speaks with the vendor. */
const MAX_QUANTITY = 100;

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

export const CheckoutSession = answer(
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

export const Received = answer(
  'The event is taken in, or does not concern licences.',
  { received: Type.Literal(true) },
  { received: true },
  'WebhookReceipt',
);
