import { DAY_MS, HOUR_MS } from '../../../../platform/durations.ts';

/** Emails to one address that are sent at once, per day. Beyond them it gets one an hour. */
const AT_ONCE_PER_DAY = 10;

/** How long sent emails count towards the limits. */
export const COUNTED_MS = DAY_MS;
/** How long a source is known after an email. */
export const RECENT_MS = HOUR_MS;

/** The acknowledgements to an address that are waiting or were sent in the last `COUNTED_MS`. Moments are epoch milliseconds. */
export interface Earlier {
  /** When the first of those that wait is due; null if none waits. */
  firstDue: number | null;
  /** When the last one was sent; null if none was. */
  lastMailed: number | null;
  /** How many requests of this time were answered at once. */
  sentAtOnce: number;
  /** Whether one of the same source is waiting or was sent in the last `RECENT_MS`. */
  hasSource: boolean;
}

/**
 * When to send the acknowledgement of a request: now, or together with others within an hour. A client that floods
 * an address with forged requests delays only its own emails, not that of a person at another source, unless the
 * client has more sources than are answered at once in a day.
 */
export function getSendTime(
  { firstDue, lastMailed, sentAtOnce, hasSource }: Earlier,
  now: number,
): number {
  const isQuiet = firstDue === null && (lastMailed === null || lastMailed <= now - RECENT_MS);
  if (isQuiet || (!hasSource && sentAtOnce < AT_ONCE_PER_DAY)) return now;
  // Waiting acknowledgements are sent by a job, also those that are due now.
  const dueAt = firstDue === null ? (lastMailed ?? 0) + HOUR_MS : Math.max(now + 1, firstDue);
  // Later if the clock was set back.
  return Math.min(dueAt, now + HOUR_MS);
}
