import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNextMerge, LEVELS, MERGED_FROM } from './segment-levels.ts';

const SEGMENT_IDS = 2;
/** Each segment replaces 32 of the level below. */
const countIds = (level: number) => SEGMENT_IDS * 32 ** level;
const TOP = countIds(2);

const isOfLevel = (number: number, at: number) =>
  number >= (LEVELS[at]?.first ?? 0) && number <= (LEVELS[at]?.last ?? 0);

/** Entries by the number of their segment. */
type Index = Map<number, number[]>;

function add(index: Index, id: number): void {
  const number = Math.floor(id / SEGMENT_IDS);
  index.set(number, [...(index.get(number) ?? []), id]);
}

/** Does all merges. */
function mergeAll(index: Index): void {
  for (;;) {
    const lowest = LEVELS.map((_, at) => {
      const numbers = [...index.keys()].filter((number) => isOfLevel(number, at));
      return numbers.length < MERGED_FROM ? null : Math.min(...numbers);
    });
    const merge = findNextMerge(lowest);
    if (!merge) return;
    const sources = [...index.keys()].filter((each) => each >= merge.from && each <= merge.to);
    // Else it would never end.
    expect(sources).not.toEqual([]);
    // New ids come to the newest segment.
    const newest = Math.max(...[...index.keys()].filter((number) => isOfLevel(number, 0)));
    expect(sources).not.toContain(newest);
    for (const source of sources) {
      index.set(merge.into, [...(index.get(merge.into) ?? []), ...(index.get(source) ?? [])]);
      index.delete(source);
    }
  }
}

describe('Merges of segments', () => {
  const ids = fc.uniqueArray(fc.nat(3 * TOP), { minLength: 1, maxLength: 600 });

  it('leave each entry in one segment, which is one of those of its id', () => {
    fc.assert(
      fc.property(ids, ids, (early, late) => {
        const index: Index = new Map();
        const all = new Set<number>();
        // Ids that come late are smaller than some that are merged.
        for (const batch of [early, late]) {
          for (const id of batch.filter((each) => !all.has(each))) {
            all.add(id);
            add(index, id);
          }
          mergeAll(index);
        }
        for (const [number, entries] of index) {
          for (const id of entries) {
            const own = LEVELS.map(({ first }, at) => first + Math.floor(id / countIds(at)));
            expect(own).toContain(number);
          }
        }
        expect([...index.values()].flat().sort((a, b) => a - b)).toEqual(
          [...all].sort((a, b) => a - b),
        );
      }),
    );
  });

  it('leave fewer than 64 segments of a level, as long as the highest has not that many', () => {
    const index: Index = new Map();
    let most = 0;
    for (let id = 0; id < 3 * TOP; id++) {
      add(index, id);
      if (id % SEGMENT_IDS === 0) mergeAll(index);
      most = Math.max(most, index.size);
    }
    mergeAll(index);
    const counts = LEVELS.map(
      (_, at) => [...index.keys()].filter((number) => isOfLevel(number, at)).length,
    );
    expect(Math.max(...counts)).toBeLessThan(64);
    expect(most).toBeLessThan(130);
  });

  it('merge the lowest segments of the lowest level that has too many', () => {
    expect(findNextMerge([null, null, null])).toBeUndefined();
    expect(findNextMerge([33, 2 ** 40, null])).toEqual({
      from: 32,
      to: 63,
      into: 2 ** 40 + 1,
    });
    expect(findNextMerge([null, 2 ** 40 + 31, null])).toEqual({
      from: 2 ** 40,
      to: 2 ** 40 + 31,
      into: 2 ** 41,
    });
    expect(findNextMerge([null, null, 2 ** 41])).toBeUndefined();
  });
});
