import { isUtf8 } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import type { SnapshotCache } from '../../platform/cache/snapshot-cache.ts';
import type { Platform } from '../../platform/deps.ts';
import {
  type FastPath,
  type FastPathResponse,
  prebuildResponse,
} from '../../platform/http/fast-path.ts';
import { type Limiter, UNSET_QUOTA_HEADERS } from '../../platform/http/rate-limit.ts';
import { parseSiteCredentials } from '../activations/index.ts';
import { hashKey } from '../licences/index.ts';
import type { Count, ValidationCounts } from './counts/validation-counts.ts';
import {
  getUnchangedUntil,
  getValidationResult,
  type LicenceSnapshot,
  type RenewalUrl,
} from './rules.ts';

const HEADERS = [
  'cache-control',
  'no-store, private',
  'content-type',
  'application/json; charset=utf-8',
];
const BODIES_REMEMBERED = 5_000;
const REMEMBERED_BODY_MAX_LENGTH = 512;
const REMEMBERED_FOR_MS = 5 * 60_000;

/** A parsed body, and its response while the snapshot and the result stay the same. */
interface Remembered {
  licenceKey: string;
  keyHash: string;
  site: string;
  product: string | undefined;
  answer?: {
    snapshot: LicenceSnapshot;
    response: FastPathResponse;
    until: number;
    count: Count;
  };
}

/**
 * Answers valid requests to validate for licences in the cache. All other requests go on to the route; they are
 * not counted here, so they have had no effect. Sites repeat the same request, so parsed bodies and their
 * responses are cached by the text of the body.
 */
export function createFastPath(
  path: string,
  platform: Platform,
  snapshots: SnapshotCache<LicenceSnapshot>,
  limiter: Limiter | undefined,
  { renewalUrl, counts }: { renewalUrl: RenewalUrl; counts: ValidationCounts },
): FastPath {
  const bodies = new LRUCache<string, Remembered>({
    max: BODIES_REMEMBERED,
    ttl: REMEMBERED_FOR_MS,
    ttlResolution: 1_000,
  });

  function read(licenceKey: unknown, body: Buffer): Remembered | undefined {
    // Each byte as a character: cheaper than UTF-8, and as distinct.
    const bytes = body.toString('latin1');
    const known = bodies.get(bytes);
    // The body matched a claim to this key before; the header must match it each time.
    if (known) return known.licenceKey === licenceKey ? known : undefined;
    const claim = isUtf8(body) ? parseSiteCredentials(licenceKey, body.toString()) : undefined;
    if (!claim) return undefined;
    const remembered = { ...claim, keyHash: hashKey(platform, claim.licenceKey) };
    if (bytes.length <= REMEMBERED_BODY_MAX_LENGTH) bodies.set(bytes, remembered);
    return remembered;
  }

  function answerTo(asked: Remembered): Remembered['answer'] {
    const snapshot = snapshots.peek(asked.keyHash);
    if (!snapshot) return undefined;
    if (asked.product !== undefined && asked.product !== snapshot.product) return undefined;
    const now = platform.clock.now();
    if (asked.answer?.snapshot !== snapshot || now >= asked.answer.until) {
      const result = getValidationResult(snapshot, asked.site, now, renewalUrl);
      if (!result) return undefined;
      asked.answer = {
        snapshot,
        response: prebuildResponse(
          [...(limiter ? UNSET_QUOTA_HEADERS : []), ...HEADERS],
          JSON.stringify(result),
        ),
        until: getUnchangedUntil(snapshot, now),
        count: counts.of(snapshot, result.state),
      };
    }
    return asked.answer;
  }

  return {
    method: 'POST',
    path,
    answer(request, body) {
      const asked = read(request.headers['x-licence-key'], body);
      const found = asked && answerTo(asked);
      if (!found) return undefined;
      const quota = limiter?.hit(request);
      if (quota && !quota.allowed) return undefined;
      found.count.requests++;
      const { response } = found;
      quota?.headers.forEach((each, at) => {
        response.headers[at] = each;
      });
      return response;
    },
  };
}
