import type { Platform } from '../../platform/deps.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { createLimiter } from '../../platform/http/rate-limit.ts';
import {
  describeEntitlement,
  errorAnswers,
  licenceKeySecurity,
  requireKeyHeader,
  SiteRequest,
} from '../licences/index.ts';
import { ActivationResult, DeactivationResult } from './schemas.ts';
import { activateSite, deactivateSite } from './service.ts';
import { readSiteCredentials } from './site-request.ts';

/** `POST /licence/activate` and `/licence/deactivate`. */
export function activationRoutes(
  routes: Routes,
  platform: Platform,
  { publicUrl, perMinute }: { publicUrl: () => string; perMinute: number | undefined },
): void {
  const limiter = createLimiter('activate', perMinute, platform);
  const onRequest = [...(limiter ? [limiter.hook] : []), requireKeyHeader];
  const shared = { tags: ['Licence'], security: licenceKeySecurity, body: SiteRequest };

  routes.post(
    '/licence/activate',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'activate',
        summary: 'Record a site activation',
        description:
          'Uses one activation slot of the licence. Called when the administrator saves the key. ' +
          'A site that is already active keeps its activation and slot. ' +
          '403 also has the codes `licence_expired`, `licence_suspended` and `licence_revoked`. With ' +
          '`activation_limit_reached` it has a `help_url` for the customer.',
        response: { 200: ActivationResult, ...errorAnswers(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async (request) => {
      const { licence, activation } = await activateSite(
        platform,
        readSiteCredentials(request),
        publicUrl(),
      );
      return {
        success: true,
        activation_id: activation.id,
        tier: licence.tier,
        features: describeEntitlement(await platform.catalogue.read([licence]), licence).features,
      };
    },
  );

  routes.post(
    '/licence/deactivate',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'deactivate',
        summary: 'Remove a site activation',
        description: 'Frees the slot of the site, whatever the status of the licence.',
        response: { 200: DeactivationResult, ...errorAnswers(400, 401, 404, 413, 415, 429) },
      },
    },
    async (request) => {
      const claim = readSiteCredentials(request);
      const success = await deactivateSite(platform, claim);
      const message = success
        ? `${claim.siteUrl} is deactivated.`
        : `${claim.siteUrl} was never activated with this licence.`;
      return { success, message };
    },
  );
}
