import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailureCounts } from './failure-counts.ts';

const WINDOW = 1_000;

describe('FailureCounts', () => {
  it('returns the wait until a key is below the limit', () => {
    const steps = fc.array(
      fc.record({ gap: fc.integer({ min: 0, max: 400 }), key: fc.constantFrom('a', 'b', 'c') }),
      { minLength: 1, maxLength: 100 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (failures, limit) => {
        const counts = new FailureCounts(WINDOW);
        const all: { key: string; at: number }[] = [];
        let now = 1;
        for (const { gap, key } of failures) {
          now += gap;
          all.push({ key, at: now });
          counts.add(key, now);
          for (const asked of ['a', 'b', 'c', 'never']) {
            const countAt = (moment: number) =>
              all.filter((each) => each.key === asked && each.at > moment - WINDOW).length;
            const wait = counts.getWait(asked, limit, now);
            expect(countAt(now + wait)).toBeLessThan(limit);
            if (wait > 0) expect(countAt(now + wait - 1)).toBeGreaterThanOrEqual(limit);
          }
        }
      }),
    );
  });

  it('forgets failures that are taken back', () => {
    const counts = new FailureCounts(WINDOW);
    counts.add('a', 1);
    counts.add('a', 2);
    counts.takeBack('a');
    expect(counts.getWait('a', 1, 3)).toBe(WINDOW - 2);
    counts.takeBack('a');
    counts.takeBack('a');
    expect([counts.getWait('a', 1, 3), counts.size]).toEqual([0, 0]);
  });

  it('drops keys whose failures have left the window', () => {
    const counts = new FailureCounts(WINDOW);
    for (let n = 0; n < 1_000; n++) counts.add(`key ${n}`, n);
    expect(counts.size).toBe(1_000);
    counts.add('later', 1_500);
    expect(counts.size).toBe(500);
  });

  it('evicts the keys that have not failed for the longest time', () => {
    const counts = new FailureCounts(WINDOW, 3);
    for (const key of ['a', 'b', 'c', 'a', 'd']) counts.add(key, 1);
    expect([...counts.keys()]).toEqual(['c', 'a', 'd']);
  });
});
