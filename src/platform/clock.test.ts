import { describe, expect, it } from 'vitest';
import { readMoment } from './clock.ts';

describe('A moment as text', () => {
  it.each([
    ['2027-11-21', '2027-11-21T00:00:00.000Z'],
    ['2027-11-21T10:00Z', '2027-11-21T10:00:00.000Z'],
    ['2027-11-21T00:00:00+00:00', '2027-11-21T00:00:00.000Z'],
    ['2027-11-21T00:30:00+01:00', '2027-11-20T23:30:00.000Z'],
    ['2027-11-21T00:00:00.123456-05:00', '2027-11-21T05:00:00.123Z'],
    ['9999-12-31T23:59:59.000Z', '9999-12-31T23:59:59.000Z'],
  ])('is read with its offset: %s', (text, expected) => {
    expect(readMoment(text)).toBe(Date.parse(expected));
  });

  it.each([
    '2027-02-30',
    '2027-02-30T00:00:00+01:00',
    '2027-11-21T00:00:00',
    '2027-11-21T25:00:00Z',
    '2027-11-21T00:00:00+25:00',
    '9999-12-31T23:59:59-01:00',
    'tomorrow',
    '',
  ])('is refused if it does not exist or has no offset: %j', (text) => {
    expect(readMoment(text)).toBeUndefined();
  });
});
