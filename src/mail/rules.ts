import { HOUR_MS, MINUTE_MS } from '../platform/durations.ts';

/** How long to wait after the first, second, … time that a server asked for patience. */
const DEFERRED_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];
/** A server that cannot be reached is nobody's fault, and may be back at any moment. */
const UNREACHABLE_LONGEST_MS = MINUTE_MS;
/** After that long a mail is of no more use (RFC 5321, 4.5.4.1: four to five days). */
const GIVEN_UP_AFTER_MS = 4 * 24 * HOUR_MS;

/**
 * What a failed attempt means: `refused`, this mail will never be taken; `deferred`, the server wants
 * it later; `unreachable`, there is no talking to the server at all.
 */
export type MailFault = 'refused' | 'deferred' | 'unreachable';

/** Reads an error of the mail library: only an answer about the mail itself is about the mail. */
export function toMailFault(error: unknown): MailFault {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown };
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isAboutMail) return 'unreachable';
  return typeof responseCode === 'number' && responseCode < 500 ? 'deferred' : 'refused';
}

export interface AttemptResult {
  /** Attempts and deferrals so far, this one included. */
  attempts: number;
  deferrals: number;
  createdAt: number;
}

/**
 * When a mail is tried again, in epoch milliseconds; undefined if it is given up.
 * @param random between 0 and 1, so that those that failed together do not return together
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
  return now + Math.round(delay * (0.8 + 0.4 * random));
}
