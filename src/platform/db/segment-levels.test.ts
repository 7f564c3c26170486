import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNextMerge, listLevels } from './segment-levels.ts';

const SEGMENT_IDS = 4;
const LEVELS = listLevels(SEGMENT_IDS);
const TOP = LEVELS.at(-1)?.ids ?? 0;

const isOfLevel = (number: number, at: number) =>
  number >= (LEVELS[at]?.first ?? 0) &&
  number < (LEVELS[at + 1]?.first ?? Number.POSITIVE_INFINITY);

/** Entries by the number of their segment. */
type Index = Map<number, number[]>;

function add(index: Index, id: number): void {
  const number = Math.floor(id / SEGMENT_IDS);
  index.set(number, [...(index.get(number) ?? []), id]);
}

/** Does all merges. */
function mergeAll(index: Index, indexedUpTo: number): void {
  for (;;) {
    const lowest = LEVELS.map((_, at) =>
      [...index.keys()]
        .filter((number) => isOfLevel(number, at))
        .reduce<number | null>(
          (least, number) => (least === null ? number : Math.min(least, number)),
          null,
        ),
    );
    const merge = findNextMerge(lowest, indexedUpTo, SEGMENT_IDS);
    if (!merge) return;
    const sources = [...index.keys()].filter((each) => each >= merge.from && each <= merge.to);
    // Else it would never end.
    expect(sources).not.toEqual([]);
    for (const source of sources) {
      index.set(merge.into, [...(index.get(merge.into) ?? []), ...(index.get(source) ?? [])]);
      index.delete(source);
    }
  }
}

describe('Merges of segments', () => {
  const ids = fc.uniqueArray(fc.nat(3 * TOP), { minLength: 1, maxLength: 300 });

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
          mergeAll(index, Math.max(...all));
        }
        for (const [number, entries] of index) {
          for (const id of entries) {
            const own = LEVELS.map(({ first, ids: size }) => first + Math.floor(id / size));
            expect(own).toContain(number);
          }
        }
        expect([...index.values()].flat().sort((a, b) => a - b)).toEqual(
          [...all].sort((a, b) => a - b),
        );
      }),
    );
  });

  it('leave fewer segments of a level than are merged at once, and no ids that could be in a larger one', () => {
    fc.assert(
      fc.property(ids, fc.nat(TOP), (some, more) => {
        const index: Index = new Map();
        for (const id of some) add(index, id);
        const indexedUpTo = Math.max(...some) + more;
        mergeAll(index, indexedUpTo);
        for (const [at, { first }] of LEVELS.entries()) {
          const next = LEVELS[at + 1];
          if (!next) continue;
          const numbers = [...index.keys()].filter((number) => isOfLevel(number, at));
          expect(numbers.length).toBeLessThan(32);
          for (const number of numbers) {
            const end = (Math.floor((number - first) / 32) + 1) * next.ids;
            expect(end).toBeGreaterThan(indexedUpTo + 1);
          }
        }
      }),
    );
  });

  it('do not touch a segment that new ids are still written to', () => {
    const merged = 32 * SEGMENT_IDS;
    expect(findNextMerge([0, null, null], merged - 2, SEGMENT_IDS)).toBeUndefined();
    expect(findNextMerge([0, null, null], merged - 1, SEGMENT_IDS)).toEqual({
      from: 0,
      to: 31,
      into: 2 ** 40,
    });
    expect(findNextMerge([32, 2 ** 40, null], TOP - 1, SEGMENT_IDS)).toEqual({
      from: 32,
      to: 63,
      into: 2 ** 40 + 1,
    });
    expect(findNextMerge([null, 2 ** 40, null], TOP - 1, SEGMENT_IDS)).toEqual({
      from: 2 ** 40,
      to: 2 ** 40 + 31,
      into: 2 ** 41,
    });
    expect(findNextMerge([null, null, 2 ** 41], TOP - 1, SEGMENT_IDS)).toBeUndefined();
  });
});
