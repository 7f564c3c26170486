import { PavisError, PavisUnreachable } from './errors.ts';

const TRIES = 3;
const FIRST_PAUSE_MS = 250;
/** A longer `Retry-After` is not waited for: the call fails with it. */
const LONGEST_PAUSE_MS = 10_000;
/** Statuses that are usually temporary. */
const PASSING = new Set([429, 502, 503, 504]);

/**
 * Tries what may be done twice up to three times, as long as what goes wrong may pass.
 * @param signal also ends a pause, with its reason
 */
export async function retrying<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const pause = pauseAfter(error, tried);
      if (tried >= TRIES || pause > LONGEST_PAUSE_MS || signal?.aborted) throw error;
      await wait(pause, signal);
    }
  }
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function pauseAfter(error: unknown, tried: number): number {
  const spread = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random());
  if (error instanceof PavisUnreachable) return spread;
  if (!(error instanceof PavisError && PASSING.has(error.status))) return Number.POSITIVE_INFINITY;
  return Math.max(spread, (error.retryAfterSeconds ?? 0) * 1000);
}
