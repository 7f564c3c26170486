import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PERIOD_UNITS, RETENTION_ACTIONS } from '../../personal-data/index.ts';
import { getDueBefore, isPeriodTooLong, nextNight, partition } from './rules.ts';

const moment = (iso: string) => Date.parse(iso);
const dueAt = (
  iso: string,
  periodValue: number,
  periodUnit: 'days' | 'months' | 'years',
  zone = 'UTC',
) => new Date(getDueBefore(moment(iso), { periodValue, periodUnit }, zone)).toISOString();

const ZONES = ['UTC', 'Europe/London', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
const anyMoment = fc.integer({ min: moment('1975-01-01'), max: moment('2099-12-31') });

/** The local time in a zone, calculated independently. */
function wallClock(milliseconds: number, timeZone: string) {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(
    format.formatToParts(milliseconds).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, time: (hour * 60 + minute) * 60 + second };
}

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

describe('getDueBefore', () => {
  it('is the same day of the month, or the last day of a shorter month', () => {
    expect(dueAt('2026-03-31T10:00:00.000Z', 1, 'months')).toBe('2026-02-28T10:00:00.000Z');
    expect(dueAt('2028-03-31T10:00:00.000Z', 1, 'months')).toBe('2028-02-29T10:00:00.000Z');
    expect(dueAt('2026-12-31T10:00:00.000Z', 13, 'months')).toBe('2025-11-30T10:00:00.000Z');
    expect(dueAt('2028-02-29T10:00:00.000Z', 1, 'years')).toBe('2027-02-28T10:00:00.000Z');
    expect(dueAt('2028-02-29T10:00:00.000Z', 4, 'years')).toBe('2024-02-29T10:00:00.000Z');
    expect(dueAt('2026-03-01T00:00:00.001Z', 1, 'days')).toBe('2026-02-28T00:00:00.001Z');
  });

  it('keeps the time of day across a clock change', () => {
    // London went to summer time on 29 March 2026.
    const asOf = '2026-03-29T11:00:00.000Z';
    expect(dueAt(asOf, 1, 'days', 'Europe/London')).toBe('2026-03-28T12:00:00.000Z');
    expect(dueAt(asOf, 1, 'days')).toBe('2026-03-28T11:00:00.000Z');
    // The last day of a month in New York, when it is the first of the next in UTC.
    const newYear = '2026-04-01T02:00:00.000Z';
    expect(dueAt(newYear, 1, 'months', 'America/New_York')).toBe('2026-03-01T03:00:00.000Z');
    expect(dueAt(newYear, 1, 'months')).toBe('2026-03-01T02:00:00.000Z');
  });

  it('agrees with the calendar', () => {
    fc.assert(
      fc.property(
        anyMoment,
        fc.integer({ min: 1, max: 1_200 }),
        fc.constantFrom(...PERIOD_UNITS),
        fc.constantFrom(...ZONES),
        (asOf, value, periodUnit, zone) => {
          const periodValue = periodUnit === 'years' ? Math.ceil(value / 12) : value;
          const due = getDueBefore(asOf, { periodValue, periodUnit }, zone);
          const now = wallClock(asOf, zone);
          const then = wallClock(due, zone);
          if (periodUnit === 'days') {
            const days = (at: typeof now) => Date.UTC(at.year, at.month - 1, at.day) / 86_400_000;
            expect(days(now) - days(then)).toBe(periodValue);
          } else {
            const months = periodUnit === 'years' ? 12 * periodValue : periodValue;
            const month = now.year * 12 + (now.month - 1) - months;
            const [year, monthOfYear] = [Math.floor(month / 12), (((month % 12) + 12) % 12) + 1];
            const day = Math.min(now.day, daysIn(year, monthOfYear));
            expect([then.year, then.month, then.day]).toEqual([year, monthOfYear, day]);
          }
          // A time skipped by a clock change moves by the skipped time.
          expect(Math.abs(then.time - now.time)).toBeLessThanOrEqual(3_600);
          expect(Math.abs((asOf - due) % 1_000)).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is earlier for a longer period', () => {
    fc.assert(
      fc.property(
        anyMoment,
        fc.integer({ min: 1, max: 1_000 }),
        fc.constantFrom(...PERIOD_UNITS),
        fc.constantFrom(...ZONES),
        (asOf, periodValue, periodUnit, zone) => {
          const due = getDueBefore(asOf, { periodValue, periodUnit }, zone);
          const longer = getDueBefore(asOf, { periodValue: periodValue + 1, periodUnit }, zone);
          expect(due).toBeLessThan(asOf);
          expect(longer).toBeLessThan(due);
        },
      ),
    );
  });
});

describe('A period', () => {
  it('goes back at most a hundred years', () => {
    for (const [periodUnit, most] of [
      ['days', 36_500],
      ['months', 1_200],
      ['years', 100],
    ] as const) {
      expect(isPeriodTooLong({ periodValue: most, periodUnit })).toBe(false);
      expect(isPeriodTooLong({ periodValue: most + 1, periodUnit })).toBe(true);
    }
  });
});

describe('The next run', () => {
  it('is the next 03:00 in the time zone of the site, once each day', () => {
    const next = (iso: string, zone: string) =>
      new Date(nextNight(moment(iso), zone)).toISOString();
    expect(next('2026-11-21T09:30:00.000Z', 'UTC')).toBe('2026-11-22T03:00:00.000Z');
    expect(next('2026-11-21T02:59:00.000Z', 'UTC')).toBe('2026-11-21T03:00:00.000Z');
    expect(next('2026-11-21T03:00:00.000Z', 'UTC')).toBe('2026-11-22T03:00:00.000Z');
    expect(next('2026-07-21T22:30:00.000Z', 'Europe/Berlin')).toBe('2026-07-22T01:00:00.000Z');
    // In Helsinki, 03:00 does not exist on 28 March 2027, and exists twice on 31 October.
    expect(next('2027-03-28T00:59:00.000Z', 'Europe/Helsinki')).toBe('2027-03-28T01:00:00.000Z');
    expect(next('2027-03-28T01:00:00.000Z', 'Europe/Helsinki')).toBe('2027-03-29T00:00:00.000Z');
    expect(next('2027-10-30T23:59:00.000Z', 'Europe/Helsinki')).toBe('2027-10-31T00:00:00.000Z');
    expect(next('2027-10-31T00:30:00.000Z', 'Europe/Helsinki')).toBe('2027-11-01T01:00:00.000Z');
  });
});

describe('What is due', () => {
  const policy = fc.record({
    dataCategory: fc.constantFrom('letters', 'parcels'),
    action: fc.constantFrom(...RETENTION_ACTIONS),
    periodValue: fc.integer({ min: 1, max: 60 }),
    periodUnit: fc.constantFrom(...PERIOD_UNITS),
  });
  const policies = fc
    .array(policy, { maxLength: 8 })
    .map((list) => list.map((each, at) => ({ ...each, id: at + 1 })));

  it('is assigned to one policy: the one that deletes, else the older one', () => {
    fc.assert(
      fc.property(
        policies,
        anyMoment,
        fc.integer({ min: 0, max: 70 * 365 * 86_400_000 }),
        (all, asOf, age) => {
          const shares = partition(all, asOf, 'UTC');
          for (const dataCategory of ['letters', 'parcels']) {
            const due = asOf - age;
            const owners = all
              .filter((each) => each.dataCategory === dataCategory)
              .filter(({ id }) => {
                const { from, before } = shares[id - 1] ?? { from: 0, before: 0 };
                return due >= from && due < before;
              });
            const claimants = all
              .filter((each) => each.dataCategory === dataCategory)
              .filter((each) => due < getDueBefore(asOf, each, 'UTC'));
            const deleting = claimants.filter(({ action }) => action === 'delete');
            const [owner] = deleting.length > 0 ? deleting : claimants;
            expect(owners).toEqual(owner ? [owner] : []);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
