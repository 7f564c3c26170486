import { withoutSecrets } from '../log.ts';

export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Stops waiting for work after a time; its later outcome is ignored.
 * @param limit milliseconds
 * @throws TimeoutError, or what the work throws
 */
export async function withTimeout<T>(limit: number, work: () => T | PromiseLike<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new TimeoutError(`gave no result within ${limit} ms`)),
    limit,
  );
  try {
    return await Promise.race([work(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** An Error that the log can describe: extensions throw anything. */
export function toError(thrown: unknown): Error {
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

/** Removed from messages, because they reveal how the server is installed. Paths of URLs stay. */
const DIRECTORIES = /(?<![\w:./-])(?:[A-Za-z]:)?(?:[\\/][^\s\\/'"`:]+)*[\\/](?=[^\s\\/'"`:]+)/g;

/** The first line of a message, without keys, tokens, addresses and directories. */
export function formatErrorMessage(thrown: unknown): string {
  const [first = ''] = toError(thrown).message.split(/\n\s*(?:at |Require stack:)/);
  const line = withoutSecrets(first)
    .replace(/ imported from .*$/s, '')
    .replaceAll('file://', '')
    .replace(DIRECTORIES, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line || 'an error without a message';
}
