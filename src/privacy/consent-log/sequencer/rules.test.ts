import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { findGaps, getLateDelay, toRanges } from './rules.ts';

const decision = (id: number, kind = 1) => ({ source: 1 as const, kind, id });
const record = (id: number) => ({ source: 2 as const, kind: 2, id });
const range = (
  first_index: number,
  source: 1 | 2,
  kind: number,
  first_id: number,
  count: number,
) => ({
  first_index,
  source,
  kind,
  first_id,
  count,
});

describe('the ranges of new entries', () => {
  it('are one for successive ids of one source and kind', () => {
    const entries = [record(1), decision(5), decision(6), decision(8), decision(9, 7), record(2)];
    expect(toRanges(entries, 100, undefined)).toEqual({
      continued: undefined,
      added: [
        range(100, 2, 2, 1, 1),
        range(101, 1, 1, 5, 2),
        range(103, 1, 1, 8, 1),
        range(104, 1, 7, 9, 1),
        range(105, 2, 2, 2, 1),
      ],
    });
  });

  it('continue the last range if the next id follows', () => {
    const last = range(10, 1, 1, 5, 3);
    expect(toRanges([decision(8), decision(9), record(1)], 13, last)).toEqual({
      continued: range(10, 1, 1, 5, 5),
      added: [range(15, 2, 2, 1, 1)],
    });
    expect(toRanges([decision(9)], 13, last)).toEqual({
      continued: undefined,
      added: [range(13, 1, 1, 9, 1)],
    });
    expect(toRanges([], 13, last)).toEqual({ continued: undefined, added: [] });
  });
});

describe('gaps', () => {
  it('are the ids that were passed over, by source', () => {
    const entries = [decision(4), record(1), decision(5), decision(9)];
    expect(findGaps(entries, { 1: 2, 2: 0 }, 7)).toEqual([
      { source: 1, first: 3, last: 3, since: 7 },
      { source: 1, first: 6, last: 8, since: 7 },
    ]);
    expect(findGaps([decision(1)], { 1: 2, 2: 0 }, 7)).toEqual([]);
  });
});

describe('the delay until late rows are looked for again', () => {
  it('doubles from a minute to an hour', () => {
    const delays = [getLateDelay(undefined)];
    while (delays.length < 8) delays.push(getLateDelay(delays.at(-1)));
    expect(delays.map((delay) => delay / MINUTE_MS)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });
});
