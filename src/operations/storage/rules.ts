import { DAY_MS } from '../../platform/durations.ts';

export interface Reading {
  /** Epoch milliseconds. */
  at: number;
  /** The free space of the disk with less of it, if the data folder and the database are on two disks. */
  freeBytes: number;
  databaseBytes: number;
}

/** Undefined disables an alert. */
export interface StorageLimits {
  diskWarnBytes: number | undefined;
  databaseWarnBytes: number | undefined;
}

export const STORAGE_ALERTS = ['disk_low', 'disk_filling', 'database_large'] as const;
export type StorageAlert = (typeof STORAGE_ALERTS)[number];

const FILLING_DAYS = 7;
const OBSERVED_MIN_MS = 10 * 60_000;
/** A new database or a checkpoint can add less at once. */
const GROWTH_MIN_BYTES = 64 * 2 ** 20;

/**
 * Days until the disk is full if the database keeps growing as between the first and the last reading; undefined if it
 * has grown by less than 64 MB, or the readings span less than ten minutes. Only growth that has also used up free space
 * counts: a PostgreSQL database can be on another machine.
 */
export function projectDaysLeft(readings: readonly Reading[]): number | undefined {
  const [first] = readings;
  const last = readings.at(-1);
  if (!first || !last || last.at - first.at < OBSERVED_MIN_MS) return undefined;
  const growth = Math.min(
    last.databaseBytes - first.databaseBytes,
    first.freeBytes - last.freeBytes,
  );
  return growth >= GROWTH_MIN_BYTES
    ? ((last.freeBytes / growth) * (last.at - first.at)) / DAY_MS
    : undefined;
}

/**
 * @param readings oldest first, at least one
 * @param raised active alerts. They end at a higher limit than they start, so that a value around a limit raises one
 * alert.
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
