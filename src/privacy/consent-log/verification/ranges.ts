import type { LogDb, LogRange, LogSource } from '../log/tables.ts';
import { listRangesAfter } from './store.ts';

const PAGE = 5_000;

/**
 * Checks that the ranges give each entry of the log to exactly one row.
 * @returns what is wrong; undefined if nothing is
 */
export async function checkRanges(log: LogDb, size: number): Promise<string | undefined> {
  let next = 0;
  const ids: Record<LogSource, [first: number, last: number][]> = { 1: [], 2: [] };
  for (let after = -1; ; ) {
    const page = await listRangesAfter(log, after, PAGE);
    for (const range of page) {
      // Logged since the size was read; entries before it can be in a range that was read before it grew.
      if (range.first_index >= size) continue;
      const fault = checkRange(range, next);
      if (fault) return fault;
      ids[range.source].push([range.first_id, range.first_id + range.count - 1]);
      next = range.first_index + range.count;
    }
    const last = page.at(-1);
    if (!last) break;
    after = last.first_index;
  }
  if (next < size) return `the entries from ${next} on belong to no row`;
  return hasOverlap(ids[1]) || hasOverlap(ids[2]) ? 'a row has more than one entry' : undefined;
}

function checkRange({ first_index, count, source }: LogRange, next: number): string | undefined {
  if (first_index > next) return `the entries ${next} to ${first_index - 1} belong to no row`;
  const isValid = count > 0 && (source === 1 || source === 2);
  return first_index < next || !isValid
    ? `the entries from ${first_index} on belong to more than one row`
    : undefined;
}

function hasOverlap(spans: [first: number, last: number][]): boolean {
  spans.sort(([a], [b]) => a - b);
  return spans.some(([first], at) => at > 0 && first <= (spans[at - 1]?.[1] ?? 0));
}
