import { describe, expect, it } from 'vitest';
import { formatLocalTime, getOffsetHours, toLocalDay } from './local-time.ts';

describe('The day of a moment', () => {
  it.each([
    ['UTC', '2026-11-21T23:30:00Z', '2026-11-21'],
    ['Europe/Berlin', '2026-11-21T23:30:00Z', '2026-11-22'],
    ['America/New_York', '2026-11-22T04:30:00Z', '2026-11-21'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
  ])('in %s at %s is %s', (zone, moment, day) => {
    expect(toLocalDay(zone)(Date.parse(moment))).toBe(day);
  });
});

describe('The time of a moment', () => {
  it.each([
    ['UTC', '2026-11-21T00:00:00Z', '2026-11-21 00:00:00'],
    ['Europe/Berlin', '2026-11-21T23:30:09Z', '2026-11-22 00:30:09'],
    ['America/New_York', '2026-07-22T03:59:59Z', '2026-07-21 23:59:59'],
    ['Asia/Kolkata', '2026-07-22T18:30:00Z', '2026-07-23 00:00:00'],
  ])('in %s at %s is %s', (zone, moment, time) => {
    expect(formatLocalTime(zone)(Date.parse(moment))).toBe(time);
  });
});

describe('The offset of a time zone', () => {
  it.each([
    ['UTC', '2026-11-21T00:00:00.999Z', 0],
    ['Europe/Berlin', '2026-10-25T00:59:59.999Z', 2],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', 1],
    ['America/St_Johns', '2026-01-01T00:00:00Z', -3.5],
    ['Asia/Kathmandu', '2026-07-22T18:30:00Z', 5.75],
  ])('in %s at %s is %d hours', (zone, moment, hours) => {
    expect(getOffsetHours(zone, Date.parse(moment))).toBe(hours);
  });
});
