import { DAY_MS, HOUR_MS } from '../../../../platform/durations.ts';

/** Emails to one address that are sent at once, per day. Beyond them it gets one an hour. */
const AT_ONCE_PER_DAY = 10;

/** How long sent emails count towards the limits. */
export const COUNTED_MS = DAY_MS;

/** An acknowledgement to the same address. Moments are epoch milliseconds. */
export interface Earlier {
  source: string;
  requestedAt: number;
  dueAt: number;
  /** Null while it is waiting. */
  mailedAt: number | null;
}

/**
 * When to send the acknowledgement of a request: now, or together with others within an hour. A client that floods
 * an address with forged requests delays only its own emails, not that of a person at another source, unless the
 * client has more sources than are answered at once in a day.
 */
export function getSendTime(earlier: readonly Earlier[], source: string, now: number): number {
  const recent = earlier.filter(({ mailedAt }) => mailedAt === null || mailedAt > now - HOUR_MS);
  const sentAtOnce = earlier.filter(
    ({ requestedAt, mailedAt }) => mailedAt === requestedAt && requestedAt > now - DAY_MS,
  ).length;
  const isNewSource = recent.every((each) => each.source !== source);
  if (recent.length === 0 || (isNewSource && sentAtOnce < AT_ONCE_PER_DAY)) return now;
  const waiting = recent.filter(({ mailedAt }) => mailedAt === null);
  // Waiting acknowledgements are sent by a job, also those that are due now.
  const dueAt =
    waiting.length > 0
      ? Math.max(now + 1, Math.min(...waiting.map((each) => each.dueAt)))
      : Math.max(...recent.map(({ mailedAt }) => mailedAt ?? 0)) + HOUR_MS;
  // Later if the clock was set back.
  return Math.min(dueAt, now + HOUR_MS);
}

/** The first acknowledgements, taken from each source in turn, so that a flood from one leaves room for others. */
export function takeRoundRobin<T extends { source: string }>(
  waiting: readonly T[],
  most: number,
): T[] {
  const turns = new Map<string, number>();
  return waiting
    .map((each) => {
      const turn = turns.get(each.source) ?? 0;
      turns.set(each.source, turn + 1);
      return { each, turn };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, most)
    .map(({ each }) => each);
}
