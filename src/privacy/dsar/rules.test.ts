import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../platform/durations.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import {
  CASE_STATUSES,
  countDays,
  createReference,
  findArticle,
  formatStatus,
  getDeadline,
  getMedian,
  isClosed,
  listTransitions,
  needsReason,
  pausesDeadline,
  readReference,
} from './rules.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** An independent calculation of the deadline. */
function monthsLater(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const target = month - 1 + months;
  const [y, m] = [year + Math.floor(target / 12), target % 12];
  const isLeap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const last = m === 1 && isLeap ? 29 : (LENGTHS[m] ?? 0);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${y}-${two(m + 1)}-${two(Math.min(date, last))}`;
}

describe('The deadline', () => {
  const term = { requestType: 'access', regime: 'gdpr', extended: false, pausedDays: 0 } as const;

  it.each(ZONES)(
    'is one calendar month after receipt, three if extended, for every day from 2023 to 2032 in %s',
    (zone) => {
      const formatDay = toLocalDay(zone);
      const days = new Set<string>();
      for (let at = Date.UTC(2023, 0, 1, 11, 59); at < Date.UTC(2033, 0, 1); at += DAY_MS / 2) {
        const receivedOn = formatDay(at);
        days.add(receivedOn);
        expect(getDeadline({ ...term, receivedOn })).toBe(monthsLater(receivedOn, 1));
        expect(getDeadline({ ...term, receivedOn, extended: true })).toBe(
          monthsLater(receivedOn, 3),
        );
      }
      expect(days.size).toBeGreaterThanOrEqual(3_653);
    },
  );

  it.each([
    ['2026-01-31', false, '2026-02-28'],
    ['2028-01-31', false, '2028-02-29'],
    ['2026-08-31', false, '2026-09-30'],
    ['2026-03-05', false, '2026-04-05'],
    ['2026-12-31', false, '2027-01-31'],
    ['2026-01-31', true, '2026-04-30'],
    ['2026-11-30', true, '2027-02-28'],
  ])('of %s (extended: %s) is %s', (receivedOn, extended, deadline) => {
    expect(getDeadline({ ...term, receivedOn, extended })).toBe(deadline);
  });

  it('is 45 and 90 days under the CCPA, and 15 under the LGPD', () => {
    const of = (regime: 'ccpa' | 'lgpd', extended: boolean) =>
      countDays('2026-01-31', getDeadline({ ...term, receivedOn: '2026-01-31', regime, extended }));
    expect([of('ccpa', false), of('ccpa', true), of('lgpd', false)]).toEqual([45, 90, 15]);
  });

  it.each([
    ['a Monday', '2026-11-30', '2026-12-21'],
    ['a Friday', '2026-12-04', '2026-12-25'],
    ['a Saturday', '2026-12-05', '2026-12-25'],
    ['a Sunday', '2026-12-06', '2026-12-25'],
  ])(
    'of an opt-out under the CCPA from %s is 15 business days later',
    (_, receivedOn, deadline) => {
      const optOut = { ...term, receivedOn, requestType: 'objection', regime: 'ccpa' } as const;
      expect(getDeadline(optOut)).toBe(deadline);
      expect(getDeadline({ ...optOut, regime: 'gdpr' })).toBe(monthsLater(receivedOn, 1));
    },
  );

  it('of an opt-out has 15 weekdays after its receipt, and ends on one', () => {
    fc.assert(
      fc.property(fc.nat(20_000), (days) => {
        const receivedOn = Temporal.PlainDate.from('2000-01-01').add({ days });
        const deadline = Temporal.PlainDate.from(
          getDeadline({
            ...term,
            ...{ receivedOn: receivedOn.toString(), requestType: 'objection', regime: 'ccpa' },
          }),
        );
        const later = Array.from({ length: 40 }, (_, after) => receivedOn.add({ days: after + 1 }));
        const weekdays = later.filter(({ dayOfWeek }) => dayOfWeek <= 5);
        expect(deadline.toString()).toBe(weekdays[14]?.toString());
      }),
    );
  });

  it('is that of the GDPR under the UK GDPR', () => {
    for (const extended of [false, true]) {
      const given = { ...term, receivedOn: '2026-01-31', extended };
      expect(getDeadline({ ...given, regime: 'uk' })).toBe(getDeadline(given));
    }
    expect(pausesDeadline('uk', 'identity')).toBe(true);
    expect(findArticle('unfounded', 'uk')).toBe('Art. 12(5) UK');
    expect(findArticle('unfounded', 'ccpa')).toBeUndefined();
  });

  it('moves by the number of days that it was paused', () => {
    const day = fc.date({
      min: new Date('2023-01-01'),
      max: new Date('2032-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, fc.nat(400), fc.boolean(), (date, pausedDays, extended) => {
        const receivedOn = date.toISOString().slice(0, 10);
        const at = (days: number) =>
          getDeadline({ ...term, receivedOn, extended, pausedDays: days });
        expect(countDays(at(0), at(pausedDays))).toBe(pausedDays);
      }),
    );
  });

  it('is paused on the ground identity only', () => {
    expect(pausesDeadline('gdpr', 'identity')).toBe(true);
    for (const ground of ['clarification', 'legal_hold', 'other', null]) {
      expect(pausesDeadline('gdpr', ground)).toBe(false);
    }
    expect(pausesDeadline('ccpa', 'identity')).toBe(false);
  });
});

describe('A case', () => {
  it('is closed when completed, refused or withdrawn, and reopened only with a reason', () => {
    expect(CASE_STATUSES.filter(isClosed)).toEqual(['completed', 'rejected', 'withdrawn']);
    for (const from of CASE_STATUSES) {
      expect(listTransitions(from)).not.toContain('received');
      expect(listTransitions(from)).not.toContain(from);
      expect(needsReason(from, 'in_progress')).toBe(isClosed(from));
    }
    expect(needsReason('in_progress', 'rejected')).toBe(true);
    expect(listTransitions('received')).not.toContain('completed');
  });

  it('has its status in title case as a label', () => {
    expect(CASE_STATUSES.map(formatStatus)).toEqual([
      'Received',
      'In Progress',
      'On Hold',
      'Completed',
      'Rejected',
      'Withdrawn',
    ]);
  });

  it('has a reference with its day and six random letters or digits', () => {
    const references = Array.from({ length: 3_000 }, () => createReference('2026-01-31'));
    for (const reference of references) expect(reference).toMatch(/^DSR-20260131-[A-Z0-9]{6}$/);
    expect(new Set(references).size).toBeGreaterThan(2_990);
    expect(new Set(references.map((each) => each.at(-1))).size).toBe(36);
    expect(readReference(' dsr-20260131-abc123 ')).toBe('DSR-20260131-ABC123');
    for (const wrong of ['', 'DSR-2026131-ABC123', 'DSR-20260131-ABC12', '\u0000']) {
      expect(readReference(wrong)).toBeUndefined();
    }
  });

  it('uses the median', () => {
    expect([getMedian([]), getMedian([3]), getMedian([9, 1]), getMedian([7, 1, 30])]).toEqual([
      null,
      3,
      5,
      7,
    ]);
  });
});
