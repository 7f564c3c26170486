import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import {
  createToken,
  listTokenRecords,
  NewToken,
  revokeToken,
  TokenCreation,
  TokenRecord,
} from '../../api-tokens/index.ts';

/** API tokens for the vendor's programs. A token is revoked, not deleted. */
export function apiTokenRoutes(api: RestApi, platform: Platform): void {
  api.add({
    method: 'GET',
    path: '/api-tokens',
    summary: 'List API tokens, newest first',
    answers: { 200: Type.Array(TokenRecord) },
    handle: async () => ({ body: await listTokenRecords(platform) }),
  });
  api.add({
    method: 'POST',
    path: '/api-tokens',
    summary: 'Create an API token',
    args: TokenCreation,
    answers: { 201: NewToken },
    refusals: {
      409: {
        too_many_tokens:
          'There can be at most 50 active API tokens. Revoke one that is no longer used.',
      },
    },
    async handle({ args, user }) {
      const login = user?.login ?? '';
      const by = { actor: login, login, expiresAt: user?.expiresAt };
      const { record, secret } = await createToken(platform, args, by);
      return { status: 201, body: { ...record, secret } };
    },
  });
  api.add({
    method: 'POST',
    path: '/api-tokens/{id}/revoke',
    summary: 'Revoke an API token, effective from the next request',
    answers: { 200: TokenRecord },
    refusals: { 409: { not_possible: 'The API token is revoked already.' } },
    handle: async ({ id, user }) => ({
      body: await revokeToken(platform, id, user?.login ?? ''),
    }),
  });
}
