import { type DayGroup, groupDays, type Unit } from '../../components/day-groups.ts';
import type { LicenceStatistics } from './queries.ts';

type Day = LicenceStatistics['daily'][number];
type Results = Day['validations'];

/** The figures of a day, a week or a month. */
export interface Period extends Omit<DayGroup<Day>, 'days'> {
  /** At its end. */
  active: number;
  new: number;
  churned: number;
  valid: number;
  notValid: number;
  failures: number;
}

/** Results with which the plugin works. */
const VALID = ['active', 'grace', 'not_activated'] as const;

export const countAll = (results: Results): number =>
  Object.values(results).reduce((total, count) => total + count, 0);
export const countValid = (results: Results): number =>
  VALID.reduce((total, name) => total + results[name], 0);

export function toPeriods(daily: readonly Day[], unit: Unit): Period[] {
  return groupDays(daily, unit).map(({ days, ...group }) => {
    const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0);
    return {
      ...group,
      active: days.at(-1)?.active ?? 0,
      new: sum((day) => day.new),
      churned: sum((day) => day.churned),
      valid: sum((day) => countValid(day.validations)),
      notValid: sum((day) => countAll(day.validations) - countValid(day.validations)),
      failures: sum((day) => day.webhook_failures),
    };
  });
}
