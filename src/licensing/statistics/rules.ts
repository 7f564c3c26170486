import { toIsoMoment } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';

/** How many licences did something: before a period, and on each of its days. */
export interface DayCounts {
  before: number;
  /** By days since 1970 in UTC. */
  byDay: ReadonlyMap<number, number>;
}

/** What licences did, as far as it has happened. */
export interface Changes {
  issued: DayCounts;
  churned: DayCounts;
  /** Starts of suspensions that still last, without licences that had churned before. */
  suspended: DayCounts;
  /** Churn of licences that are suspended now. */
  suspendedChurned: DayCounts;
}

export interface LicenceDay {
  /** `YYYY-MM-DD`, in UTC. */
  date: string;
  /** At the end of the day, or now. */
  active: number;
  suspended: number;
  new: number;
  churned: number;
}

/** Days since 1970 in UTC. @param moment epoch milliseconds */
export const toDay = (moment: number): number => Math.floor(moment / DAY_MS);

/** `YYYY-MM-DD` */
export const formatDate = (day: number): string => toIsoMoment(day * DAY_MS).slice(0, 10);

/** The licences of each day. @param from the first day, since 1970 */
export function toLicenceDays(
  { from, days }: { from: number; days: number },
  { issued, churned, suspended, suspendedChurned }: Changes,
): LicenceDay[] {
  let suspendedNow = suspended.before - suspendedChurned.before;
  let unchurned = issued.before - churned.before;
  return Array.from({ length: days }, (_, index) => {
    const day = from + index;
    const count = ({ byDay }: DayCounts) => byDay.get(day) ?? 0;
    suspendedNow += count(suspended) - count(suspendedChurned);
    unchurned += count(issued) - count(churned);
    return {
      date: formatDate(day),
      active: unchurned - suspendedNow,
      suspended: suspendedNow,
      new: count(issued),
      churned: count(churned),
    };
  });
}
