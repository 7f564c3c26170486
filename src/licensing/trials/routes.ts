import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { getClientAddress } from '../../platform/http/client-address.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { describeEntitlement, errorAnswers } from '../licences/index.ts';
import { hashAddress, LinkLimits, parseAddress } from '../magic-links/index.ts';
import { listTrialPlans, toTrialAddress } from './rules.ts';
import {
  TRIAL_REQUESTED,
  TrialConfirmation,
  TrialRequest,
  TrialRequested,
  TrialStarted,
  Trials,
  TrialsQuery,
} from './schemas.ts';
import { readTrialProduct, requestTrial, startTrial, type TrialSettings } from './service.ts';

/** `/trials`: trials without a card. */
export function trialRoutes(
  routes: Routes,
  platform: Platform,
  { perAddress, ...settings }: TrialSettings & { perAddress: number | undefined },
): void {
  const limits =
    perAddress === undefined ? undefined : new LinkLimits(perAddress, platform, 'trial');
  const shared = { tags: ['Trials'], security: [] };

  routes.get(
    '/trials',
    {
      schema: {
        ...shared,
        operationId: 'listTrials',
        summary: 'List the trials of a product that need no card',
        querystring: TrialsQuery,
        response: { 200: Trials, ...errorAnswers(400) },
      },
    },
    async ({ query }) => {
      const product = await readTrialProduct(platform, query.product);
      return {
        product: product.slug,
        trials: listTrialPlans(product).map((plan) => ({
          tier: plan.tier,
          plan: plan.label,
          days: plan.trialDays,
          sites: plan.sitesAllowed,
          features: [...plan.features],
          description: plan.description,
        })),
      };
    },
  );

  routes.post(
    '/trials',
    {
      onRequest: async ({ raw }, reply) =>
        limits?.countClient(getClientAddress(raw, platform.trustedProxies), reply),
      schema: {
        ...shared,
        operationId: 'requestTrial',
        summary: 'Request a trial by email',
        description:
          'Emails a link to `/account/start-trial?token=…`, which works for 24 hours. Each email address and each site ' +
          'can have one trial of a product. The response is the same if one of them has had it, and the email says so.',
        body: TrialRequest,
        response: { 202: TrialRequested, ...errorAnswers(400, 413, 415, 429) },
      },
    },
    async ({ body, raw }, reply) => {
      const email = parseAddress(body.email);
      const product = await readTrialProduct(platform, body.product);
      const client = getClientAddress(raw, platform.trustedProxies);
      const address = hashAddress(platform, toTrialAddress(email));
      const isBusy = limits?.countAddress(address, client, reply) ?? false;
      const { site_url: siteUrl, tier } = body;
      const request = { email, siteUrl, product, isBusy, ...(tier !== undefined && { tier }) };
      await requestTrial(platform, settings, request);
      reply.code(202);
      return { message: TRIAL_REQUESTED };
    },
  );

  routes.post(
    '/trials/confirm',
    {
      schema: {
        ...shared,
        operationId: 'startTrial',
        summary: 'Start a trial',
        description:
          'Issues a licence that ends by itself, without a grace period, and emails its key. While the checkout takes ' +
          'no real money, it is a test licence. A purchase on the same licence keeps its key.',
        body: TrialConfirmation,
        response: { 200: TrialStarted, ...errorAnswers(400, 403, 409, 413, 415) },
      },
    },
    async ({ body }) => {
      const { licence, key } = await startTrial(platform, settings, body.token);
      const { product, plan } = describeEntitlement(
        await platform.catalogue.read([licence]),
        licence,
      );
      return {
        id: licence.publicId,
        licence_key: key,
        mode: licence.mode,
        product,
        tier: licence.tier,
        plan,
        sites_allowed: licence.sitesAllowed,
        expires_at: toIsoMoment(licence.expiresAt),
      };
    },
  );
}
