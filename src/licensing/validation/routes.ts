import type { Platform } from '../../platform/deps.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import type { FastPaths } from '../../platform/http/fast-path.ts';
import { createLimiter } from '../../platform/http/rate-limit.ts';
import {
  licenceNotFound,
  readSiteCredentials,
  type SiteCredentials,
} from '../activations/index.ts';
import {
  errorAnswers,
  hashKey,
  licenceKeySecurity,
  requireKeyHeader,
  SiteRequest,
  toRenewalUrl,
} from '../licences/index.ts';
import type { ValidationCounts } from './counts/validation-counts.ts';
import { createFastPath } from './fast-path.ts';
import { getValidationResult, type LicenceSnapshot, type RenewalUrl } from './rules.ts';
import { ValidationResult } from './schemas.ts';
import { createSnapshots } from './service.ts';

/** `POST /licence/validate`, called by every site. It reads the database only for keys that are not cached. */
export function validationRoutes(
  routes: Routes,
  platform: Platform,
  {
    publicUrl,
    perMinute,
    fastPaths,
    counts,
  }: {
    publicUrl: () => string;
    perMinute: number | undefined;
    fastPaths: FastPaths;
    counts: ValidationCounts;
  },
): void {
  const { clock } = platform;
  const renewalUrl: RenewalUrl = (licence) => toRenewalUrl(publicUrl(), licence);
  const snapshots = createSnapshots(platform);
  const limiter = createLimiter('validate', perMinute, platform);

  function result(
    snapshot: LicenceSnapshot | null | undefined,
    { site, product }: SiteCredentials,
  ) {
    const isOther = snapshot && product !== undefined && product !== snapshot.product;
    const found =
      snapshot && !isOther && getValidationResult(snapshot, site, clock.now(), renewalUrl);
    const count = found ? counts.of(snapshot, found.state) : counts.unknownKey;
    count.requests++;
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
        summary: 'Validate a licence for a site',
        description:
          'Returns 200 for every known licence. `valid` is false if the licence is expired, suspended or revoked, or ' +
          'if all slots are in use and this site has none. Called when the key is saved and periodically after; ' +
          'callers cache the result for 12 hours. Every response has the headers `RateLimit-Limit`, ' +
          '`RateLimit-Remaining` and `RateLimit-Reset` (seconds).',
        body: SiteRequest,
        response: { 200: ValidationResult, ...errorAnswers(400, 401, 404, 413, 415, 429) },
      },
    },
    (request) => {
      const asked = readSiteCredentials(request);
      const keyHash = hashKey(platform, asked.licenceKey);
      const known = snapshots.peek(keyHash);
      if (known !== undefined) return result(known, asked);
      return snapshots.get(keyHash).then((snapshot) => result(snapshot, asked));
    },
  );
  const path = `${routes.prefix}/licence/validate`;
  fastPaths.add(createFastPath(path, platform, snapshots, limiter, { renewalUrl, counts }));
}
