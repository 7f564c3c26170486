import { Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { describeResponse, Moment, Text } from '../../platform/http/schemas.ts';

export const MagicLinkRequest = Type.Object(
  {
    email: Text(254, { description: 'Email address of the customer.' }),
    licence: Type.Optional(
      Type.String({
        pattern: '^lic_[A-Za-z0-9]{1,60}$',
        description: 'Licence identifier. After signing in, the customer goes to its renewal.',
      }),
    ),
    site_url: Type.Optional(
      Text(URL_MAX_LENGTH, {
        description:
          'A site that finds no free slot. With `licence`, the customer goes to the page that makes room for it.',
      }),
    ),
  },
  { title: 'MagicLinkRequest', examples: [{ email: 'ada@example.com' }] },
);

export const MagicLinkAnswer = describeResponse(
  'The request was accepted, whether or not a customer has this address.',
  { message: Type.String() },
  {
    message:
      'If a customer has this address, a sign-in link is on its way to it or was sent in the last ten minutes.',
  },
  'MagicLinkResult',
);

export const TokenRequest = Type.Object(
  { token: Text(128, { description: 'The `token` in the link of the email.' }) },
  { title: 'TokenRequest', examples: [{ token: 'pW1mPq0b3uX9yR2cT7vK5sN8dF4gH6jL1zA0xC9vB3M' }] },
);

export const TokenAnswer = describeResponse(
  'Signed in.',
  {
    token: Type.String({ description: 'For the `Authorization: Bearer` header.' }),
    token_type: Type.Literal('Bearer'),
    expires_at: Moment('When the token expires.', '2026-11-21T10:30:00.000Z'),
  },
  {
    token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    token_type: 'Bearer',
    expires_at: '2026-11-21T10:30:00.000Z',
  },
  'Token',
);

export const SignOutAnswer = describeResponse(
  'The token is revoked.',
  { success: Type.Boolean(), message: Type.String() },
  { success: true, message: 'You are signed out.' },
  'SignOutResult',
);
