import type { ConsentStats } from '../../api/types.ts';
import { type DayGroup, groupDays, type Unit } from '../../components/day-groups.ts';

type Day = ConsentStats['daily'][number];

/** One bar of a chart. */
type Bar = Pick<Day, 'total' | 'by_action'> & Omit<DayGroup<Day>, 'days'>;

export const toBars = (daily: readonly Day[], unit: Unit): Bar[] =>
  groupDays(daily, unit).map(({ days, ...group }) => ({ ...group, ...sumDays(days) }));

export function sumDays(days: readonly Day[]): Pick<Day, 'total' | 'by_action'> {
  const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0);
  return {
    total: sum(({ total }) => total),
    by_action: {
      accept_all: sum(({ by_action }) => by_action.accept_all),
      reject_all: sum(({ by_action }) => by_action.reject_all),
      manage: sum(({ by_action }) => by_action.manage),
    },
  };
}
