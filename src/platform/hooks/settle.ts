import { withoutSecrets } from '../log.ts';

/**
 * Does the work, and gives it up when it has not settled in time; how it ends later is ignored.
 * @param limit in milliseconds
 * @throws whatever the work throws, or an Error that says it took too long
 */
export async function settleWithin<T>(limit: number, work: () => T | PromiseLike<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`gave no result within ${limit} ms`)), limit);
  try {
    return await Promise.race([work(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** What was thrown, as an Error that the log can describe: foreign code throws anything. */
export function asError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) {
      const { message, stack } = thrown;
      if (typeof message === 'string' && typeof stack === 'string') return thrown;
    }
    return new Error(String(thrown));
  } catch {
    return new Error('something that cannot be shown was thrown');
  }
}

/** The message of what was thrown, on one line and without keys, tokens and addresses. */
export function messageOf(thrown: unknown): string {
  const line = withoutSecrets(asError(thrown).message).replace(/\s+/g, ' ').trim();
  return line || 'an error without a message';
}
