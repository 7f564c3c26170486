import type { PeriodUnit, RetentionAction } from '../../personal-data/index.ts';

export interface Period {
  periodValue: number;
  periodUnit: PeriodUnit;
}

/** A hundred years, which nothing outlasts. */
const LONGEST: Record<PeriodUnit, number> = { days: 36_500, months: 1_200, years: 100 };

export const isPeriodTooLong = ({ periodValue, periodUnit }: Period): boolean =>
  periodValue > LONGEST[periodUnit];

/**
 * The moment that lies a period before another, by the calendar of a time zone: the same time of the
 * same-numbered day, or of the month's last day where it has no such day.
 * @returns epoch milliseconds: what is older than this is due
 */
export function dueBefore(
  asOf: number,
  { periodValue, periodUnit }: Period,
  timeZone: string,
): number {
  return Temporal.Instant.fromEpochMilliseconds(asOf)
    .toZonedDateTimeISO(timeZone)
    .subtract({ [periodUnit]: periodValue }).epochMilliseconds;
}

/** Three in the morning of the next day, in a time zone: when most sites have few visitors. */
export function nextNight(now: number, timeZone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  return today.add({ days: 1 }).withPlainTime({ hour: 3 }).epochMilliseconds;
}

interface Claimant extends Period {
  id: number;
  dataCategory: string;
  action: RetentionAction;
}

/** What falls to a policy: records whose moment is at `from` or later, and before `before`. */
export interface Share {
  from: number;
  before: number;
}

const EARLIEST = -8_640_000_000_000_000;

/**
 * Shares out what is due among policies: of those that claim a record, the one with the stronger
 * action has it, of two with the same the older policy. The claims of one category
 * differ only in how far they reach, so each is left with one range of time, and the order in
 * which they run does not matter.
 * @returns the share of each policy, in their order
 */
export function partition(policies: readonly Claimant[], asOf: number, timeZone: string): Share[] {
  const reachOf = (policy: Claimant) => dueBefore(asOf, policy, timeZone);
  return policies.map((policy) => {
    const before = reachOf(policy);
    const stronger = policies.filter(
      (other) => other.dataCategory === policy.dataCategory && isStronger(other, policy),
    );
    const from = Math.max(EARLIEST, ...stronger.map(reachOf));
    return { from: Math.min(from, before), before };
  });
}

const isStronger = (a: Claimant, b: Claimant): boolean =>
  a.action === b.action ? a.id < b.id : a.action === 'delete';
