import type { FastifyRequest } from 'fastify';
import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { getClientAddress } from '../../platform/http/client-address.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { parseSiteUrl } from '../activations/index.ts';
import { createBearerAuthenticator, revokeToken } from '../customers/index.ts';
import { errorAnswers } from '../licences/index.ts';
import { LinkLimits } from './limits.ts';
import {
  MagicLinkAnswer,
  MagicLinkRequest,
  SignOutAnswer,
  TokenAnswer,
  TokenRequest,
} from './schemas.ts';
import {
  hashAddress,
  parseAddress,
  purgeExpiredLinks,
  redeemMagicLink,
  requestMagicLink,
  signOutEverywhere,
} from './service.ts';

/** Also true if the link of an earlier email is still the one to use. */
const REQUESTED =
  'If a customer has this address, a sign-in link is on its way to it or was sent in the last ten minutes.';
const PURGE_EVERY_MS = 15 * 60_000;

export function magicLinkRoutes(
  routes: Routes,
  platform: Platform,
  { publicUrl, perAddress }: { publicUrl: () => string; perAddress: number | undefined },
): void {
  const { log, trustedProxies } = platform;
  const limits = perAddress === undefined ? undefined : new LinkLimits(perAddress, platform);
  const authenticate = createBearerAuthenticator(platform);

  const getClient = ({ raw }: Pick<FastifyRequest, 'raw'>): string =>
    getClientAddress(raw, trustedProxies);

  // Not during requests: their duration would reveal whether there were links.
  const purging = setInterval(
    () => purgeExpiredLinks(platform).catch((err) => log.warn({ err }, 'cannot delete old links')),
    PURGE_EVERY_MS,
  ).unref();
  routes.addHook('onClose', () => clearInterval(purging));

  routes.post(
    '/auth/magic-link',
    {
      onRequest: async (request, reply) => limits?.countClient(getClient(request), reply),
      schema: {
        tags: ['Sign-in'],
        security: [],
        operationId: 'requestMagicLink',
        summary: 'Request a sign-in link by email',
        description:
          'The response is the same whether or not a customer has the address. The link leads to ' +
          '`/account/sign-in?token=…` and works for 15 minutes, until it or another link to the same address is used, ' +
          'or the same client requests a new one. Opening it does not use it up; `POST /auth/token` does. After 20 ' +
          'links to an address in a day, a new one is sent only if no link of the last ten minutes still works.',
        body: MagicLinkRequest,
        response: { 202: MagicLinkAnswer, ...errorAnswers(400, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const email = parseAddress(request.body.email);
      const client = getClient(request);
      const isBusy = limits?.countAddress(hashAddress(platform, email), client, reply) ?? false;
      const { licence, site_url: site } = request.body;
      if (site !== undefined) parseSiteUrl(site);
      const accountUrl = `${new URL(publicUrl()).origin}/account/sign-in`;
      await requestMagicLink(platform, { email, client, accountUrl, licence, site, isBusy });
      reply.code(202);
      return { message: REQUESTED };
    },
  );

  routes.post(
    '/auth/token',
    {
      schema: {
        tags: ['Sign-in'],
        security: [],
        operationId: 'redeemMagicLink',
        summary: 'Exchange a sign-in link for a bearer token',
        description: 'The link works once. The bearer token is valid for one hour.',
        body: TokenRequest,
        response: { 200: TokenAnswer, ...errorAnswers(400, 401, 413, 415) },
      },
    },
    async ({ body }) => {
      const { token, expiresAt } = await redeemMagicLink(platform, body.token);
      return { token, token_type: 'Bearer' as const, expires_at: toIsoMoment(expiresAt) };
    },
  );

  routes.post(
    '/auth/sign-out',
    {
      schema: {
        tags: ['Sign-in'],
        security: [{ bearer: [] }],
        operationId: 'signOut',
        summary: 'Revoke this bearer token',
        description: 'Other tokens of the customer stay valid.',
        response: { 200: SignOutAnswer, ...errorAnswers(400, 401, 413, 415) },
      },
    },
    async (request) => {
      await revokeToken(platform, await authenticate(request));
      return { success: true, message: 'You are signed out.' };
    },
  );

  routes.post(
    '/auth/sign-out-everywhere',
    {
      schema: {
        tags: ['Sign-in'],
        security: [{ bearer: [] }],
        operationId: 'signOutEverywhere',
        summary: 'Revoke all bearer tokens of the customer',
        response: { 200: SignOutAnswer, ...errorAnswers(400, 401, 413, 415) },
      },
    },
    async (request) => {
      await signOutEverywhere(platform, await authenticate(request));
      return { success: true, message: 'You are signed out everywhere.' };
    },
  );
}
