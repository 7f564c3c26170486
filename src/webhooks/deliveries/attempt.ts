import type { Platform } from '../../platform/deps.ts';
import { formatErrorMessage } from '../../platform/hooks/timeout.ts';
import { PrivateAddressError, post } from '../../platform/http/post.ts';
import { findUrlProblem, readSecret } from '../endpoints/rules.ts';
import { unsealSecret } from '../endpoints/secrets.ts';
import { listSecrets } from '../endpoints/store.ts';
import { describeNetworkError, findStatusProblem, readRetryAfter, sign } from './rules.ts';
import type { AttemptResult, Delivery } from './store.ts';

/** The time limit of an attempt, including the response. The lease is longer. */
export const ATTEMPT_MS = 15_000;
const RESPONSE_MAX = 2_048;
/** The result of a delivery without data, which is not sent. */
export const REMOVED: AttemptResult = {
  status: null,
  response: null,
  error: 'The data of the event was erased or has reached the end of its retention period.',
};

export interface SentAttempt extends AttemptResult {
  /** How long the receiver asks to wait, in milliseconds. */
  retryAfterMs: number;
  /** Whether another attempt can succeed. */
  isFinal: boolean;
}

/**
 * Sends an event to its endpoint once.
 * @param options.allowsPrivate whether the endpoint may be in a private network or on this machine
 * @throws the reason of the signal
 */
export async function attemptDelivery(
  { datastore, clock, secret }: Pick<Platform, 'datastore' | 'clock' | 'secret'>,
  delivery: Delivery & { payload: string },
  { allowsPrivate, signal }: { allowsPrivate: boolean; signal: AbortSignal },
): Promise<SentAttempt> {
  const { url, endpointId, messageId, payload: body } = delivery;
  const failure = { status: null, response: null, retryAfterMs: 0, isFinal: false };
  const problem = findUrlProblem(url, allowsPrivate);
  if (problem !== undefined) return { ...failure, error: problem };
  const now = clock.now();
  const secrets = await listSecrets(datastore.db, endpointId, now);
  const timestamp = Math.floor(now / 1_000);
  const keys = secrets.map((sealed) => readSecret(unsealSecret(secret, sealed)));
  try {
    const { status, text, retryAfter } = await post(new URL(url), body, {
      allowsPrivate,
      timeoutMs: ATTEMPT_MS,
      responseMax: RESPONSE_MAX,
      signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Pavis',
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign(keys, { id: messageId, timestamp, body }),
      },
    });
    return {
      status,
      response: toStoredText(text),
      error: findStatusProblem(status) ?? null,
      retryAfterMs: readRetryAfter(retryAfter, clock.now()),
      isFinal: status === 410,
    };
  } catch (error) {
    signal.throwIfAborted();
    return { ...failure, error: describe(error) };
  }
}

function describe(error: unknown): string {
  if (error instanceof PrivateAddressError) {
    return `${error.message} Set PAVIS_PRIVATE_WEBHOOKS=on to allow private networks.`;
  }
  const message = formatErrorMessage(error);
  return describeNetworkError((error as NodeJS.ErrnoException).code ?? '', message);
}

/** Bytes that are no text become replacement characters. PostgreSQL stores no NUL. */
const toStoredText = (text: string): string => text.replaceAll('\0', '\u{fffd}').toWellFormed();
