import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const VALID = /^[\w.-]{1,64}$/;

/** The `X-Request-Id` of a request if it is valid, otherwise a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && VALID.test(given) ? given : randomUUID();
}

const PROCESS = randomBytes(6).toString('hex');
let count = 0;

/** A new request id at a tenth of the cost: a random prefix of this process, and a number. */
export const nextRequestId = (): string => `${PROCESS}-${count++}`;
