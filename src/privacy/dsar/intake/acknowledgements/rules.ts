import { DAY_MS, HOUR_MS } from '../../../../platform/durations.ts';

/** How many emails to one address are sent at once in a day; together with one an hour, all that it gets. */
const AT_ONCE_PER_DAY = 10;

/** How long what was mailed counts. */
export const COUNTED_MS = DAY_MS;

/** An acknowledgement to the same address. Moments are epoch milliseconds. */
export interface Earlier {
  source: string;
  requestedAt: number;
  dueAt: number;
  /** Null while it waits. */
  mailedAt: number | null;
}

/**
 * When the acknowledgement of a request is mailed: now, or together with others within an hour. A client that floods an
 * address with forged requests delays emails about them by an hour and can neither drop nor delay the one of a
 * person who asks from elsewhere, unless they have as many sources as are served at once in a day.
 */
export function getSendTime(earlier: readonly Earlier[], source: string, now: number): number {
  const recent = earlier.filter(({ mailedAt }) => mailedAt === null || mailedAt > now - HOUR_MS);
  const sentAtOnce = earlier.filter(
    ({ requestedAt, mailedAt }) => mailedAt === requestedAt && requestedAt > now - DAY_MS,
  ).length;
  const isNewSource = recent.every((each) => each.source !== source);
  if (recent.length === 0 || (isNewSource && sentAtOnce < AT_ONCE_PER_DAY)) return now;
  const waiting = recent.filter(({ mailedAt }) => mailedAt === null);
  // What is due at this moment is sent by the job that sends waiting acknowledgements.
  return waiting.length > 0
    ? Math.max(now + 1, Math.min(...waiting.map(({ dueAt }) => dueAt)))
    : Math.max(...recent.map(({ mailedAt }) => mailedAt ?? 0)) + HOUR_MS;
}

/**
 * The first of what waits for one address, each source in turn: one that floods the address cannot keep others
 * out of an email, which has only so much room.
 */
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
