import { type Static, Type } from 'typebox';
import { MOMENT_MAX_LENGTH, toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { type Catalogue, getProduct } from '../products/index.ts';
import { getTokenStatus, SCOPE_DESCRIPTIONS, TOKEN_SCOPES, TOKEN_STATUSES } from './rules.ts';
import type { ListedToken } from './store.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';

const scopes = Type.Array(OneOf(TOKEN_SCOPES), {
  maxItems: TOKEN_SCOPES.length,
  description: TOKEN_SCOPES.map((name) => `\`${name}\`: ${SCOPE_DESCRIPTIONS[name]}`).join(' '),
  examples: [['licences:read', 'licences:issue']],
});

export const TokenCreation = Type.Object(
  {
    name: Text(64, { description: 'What uses it, for example the name of your shop.' }),
    scopes,
    product: Type.Optional(
      Text(64, { description: 'The slug of the only product that it is for. Default: all.' }),
    ),
    expires_at: Type.Optional(
      Text(MOMENT_MAX_LENGTH, {
        description:
          'Until when it works: a day, or an ISO 8601 time with its offset. Default: until it is revoked.',
        examples: ['2027-11-21T00:00:00.000Z'],
      }),
    ),
  },
  { title: 'ApiTokenCreation', examples: [{ name: 'Shop', scopes: ['licences:issue'] }] },
);
export type TokenCreation = Static<typeof TokenCreation>;

export const TokenRecord = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    token: Type.String({ description: 'Masked.', examples: ['pv_api_Vb7K…EaQ1'] }),
    scopes: Type.Array(OneOf(TOKEN_SCOPES)),
    product: nullable(Type.String({ description: 'The slug of its product; null for all.' })),
    status: OneOf(TOKEN_STATUSES),
    created_at: Moment('When it was created.', EXAMPLE),
    created_by: nullable(
      Type.String({
        description: 'Login of the user; null for the command line and deleted users.',
      }),
    ),
    expires_at: nullable(Moment('Until when it works; null: until it is revoked.', EXAMPLE)),
    last_used_at: nullable(Moment('Its last request, to the hour.', EXAMPLE)),
    revoked_at: nullable(Moment('When it was revoked.', EXAMPLE)),
  },
  { title: 'ApiToken' },
);

export const NewToken = Type.Object(
  {
    ...TokenRecord.properties,
    secret: Type.String({ description: 'The token in clear, shown only once.' }),
  },
  { title: 'NewApiToken' },
);

export const toTokenRecord = (
  token: ListedToken,
  catalogue: Catalogue,
  now: number,
): Static<typeof TokenRecord> => ({
  id: token.id,
  name: token.name,
  token: token.maskedToken,
  scopes: [...token.scopes],
  product: token.productId === null ? null : getProduct(catalogue, token.productId).slug,
  status: getTokenStatus(token, now),
  created_at: toIsoMoment(token.createdAt),
  created_by: token.createdBy,
  expires_at: toIsoMomentOrNull(token.expiresAt),
  last_used_at: toIsoMomentOrNull(token.lastUsedAt),
  revoked_at: toIsoMomentOrNull(token.revokedAt),
});
