import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { databaseFault } from './db/database-fault.ts';

export type { Logger } from 'pino';

const WORD = '[\\p{L}\\p{M}\\p{N}_.+-]';
/**
 * An address that `readEmail` accepts, without signs before it that delimit addresses in messages as well: `=`, `/`, `*`. It
 * begins where its word begins, because a search from each letter of a long word takes quadratic time.
 */
const ADDRESS = `(?<!${WORD}'?)${WORD}+(?:'${WORD}+)*@[\\p{L}\\p{M}\\p{N}_-]+(?:\\.[\\p{L}\\p{M}\\p{N}_-]+)+`;
/** A JWT, with what is joined to it: it begins where its word begins as well, since `eyJ` can be in a word many times. */
const TOKEN = '(?<![\\w-])(?=[\\w-]*eyJ[\\w-])[\\w-]+\\.[\\w-]+\\.[\\w-]*';
// A key that came first would take the beginning of the word from an address or a token.
const SECRETS = new RegExp(`${ADDRESS}|${TOKEN}|pv_(?:live|test|api)_[A-Za-z0-9]+`, 'gu');

/** Removes licence keys, API tokens, email addresses and bearer tokens. */
export const withoutSecrets = (text: string): string => text.replace(SECRETS, '[hidden]');

/** Only these fields: others of a database error contain the row. */
function describeError(error: Error & { code?: unknown }) {
  return {
    type: error.name,
    code: error.code,
    message: withoutSecrets(error.message),
    stack: error.stack === undefined ? undefined : withoutSecrets(error.stack),
  };
}

const REPEATED_AFTER_MS = 60_000;

/**
 * All requests and workers fail while the database is away, locked or cannot be written. Each message about it is logged
 * once a minute for each cause.
 * @returns for an error and its message, how many lines were left out before; undefined if this one is left out
 */
function createRepeatCounter(): (err: unknown, message: unknown) => number | undefined {
  const known = new Map<string, { at: number; repeated: number }>();
  return (err, message) => {
    const fault = databaseFault(err);
    if (fault === undefined || fault === 'fault') return 0;
    const { code, message: cause } = err as Error & { code?: unknown };
    const key = `${message} ${fault} ${code ?? cause}`;
    const now = performance.now();
    const last = known.get(key);
    if (last && now - last.at < REPEATED_AFTER_MS) {
      last.repeated++;
      return undefined;
    }
    known.set(key, { at: now, repeated: 0 });
    return last?.repeated ?? 0;
  };
}

/** Logs JSON lines on standard error, or readable text on a terminal, without personal data and secrets. */
export async function createLogger(
  level: string,
  destination?: DestinationStream,
): Promise<Logger> {
  const countRepeats = createRepeatCounter();
  const options = {
    level,
    base: null,
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn) {
        const [fields, message] = args as unknown[] as [{ err?: unknown } | undefined, string];
        const repeated = countRepeats(fields?.err, message);
        if (repeated === 0) method.apply(this, args);
        else if (repeated !== undefined) method.call(this, { ...fields, repeated }, message);
      },
    },
  };
  if (destination) return pino(options, destination);
  if (process.stderr.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    return pino(options, pretty({ destination: 2, sync: true, ignore: 'reqId' }));
  }
  return pino(options, pino.destination({ dest: 2, sync: true }));
}
