import { CLOCKS_DIFFER_MS, systemClock } from '../../../platform/clock.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import type { LogSource } from '../log/tables.ts';
import type { RawRow } from './store.ts';

/** A younger row is pending, also because the log could not be written for a moment. */
const PENDING_MS = MINUTE_MS;

/** Which rows without an entry may be waiting for it. */
export interface PendingLimits {
  /** The earliest moment at which they were added, in epoch milliseconds. */
  from: number;
  /** Epoch milliseconds. They can also be added while a verification runs. */
  startedAt: number;
  /** By source: rows up to this id have their entry by now, or never get one. */
  after: Readonly<Record<LogSource, number>>;
}

/**
 * @param now epoch milliseconds
 * @param lastIds the highest id of each source that has an entry
 * @param isSqlite whether rows are committed in the order of their ids
 */
export const toPendingLimits = (
  now: number,
  lastIds: Readonly<Record<LogSource, number>>,
  isSqlite: boolean,
): PendingLimits => ({
  from: now - PENDING_MS,
  startedAt: now,
  // PostgreSQL can commit a row after rows with higher ids, and ids begin with 1.
  after: isSqlite ? lastIds : { 1: 0, 2: 0 },
});

/** Whether a row without an entry may be waiting for it. */
export function isPending(
  { from, startedAt, after }: PendingLimits,
  source: LogSource,
  row: RawRow,
): boolean {
  // Anonymising takes the time of day from a record: the withdrawal that an erasure adds may be younger than it says.
  const since = Math.max(Number(row.created_at), Number(row.anonymised_at ?? 0));
  const until = Math.max(startedAt, systemClock.now()) + CLOCKS_DIFFER_MS;
  return row.id > after[source] && from <= since && since <= until;
}
