import { withoutSecrets } from '../log.ts';

/** Work that was given up. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Does the work, and gives it up when it has not settled in time; how it ends later is ignored.
 * @param limit in milliseconds
 * @throws whatever the work throws, or a TimeoutError
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

/** What was thrown, as an Error that the log can describe: foreign code throws anything. */
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

/** Paths say how the server is installed; the name of the file is enough. Paths of web addresses stay. */
const DIRECTORIES = /(?<![\w:./-])(?:[A-Za-z]:)?(?:[\\/][^\s\\/'"`:]+)*[\\/](?=[^\s\\/'"`:]+)/g;

/** The first line of the message of what was thrown, without keys, tokens, addresses and directories. */
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
