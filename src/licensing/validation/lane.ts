import type { SnapshotCache } from '../../platform/cache/snapshot-cache.ts';
import type { Platform } from '../../platform/deps.ts';
import type { Lane } from '../../platform/http/fast-lane.ts';
import type { Limiter } from '../../platform/http/rate-limit.ts';
import { plainSiteClaim } from '../activations/index.ts';
import { hashKey } from '../licences/index.ts';
import { type LicenceSnapshot, validationResult } from './rules.ts';

/**
 * Answers validate for a sound request about a licence that is in the cache. It counts the request
 * last, and a refused one counts for nothing: what goes on to the route has had no effect.
 */
export function validationLane(
  path: string,
  platform: Platform,
  snapshots: SnapshotCache<LicenceSnapshot>,
  limiter: Limiter | undefined,
): Lane {
  return {
    method: 'POST',
    path,
    answer(request, body) {
      const claim = plainSiteClaim(request.headers, body);
      const snapshot = claim && snapshots.peek(hashKey(platform, claim.licenceKey));
      const result = snapshot && validationResult(snapshot, claim.site, platform.clock.now());
      if (!result) return undefined;
      const quota = limiter?.hit(request);
      if (quota && !quota.allowed) return undefined;
      const headers = quota?.headers ?? [];
      headers.push('cache-control', 'no-store, private');
      return { headers, json: JSON.stringify(result) };
    },
  };
}
