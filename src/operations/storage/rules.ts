import { DAY_MS } from '../../platform/durations.ts';
/** What is used and what is left at a moment. */
export interface Reading {
  /** In epoch milliseconds. */
  at: number;
  /** Free space of the disk that the data folder or the database file is on, whichever has less. */
  freeBytes: number;
  databaseBytes: number;
}

/** From when on to alert; undefined for never. */
export interface StorageLimits {
  diskWarnBytes: number | undefined;
  databaseWarnBytes: number | undefined;
}

export const STORAGE_ALERTS = ['disk_low', 'disk_filling', 'database_large'] as const;
export type StorageAlert = (typeof STORAGE_ALERTS)[number];

const FILLING_DAYS = 7;
const OBSERVED_MIN_MS = 10 * 60_000;
/** Less is what a new database or a checkpoint adds at once. */
const GROWTH_MIN_BYTES = 64 * 2 ** 20;

/**
 * In how many days the disk is full if the database grows on as it has between the first reading and the last;
 * undefined if it grows by less than 64 MB, or has not been observed for ten minutes.
 */
export function projectDaysLeft(readings: readonly Reading[]): number | undefined {
  const [first] = readings;
  const last = readings.at(-1);
  if (!first || !last || last.at - first.at < OBSERVED_MIN_MS) return undefined;
  const growth = last.databaseBytes - first.databaseBytes;
  return growth >= GROWTH_MIN_BYTES
    ? ((last.freeBytes / growth) * (last.at - first.at)) / DAY_MS
    : undefined;
}

/**
 * What administrators have to know.
 * @param readings oldest first, at least one
 * @param raised what they were told before: it holds until there is clearly more room, so that a value that
 * moves around a limit is one alert
 */
export function findStorageAlerts(
  readings: readonly Reading[],
  { diskWarnBytes, databaseWarnBytes }: StorageLimits,
  raised: ReadonlySet<StorageAlert>,
): Set<StorageAlert> {
  const { freeBytes, databaseBytes } = readings.at(-1) as Reading;
  const room = (alert: StorageAlert, factor: number) => (raised.has(alert) ? factor : 1);
  const daysLeft = projectDaysLeft(readings);
  const found = new Set<StorageAlert>();
  if (diskWarnBytes !== undefined) {
    if (freeBytes < diskWarnBytes * room('disk_low', 1.25)) found.add('disk_low');
    if (daysLeft !== undefined && daysLeft < FILLING_DAYS * room('disk_filling', 2))
      found.add('disk_filling');
  }
  if (databaseWarnBytes !== undefined) {
    if (databaseBytes >= databaseWarnBytes * room('database_large', 0.9))
      found.add('database_large');
  }
  return found;
}
