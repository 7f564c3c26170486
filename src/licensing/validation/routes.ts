import type { Platform } from '../../platform/deps.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import type { FastPaths } from '../../platform/http/fast-path.ts';
import { createLimiter } from '../../platform/http/rate-limit.ts';
import { licenceNotFound, readSiteCredentials } from '../activations/index.ts';
import {
  errorAnswers,
  hashKey,
  licenceKeySecurity,
  requireKeyHeader,
  SiteRequest,
  toRenewalUrl,
} from '../licences/index.ts';
import { createFastPath } from './fast-path.ts';
import { getValidationResult, type LicenceSnapshot, type RenewalUrl } from './rules.ts';
import { ValidationResult } from './schemas.ts';
import { createSnapshots } from './service.ts';

/** `POST /licence/validate`: the route that every site calls, and that touches no database when it knows the key. */
export function validationRoutes(
  routes: Routes,
  platform: Platform,
  {
    publicUrl,
    perMinute,
    fastPaths,
  }: { publicUrl: () => string; perMinute: number | undefined; fastPaths: FastPaths },
): void {
  const { clock } = platform;
  const renewalUrl: RenewalUrl = (licence) => toRenewalUrl(publicUrl(), licence);
  const snapshots = createSnapshots(platform);
  const limiter = createLimiter('validate', perMinute, platform);

  function result(snapshot: LicenceSnapshot | null | undefined, site: string) {
    const found = snapshot && getValidationResult(snapshot, site, clock.now(), renewalUrl);
    if (!found) throw licenceNotFound();
    return found;
  }

  routes.post(
    '/licence/validate',
    {
      onRequest: [...(limiter ? [limiter.hook] : []), requireKeyHeader],
      config: { quiet: true },
      schema: {
        tags: ['Licence'],
        security: licenceKeySecurity,
        operationId: 'validate',
        summary: 'Check a licence for a site',
        description:
          'Every decision about a known licence is a 200; `valid` is false for one that is expired, suspended, ' +
          'revoked, or full while this site holds no slot. Called when the key is saved and periodically after; ' +
          'callers keep the answer for 12 hours. `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` ' +
          '(seconds) are on every answer.',
        body: SiteRequest,
        response: { 200: ValidationResult, ...errorAnswers(400, 401, 404, 413, 415, 429) },
      },
    },
    (request) => {
      const { licenceKey, site } = readSiteCredentials(request);
      const keyHash = hashKey(platform, licenceKey);
      const known = snapshots.peek(keyHash);
      if (known !== undefined) return result(known, site);
      return snapshots.get(keyHash).then((snapshot) => result(snapshot, site));
    },
  );
  fastPaths.add(
    createFastPath(`${routes.prefix}/licence/validate`, platform, snapshots, limiter, renewalUrl),
  );
}
