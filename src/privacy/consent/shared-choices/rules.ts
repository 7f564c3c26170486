import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '../../../platform/crypto/constant-time.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';

/** The `source` of a choice that the person made on another device. */
export const SHARED_SOURCE = 'shared';
/** The `source` of a choice that was made here before, and is sent again with a token. */
const RESENT_SOURCE = 'resent';

/** Whether a choice was made before it is sent, so that it keeps its time. */
export const isEarlierChoice = (source: string | null | undefined): boolean =>
  source === SHARED_SOURCE || source === RESENT_SOURCE;

/**
 * When a visitor made a choice, in epoch milliseconds. One that is sent again must not hold longer for it, also if its token
 * has expired on the way.
 * @param at in epoch seconds, by the clock of the browser
 */
export const getChoiceTime = (
  { source, at }: { source?: string; at?: number },
  now: number,
): number =>
  source === RESENT_SOURCE && at !== undefined ? Math.min(Math.max(at * 1_000, 0), now) : now;

const TOKEN = /^(v1\.([\w-]{43})\.(\d{1,12})\.[\w-]{1,64})\.([\w-]{43})$/;

const VALID_FOR_MS = 10 * MINUTE_MS;
/** Between the clocks of the two servers, both ways. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** What a token proves: the server of the site has issued it for this person. */
export interface SubjectToken {
  /** An HMAC of the person's id. */
  subject: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The person or visitor who made a choice. */
export interface ChoiceOwner {
  subject: string;
  /** Whether nothing optional was on before it. */
  askedFirst: boolean;
  /** Epoch milliseconds. */
  choseAt: number;
}

/**
 * Opens a token `v1.SUBJECT.ISSUED.NONCE.MAC`, of which `MAC` is the HMAC-SHA256 of what precedes it.
 * @param key the subject key, as the settings of the site have it
 * @returns undefined for a token that is malformed, was not made with the key or is not valid now
 */
export function openSubjectToken(
  key: string,
  token: string,
  now: number,
): SubjectToken | undefined {
  const [, signed = '', subject = '', issued, mac = ''] = TOKEN.exec(token) ?? [];
  const expected = createHmac('sha256', key).update(signed).digest('base64url');
  if (!equalInConstantTime(mac, expected)) return undefined;
  const issuedAt = Number(issued) * 1_000;
  const expiresAt = issuedAt + VALID_FOR_MS + CLOCK_SKEW_MS;
  return issuedAt - CLOCK_SKEW_MS <= now && now < expiresAt ? { subject, expiresAt } : undefined;
}
