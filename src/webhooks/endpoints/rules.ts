import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { DAY_MS } from '../../platform/durations.ts';
import { isPublicAddress } from '../../platform/http/ip-addresses.ts';
import type { EventType } from '../event-types.ts';

/** By a person; the endpoint answered 410; every attempt failed for days. */
export const INACTIVE_REASONS = ['by_hand', 'gone', 'failing'] as const;
export type InactiveReason = (typeof INACTIVE_REASONS)[number];

/** The error of the deliveries that wait when an endpoint is deactivated. */
export const DEACTIVATED: Record<InactiveReason, string> = {
  by_hand: 'The endpoint was deactivated.',
  gone: 'The endpoint answered 410, so it was deactivated.',
  failing: 'The endpoint had failed for days, so it was deactivated.',
};

/** Moments are in epoch milliseconds. */
export interface Endpoint {
  id: number;
  url: string;
  description: string;
  eventTypes: readonly EventType[];
  isActive: boolean;
  inactiveReason: InactiveReason | null;
  failingSince: number | null;
  createdAt: number;
  updatedAt: number;
}

/** Limits the work that one event causes. */
export const ENDPOINTS_MAX = 50;
/** An endpoint that has failed for so long without a success is deactivated. */
export const FAILING_FOR_MS = 5 * DAY_MS;
/** How long the previous secret signs as well after a rotation. */
export const SECRET_OVERLAP_MS = DAY_MS;

/** Standard Webhooks: 24 to 64 random bytes. */
const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

export const createSecret = (): string =>
  SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The bytes of a secret that sign. */
export const readSecret = (secret: string): Buffer =>
  Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');

/**
 * Why an address cannot receive webhooks; undefined if it can. Names are resolved when something is sent.
 * @param allowsPrivate whether private networks and http are allowed
 */
export function findUrlProblem(text: string, allowsPrivate: boolean): string | undefined {
  const url = URL.parse(text);
  const schemes = allowsPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol)) {
    const allowed = allowsPrivate ? 'an https or http URL' : 'an https URL';
    return `Enter ${allowed}, for example https://example.com/webhooks.`;
  }
  if (url.username || url.password) {
    return 'Enter a URL without user and password. Verify the signature of the requests instead.';
  }
  if (url.hash) return 'Enter a URL without a fragment (#).';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPrivate = isIP(host) === 0 ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
  if (isPrivate && !allowsPrivate) {
    return `${host} is in a private network. Enter a public address, or set PAVIS_PRIVATE_WEBHOOKS=on to allow private networks.`;
  }
  return undefined;
}
