import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { createLimiter } from '../../platform/http/rate-limit.ts';
import { readSiteCredentials } from '../activations/index.ts';
import { errorAnswers, licenceKeySecurity, requireKeyHeader } from '../licences/index.ts';
import { createLeaseRequest, LicenceLease } from './schemas.ts';
import { createLicenceLease } from './service.ts';

/**
 * `POST /licence/lease`.
 * @param settings.perMinute requests per client
 * @param settings.maxDays days of a lease: default and maximum
 */
export function licenceLeaseRoutes(
  routes: Routes,
  platform: Platform,
  {
    publicUrl,
    perMinute,
    maxDays,
  }: { publicUrl: () => string; perMinute: number | undefined; maxDays: number },
): void {
  const limiter = createLimiter('lease', perMinute, platform);
  routes.post(
    '/licence/lease',
    {
      onRequest: [...(limiter ? [limiter.hook] : []), requireKeyHeader],
      schema: {
        tags: ['Licence'],
        security: licenceKeySecurity,
        operationId: 'lease',
        summary: 'Sign a lease for a site',
        description:
          'A lease proves offline that an activated site has a licence. It cannot be revoked: `validate` says at the ' +
          'next contact that a licence is revoked. 403 has the codes `site_not_activated`, `licence_expired`, ' +
          '`licence_suspended` and `licence_revoked`.',
        body: createLeaseRequest(maxDays),
        response: { 200: LicenceLease, ...errorAnswers(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async (request) => {
      const credentials = readSiteCredentials(request);
      const days = request.body.days ?? maxDays;
      const { lease, kid, claims } = await createLicenceLease(
        platform,
        credentials,
        days,
        publicUrl(),
      );
      return {
        lease,
        key_id: kid,
        issued_at: toIsoMoment(claims.iat * 1_000),
        expires_at: toIsoMoment(claims.exp * 1_000),
      };
    },
  );
}
