import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../platform/durations.ts';
import { findStorageAlerts, projectDaysLeft, type Reading } from './rules.ts';

const GB = 2 ** 30;
const LIMITS = { diskWarnBytes: GB, databaseWarnBytes: 10 * GB };
const NONE = new Set<never>();

const reading = (minutes: number, freeBytes: number, databaseBytes = GB): Reading => ({
  at: minutes * MINUTE_MS,
  freeBytes,
  databaseBytes,
});

describe('findStorageAlerts', () => {
  it('alerts below the limit of free space, and not at it', () => {
    expect([...findStorageAlerts([reading(0, GB)], LIMITS, NONE)]).toEqual([]);
    expect([...findStorageAlerts([reading(0, GB - 1)], LIMITS, NONE)]).toEqual(['disk_low']);
  });

  it('alerts when the database has reached its limit', () => {
    const large = reading(0, 50 * GB, 10 * GB);
    expect([...findStorageAlerts([large], LIMITS, NONE)]).toEqual(['database_large']);
  });

  it('keeps an alert until there is clearly more space, so that a value around the limit is one alert', () => {
    const raised = new Set(['disk_low', 'database_large'] as const);
    const near = reading(0, 1.2 * GB, 9.5 * GB);
    expect(findStorageAlerts([near], LIMITS, raised)).toEqual(raised);
    expect(findStorageAlerts([near], LIMITS, NONE)).toEqual(new Set());
    const clear = reading(0, 1.25 * GB, 9 * GB - 1);
    expect(findStorageAlerts([clear], LIMITS, raised)).toEqual(new Set());
  });

  it('alerts if the disk will be full within a week at the rate of the database', () => {
    // A tenth of a GB in an hour: 2.4 GB a day.
    const grown = (freeBytes: number) => [
      reading(0, freeBytes + GB / 10),
      reading(60, freeBytes, 1.1 * GB),
    ];
    expect(projectDaysLeft(grown(24 * GB))).toBeCloseTo(10, 5);
    expect([...findStorageAlerts(grown(24 * GB), LIMITS, NONE)]).toEqual([]);
    expect([...findStorageAlerts(grown(12 * GB), LIMITS, NONE)]).toEqual(['disk_filling']);
  });

  it('projects nothing from less than ten minutes, nor from a database that does not grow', () => {
    expect(projectDaysLeft([])).toBeUndefined();
    expect(projectDaysLeft([reading(0, GB), reading(9, GB, 2 * GB)])).toBeUndefined();
    expect(projectDaysLeft([reading(0, GB, 2 * GB), reading(60, GB)])).toBeUndefined();
    expect(projectDaysLeft([reading(0, GB), reading(60, GB, GB + 2 ** 25)])).toBeUndefined();
  });

  it('projects nothing from a database that takes no space of this disk', () => {
    const remote = [reading(0, GB), reading(60, GB - 2 ** 20, 2 * GB)];
    expect(projectDaysLeft(remote)).toBeUndefined();
    expect([...findStorageAlerts(remote, { ...LIMITS, diskWarnBytes: 1 }, NONE)]).toEqual([]);
  });

  it('never alerts if the limit is off', () => {
    const off = { diskWarnBytes: undefined, databaseWarnBytes: undefined };
    expect(findStorageAlerts([reading(0, 0, 99 * GB)], off, NONE)).toEqual(new Set());
  });
});
