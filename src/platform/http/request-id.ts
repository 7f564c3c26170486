import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SOUND = /^[\w.-]{1,64}$/;

/** What a request is called in the log: the name its sender gave it in `X-Request-Id`, or a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SOUND.test(given) ? given : randomUUID();
}
