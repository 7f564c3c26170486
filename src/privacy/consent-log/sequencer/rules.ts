import type { LogRange, LogSource } from '../log/tables.ts';

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
