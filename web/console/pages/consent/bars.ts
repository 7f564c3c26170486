import type { ConsentStats } from '../../api/types.ts';
import { type DayGroup, groupDays, type Unit } from '../../components/day-groups.ts';

type Day = ConsentStats['daily'][number];

/** One bar of a chart. */
type Bar = Pick<Day, 'total' | 'by_action'> & Omit<DayGroup<Day>, 'days'>;

export function toBars(daily: readonly Day[], unit: Unit): Bar[] {
  return groupDays(daily, unit).map(({ days, ...group }) => {
    const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0);
    return {
      ...group,
      total: sum(({ total }) => total),
      by_action: {
        accept_all: sum(({ by_action }) => by_action.accept_all),
        reject_all: sum(({ by_action }) => by_action.reject_all),
        manage: sum(({ by_action }) => by_action.manage),
      },
    };
  });
}
