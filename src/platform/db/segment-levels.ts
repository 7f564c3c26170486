/** Segments of a level that one of the next level replaces. */
const MERGED_AT_ONCE = 32;
/**
 * So many segments of a level are merged: twice as many, so that the changes of a retention run are collected before
 * they are merged, too.
 */
export const MERGED_FROM = 2 * MERGED_AT_ONCE;
/** Numbers of segments start at a multiple of this. The triggers of migration 084 have the same levels. */
const NUMBERS_PER_LEVEL = 2 ** 40;

/** All segments from one number to another, and the number of the segment that replaces them. */
export interface SegmentMerge {
  from: number;
  to: number;
  into: number;
}

/**
 * The levels of an index by segments on SQLite, lowest first: the lowest and highest number of a segment
 * (docs/adr/0035). Each id belongs to one segment of each level, and its entry is in one of these.
 */
export const LEVELS = [0, 1, 2].map((level) => ({
  first: level * NUMBERS_PER_LEVEL,
  last: (level + 1) * NUMBERS_PER_LEVEL - 1,
}));

/**
 * The next merge. New ids are written to segments that are too new for it: at least `MERGED_FROM - MERGED_AT_ONCE`
 * segments of the level are newer.
 * @param lowest the lowest number of a segment of each level; null where fewer than `MERGED_FROM` are left
 */
export function findNextMerge(lowest: readonly (number | null)[]): SegmentMerge | undefined {
  for (const [at, { first }] of LEVELS.entries()) {
    const next = LEVELS[at + 1];
    const number = lowest[at];
    if (!next || number === undefined || number === null) continue;
    const group = Math.floor((number - first) / MERGED_AT_ONCE);
    const from = first + group * MERGED_AT_ONCE;
    return { from, to: from + MERGED_AT_ONCE - 1, into: next.first + group };
  }
  return undefined;
}
