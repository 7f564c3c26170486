import { HOUR_MS, MINUTE_MS } from '../platform/durations.ts';

/** The delay after the first, second, … deferral by a server. */
const DEFERRED_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];
const SPREAD = 0.2;
/** The longest delays after the first, second, … deferral; the last one also after all others. */
export const LONGEST_DEFERRALS_MS = DEFERRED_MS.map((delay) => delay * (1 + SPREAD));
/** An unreachable server may be back at any moment. */
const UNREACHABLE_LONGEST_MS = MINUTE_MS;
/** RFC 5321, 4.5.4.1: four to five days. */
const GIVEN_UP_AFTER_MS = 4 * 24 * HOUR_MS;

/** The server requires a login (RFC 4954 §6) or TLS (RFC 3207 §4): a fault of our settings, not of the mail. */
const LOGIN_REQUIRED = 530;
/**
 * A sender that is refused after MAIL FROM: RFC 3463, 3.2; Postfix, which delays all refusals until RCPT TO; Exchange
 * Online and Amazon SES, which refuse it after DATA.
 */
const SENDER_REFUSED =
  /^\d{3}[ -]\d\.1\.[78]\b|: Sender address rejected:|SendAsDenied|permissions? to send as|Email address is not verified/;

/** Why an attempt failed: the server refused the mail for good, deferred it, or could not be reached or used. */
export type MailFault = 'refused' | 'deferred' | 'unreachable';

/** Classifies an error of nodemailer. */
export function toMailFault(error: unknown): MailFault {
  const { code, responseCode, command, response } = (error ?? {}) as Record<string, unknown>;
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isAboutMail || responseCode === LOGIN_REQUIRED) return 'unreachable';
  if (typeof responseCode === 'number' && responseCode < 500) return 'deferred';
  // All emails have the same sender, so it is a fault of our settings too.
  const isSender = command === 'MAIL FROM' || SENDER_REFUSED.test(String(response));
  return isSender ? 'unreachable' : 'refused';
}

export interface AttemptResult {
  /** Including this one, like `deferrals`. */
  attempts: number;
  deferrals: number;
  createdAt: number;
}

/**
 * The time of the next attempt, in epoch milliseconds; undefined if the mail is given up.
 * @param random from 0 to 1, to spread mails that failed together
 */
export function nextAttempt(
  fault: MailFault,
  { attempts, deferrals, createdAt }: AttemptResult,
  now: number,
  random: number,
): number | undefined {
  if (fault === 'refused' || now - createdAt >= GIVEN_UP_AFTER_MS) return undefined;
  const delay =
    fault === 'unreachable'
      ? Math.min(UNREACHABLE_LONGEST_MS, 1_000 * 2 ** Math.min(attempts - 1, 10))
      : (DEFERRED_MS[Math.min(deferrals, DEFERRED_MS.length) - 1] ?? MINUTE_MS);
  return now + Math.round(delay * (1 - SPREAD + 2 * SPREAD * random));
}
