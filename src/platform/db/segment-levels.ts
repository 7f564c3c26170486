import { type RawBuilder, sql } from 'kysely';

/** Segments of a level that one of the next level replaces. */
const MERGED_AT_ONCE = 32;
const LEVELS = [0, 1, 2] as const;
/** Numbers of segments start with this many for each level; fewer ids than an integer can count fill no level. */
const NUMBERS_PER_LEVEL = 2 ** 40;

/** All segments from one number to another, and the number of the segment that replaces them. */
export interface SegmentMerge {
  from: number;
  to: number;
  into: number;
}

/**
 * The levels of an index by segments on SQLite (docs/adr/0035). Each id belongs to one segment of each level, and its
 * entry is in one of these.
 * @param segmentIds ids per segment of the lowest level
 */
export function listLevels(segmentIds: number): readonly { first: number; ids: number }[] {
  return LEVELS.map((level) => ({
    first: level * NUMBERS_PER_LEVEL,
    ids: segmentIds * MERGED_AT_ONCE ** level,
  }));
}

/** The numbers of the segments that may have the entry of an id, as a list in SQL. */
export const selectSegmentsOfId = (id: RawBuilder<unknown>, segmentIds: number) =>
  sql.join(
    listLevels(segmentIds).map(
      ({ first, ids }) => sql`${sql.lit(first)} + ${id} / ${sql.lit(ids)}`,
    ),
  );

/**
 * The next merge: of the segments of the lowest possible level whose ids are all indexed. Ids that are indexed later
 * than larger ones come to new segments, and are merged in the same way.
 * @param lowest the lowest number of a segment of each level, or null
 * @param indexedUpTo the largest indexed id
 */
export function findNextMerge(
  lowest: readonly (number | null)[],
  indexedUpTo: number,
  segmentIds: number,
): SegmentMerge | undefined {
  const levels = listLevels(segmentIds);
  for (const [at, { first }] of levels.entries()) {
    const next = levels[at + 1];
    const number = lowest[at];
    if (!next || number === undefined || number === null) continue;
    const group = Math.floor((number - first) / MERGED_AT_ONCE);
    if ((group + 1) * next.ids - 1 > indexedUpTo) continue;
    const from = first + group * MERGED_AT_ONCE;
    return { from, to: from + MERGED_AT_ONCE - 1, into: next.first + group };
  }
  return undefined;
}
