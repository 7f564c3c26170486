import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../platform/durations.ts';
import { COUNTED_MS, type Earlier, getSendTime, RECENT_MS } from './rules.ts';

interface Row {
  source: string;
  requestedAt: number;
  dueAt: number;
  mailedAt: number | null;
}

/** As the store counts. */
function summarise(rows: readonly Row[], source: string, now: number): Earlier {
  const counted = rows.filter(({ mailedAt }) => mailedAt === null || mailedAt > now - COUNTED_MS);
  const dues = counted.filter(({ mailedAt }) => mailedAt === null).map(({ dueAt }) => dueAt);
  const mailed = counted.flatMap(({ mailedAt }) => mailedAt ?? []);
  return {
    firstDue: dues.length > 0 ? Math.min(...dues) : null,
    lastMailed: mailed.length > 0 ? Math.max(...mailed) : null,
    sentAtOnce: counted.filter(
      ({ mailedAt, requestedAt }) => mailedAt === requestedAt && requestedAt > now - COUNTED_MS,
    ).length,
    hasSource: counted.some(
      (each) =>
        each.source === source && (each.mailedAt === null || each.mailedAt > now - RECENT_MS),
    ),
  };
}

/** Simulates requests to one address: when emails are sent, and when each request is included. */
function play(requests: readonly { source: string; at: number }[]) {
  const rows: Row[] = [];
  const flush = (until: number) => {
    for (;;) {
      const waiting = rows.filter(({ mailedAt }) => mailedAt === null);
      const due = Math.min(...waiting.map(({ dueAt }) => dueAt));
      if (waiting.length === 0 || due > until) return;
      for (const row of waiting) row.mailedAt = due;
    }
  };
  for (const { source, at } of requests.toSorted((a, b) => a.at - b.at)) {
    flush(at);
    const dueAt = getSendTime(summarise(rows, source, at), at);
    rows.push({ source, requestedAt: at, dueAt, mailedAt: dueAt <= at ? at : null });
  }
  flush(Number.POSITIVE_INFINITY);
  return rows as (Row & { mailedAt: number })[];
}

const requests = (sources: number) =>
  fc.array(
    fc.record({
      source: fc.integer({ min: 1, max: sources }).map(String),
      at: fc.integer({ min: 0, max: 2 * DAY_MS }),
    }),
    { maxLength: 300 },
  );

describe('Acknowledgements to one address', () => {
  it('are sent at once for the first request, and during a flood for one from another source', () => {
    const flood = Array.from({ length: 50 }, (_, n) => ({ source: 'forger', at: n * 1_000 }));
    const rows = play([...flood, { source: 'person', at: 60_000 }]);
    expect(rows[0]?.mailedAt).toBe(0);
    expect(rows.at(-1)).toMatchObject({ source: 'person', mailedAt: 60_000 });
    const merged = rows.filter(({ source }) => source === 'forger').slice(1);
    expect(new Set(merged.map(({ mailedAt }) => mailedAt))).toEqual(new Set([HOUR_MS]));
  });

  it('wait at most an hour, and are all sent', () => {
    fc.assert(
      fc.property(requests(40), (given) => {
        for (const { requestedAt, mailedAt } of play(given)) {
          expect(mailedAt).toBeGreaterThanOrEqual(requestedAt);
          expect(mailedAt - requestedAt).toBeLessThanOrEqual(HOUR_MS);
        }
      }),
    );
  });

  it('are limited to 24 emails a day and ten from further sources', () => {
    fc.assert(
      fc.property(requests(300), (given) => {
        const moments = [...new Set(play(given).map(({ mailedAt }) => mailedAt))].toSorted(
          (a, b) => a - b,
        );
        for (const [first, from] of moments.entries()) {
          const inDay = moments.slice(first).filter((moment) => moment < from + DAY_MS);
          expect(inDay.length).toBeLessThanOrEqual(24 + 10 + 1);
        }
      }),
    );
  });
});
