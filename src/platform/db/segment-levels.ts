/** Segments of a level that one of the next level replaces. */
const MERGED_AT_ONCE = 32;
/**
 * So many segments of a level are merged: twice as many, so that the changes of a retention run are collected before
 * they are merged, too.
 */
export const MERGED_FROM = 2 * MERGED_AT_ONCE;
const LEVELS = [0, 1, 2] as const;
/** Numbers of segments start at a multiple of this. The triggers of migration 084 have the same levels. */
const NUMBERS_PER_LEVEL = 2 ** 40;

/** All segments from one number to another, and the number of the segment that replaces them. */
export interface SegmentMerge {
  from: number;
  to: number;
  into: number;
}

/** A level: its lowest and highest number of a segment, and the ids per segment. */
interface Level {
  first: number;
  last: number;
  ids: number;
}

/**
 * The levels of an index by segments on SQLite (docs/adr/0035). Each id belongs to one segment of each level, and its
 * entry is in one of these.
 * @param segmentIds ids per segment of the lowest level
 */
export function listLevels(segmentIds: number): readonly Level[] {
  return LEVELS.map((level) => ({
    first: level * NUMBERS_PER_LEVEL,
    last: (level + 1) * NUMBERS_PER_LEVEL - 1,
    ids: segmentIds * MERGED_AT_ONCE ** level,
  }));
}

/**
 * The next merge. New ids are written to segments that are too new for it: at least `MERGED_FROM - MERGED_AT_ONCE`
 * segments of the level are newer.
 * @param lowest the lowest number of a segment of each level; null where fewer than `MERGED_FROM` are left
 */
export function findNextMerge(
  lowest: readonly (number | null)[],
  segmentIds: number,
): SegmentMerge | undefined {
  const levels = listLevels(segmentIds);
  for (const [at, { first }] of levels.entries()) {
    const next = levels[at + 1];
    const number = lowest[at];
    if (!next || number === undefined || number === null) continue;
    const group = Math.floor((number - first) / MERGED_AT_ONCE);
    const from = first + group * MERGED_AT_ONCE;
    return { from, to: from + MERGED_AT_ONCE - 1, into: next.first + group };
  }
  return undefined;
}
