import type { Authenticate } from '../../caller.ts';
import type { AttemptLimits } from './attempt-limits.ts';

/**
 * Limits wrong application passwords like wrong login passwords. A right one is refused only where its own
 * client has failed too often: nobody guesses 143 random bits, and programs have no cookie that would tell them
 * from strangers.
 */
export function withBasicLimits(authenticate: Authenticate, limits: AttemptLimits): Authenticate {
  return async (request) => {
    const caller = await authenticate(request);
    const { basic, ...found } = caller;
    if (!basic) return caller;
    const attempt = { ...basic, address: request.client() };
    const wait = limits.getWait(attempt, basic.user ? ['address'] : undefined);
    if (basic.user) return wait > 0 ? { user: null, badNonce: false, lockedForMs: wait } : found;
    if (wait === 0) {
      const reached = limits.count(attempt);
      if (reached) limits.recordLock(attempt, reached);
    }
    return wait > 0 && !found.user ? { ...found, lockedForMs: wait } : found;
  };
}
