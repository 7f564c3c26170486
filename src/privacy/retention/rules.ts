import type { PeriodUnit, RetentionAction } from '../../personal-data/index.ts';

export interface Period {
  periodValue: number;
  periodUnit: PeriodUnit;
}

/** A hundred years. */
const LONGEST: Record<PeriodUnit, number> = { days: 36_500, months: 1_200, years: 100 };

export const isPeriodTooLong = ({ periodValue, periodUnit }: Period): boolean =>
  periodValue > LONGEST[periodUnit];

/** The first moment of JavaScript dates. */
export const EARLIEST = -8_640_000_000_000_000;

/**
 * The moment a period before another, by the calendar of a time zone: the same time of the same day of the month,
 * or of the last day of a shorter month.
 * @returns epoch milliseconds; older records are due
 */
export function getDueBefore(
  asOf: number,
  { periodValue, periodUnit }: Period,
  timeZone: string,
): number {
  return Temporal.Instant.fromEpochMilliseconds(asOf)
    .toZonedDateTimeISO(timeZone)
    .subtract({ [periodUnit]: periodValue }).epochMilliseconds;
}

/** The next 03:00 in a time zone, when most sites have few visitors. */
export function nextNight(now: number, timeZone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  const getNight = (days: number) =>
    today.add({ days }).withPlainTime({ hour: 3 }).epochMilliseconds;
  return getNight(0) > now ? getNight(0) : getNight(1);
}

interface Claimant extends Period {
  id: number;
  dataCategory: string;
  action: RetentionAction;
}

/** The due records of a policy: those whose age counts from `from` or later, and before `before`. */
export interface Range {
  from: number;
  before: number;
}

/**
 * Divides due records among policies. Of several policies for a record, the one that deletes applies, of two with the
 * same action the older one. The policies of a category differ only in their period, so each gets one range of time,
 * and the order in which they run does not matter.
 * @returns the range of each policy, in their order
 */
export function partition(policies: readonly Claimant[], asOf: number, timeZone: string): Range[] {
  const getEnd = (policy: Claimant) => getDueBefore(asOf, policy, timeZone);
  return policies.map((policy) => {
    const before = getEnd(policy);
    const stronger = policies.filter(
      (other) => other.dataCategory === policy.dataCategory && isStronger(other, policy),
    );
    const from = Math.max(EARLIEST, ...stronger.map(getEnd));
    return { from: Math.min(from, before), before };
  });
}

const isStronger = (a: Claimant, b: Claimant): boolean =>
  a.action === b.action ? a.id < b.id : a.action === 'delete';
