import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

const SECRETS =
  /pv_(?:live|test|api)_[A-Za-z0-9]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|eyJ[\w-]+\.[\w-]+\.[\w-]*/g;

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

/** Logs JSON lines on standard error, or readable text on a terminal, without personal data and secrets. */
export async function createLogger(
  level: string,
  destination?: DestinationStream,
): Promise<Logger> {
  const options = {
    level,
    base: null,
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (destination) return pino(options, destination);
  if (process.stderr.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    return pino(options, pretty({ destination: 2, sync: true, ignore: 'reqId' }));
  }
  return pino(options, pino.destination({ dest: 2, sync: true }));
}
