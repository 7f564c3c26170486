import { createHmac } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { DEACTIVATED } from '../endpoints/rules.ts';

export const DELIVERY_STATUSES = ['pending', 'sending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The delay after the first, second, … failed attempt, about a day in all. */
const RETRY_DELAYS_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  7 * HOUR_MS,
  10 * HOUR_MS,
];

export const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1;

/**
 * The time of the next attempt in epoch milliseconds; undefined if the delivery has failed.
 * @param attempts including this one
 * @param retryAfterMs how long the receiver asks to wait; 0 if it does not
 * @param random from 0 to 1, to spread deliveries that failed together
 */
export function getNextAttempt(
  { attempts, retryAfterMs }: { attempts: number; retryAfterMs: number },
  now: number,
  random: number,
): number | undefined {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (delay === undefined) return undefined;
  return now + Math.max(Math.round(delay * (0.9 + 0.2 * random)), Math.min(retryAfterMs, DAY_MS));
}

/** Milliseconds that a `Retry-After` in seconds or as a date asks to wait (RFC 9110 §10.2.3); 0 without a valid one. */
export function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}

interface Message {
  /** `msg_…` */
  id: string;
  /** The time of the attempt, in seconds since the epoch. */
  timestamp: number;
  body: string;
}

/** The header `webhook-signature`: a signature for each secret (Standard Webhooks, symmetric). */
export const sign = (secrets: readonly Uint8Array[], { id, timestamp, body }: Message): string =>
  secrets
    .map((secret) =>
      createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64'),
    )
    .map((signature) => `v1,${signature}`)
    .join(' ');

/** What is wrong with the status of a response; undefined for 2xx. */
export function findStatusProblem(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    return `The endpoint answered ${status}. Redirects are not followed: enter the address that it redirects to.`;
  }
  if (status === 410) return DEACTIVATED.gone;
  return `The endpoint answered ${status}.`;
}

const UNREACHABLE = 'The endpoint cannot be reached.';
/** What error codes of Node.js mean for the person who runs the endpoint. */
const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The endpoint refused the connection. Check that it runs, and its port.',
  ECONNRESET: 'The endpoint closed the connection without an answer.',
  EPIPE: 'The endpoint closed the connection without an answer.',
  ENOTFOUND: 'The host name of the address does not exist.',
  EAI_AGAIN: 'The host name of the address cannot be resolved at present.',
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EPROTO: 'No TLS connection is possible with the endpoint.',
};

/**
 * Why there was no response, as a sentence.
 * @param code of the error, for example `ECONNREFUSED`
 */
export function describeNetworkError(code: string, message: string): string {
  const known = NETWORK_ERRORS[code];
  if (known) return known;
  if (/CERT|SELF_SIGNED|VERIFY/.test(code))
    return `The TLS certificate of the endpoint is not valid: ${message}.`;
  if (code.startsWith('HPE_')) return 'The endpoint did not answer with HTTP.';
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
