import { HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import type { LogRange, LogSource } from '../log/tables.ts';

/** How long after a run of the thread rows are looked for that were committed late. */
const FIRST_LOOK_MS = MINUTE_MS;
const LAST_LOOK_MS = HOUR_MS;

/**
 * The longer a transaction was open, the longer its row may wait.
 * @param previous the delay before; undefined if rows were logged since
 * @returns milliseconds: a minute at first, twice the delay before then, at most an hour
 */
export const getLateDelay = (previous: number | undefined): number =>
  previous === undefined ? FIRST_LOOK_MS : Math.min(previous * 2, LAST_LOOK_MS);

/** A row that has no entry yet. */
export interface PendingEntry {
  source: LogSource;
  id: number;
  kind: number;
  /** `ENTRY_BYTES` long. */
  entry: Buffer;
}

/** Ids of a source without entries, from `first` to `last`. */
export interface Gap {
  source: LogSource;
  first: number;
  last: number;
  /** When it was found, in epoch milliseconds. */
  since: number;
}

/**
 * The ranges of new entries. Successive ids of one source and kind share one.
 * @param last the range before them; it is continued if it can be
 */
export function toRanges(
  entries: readonly Pick<PendingEntry, 'source' | 'id' | 'kind'>[],
  size: number,
  last: LogRange | undefined,
): { continued: LogRange | undefined; added: LogRange[] } {
  const ranges = last ? [{ ...last }] : [];
  for (const [at, { source, id, kind }] of entries.entries()) {
    const range = ranges.at(-1);
    if (range?.source === source && range.kind === kind && id === range.first_id + range.count) {
      range.count++;
    } else ranges.push({ first_index: size + at, source, kind, first_id: id, count: 1 });
  }
  const [first] = ranges;
  const isContinued = last !== undefined && first !== undefined && first.count > last.count;
  return { continued: isContinued ? first : undefined, added: last ? ranges.slice(1) : ranges };
}

/** The ids that were passed over between entries. On PostgreSQL their transactions may still be committed. */
export function findGaps(
  entries: readonly Pick<PendingEntry, 'source' | 'id'>[],
  lastIds: Readonly<Record<LogSource, number>>,
  since: number,
): Gap[] {
  const next = { ...lastIds };
  const gaps: Gap[] = [];
  for (const { source, id } of entries) {
    if (id > next[source] + 1) gaps.push({ source, first: next[source] + 1, last: id - 1, since });
    next[source] = Math.max(next[source], id);
  }
  return gaps;
}
