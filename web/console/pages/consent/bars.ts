import type { ConsentStats } from '../../api/types.ts';
import { formatDay } from '../../components/format.ts';

type Day = ConsentStats['daily'][number];

/** One bar of a chart: a day, or the days of a week or a month. */
export interface Bar extends Pick<Day, 'total' | 'by_action'> {
  /** The first day. */
  key: string;
  /** Its days in words. */
  name: string;
  /** Below the chart, where there is little room. */
  short: string;
}

export type Unit = 'day' | 'week' | 'month';

const DAYS_MAX = 62;
const WEEKS_MAX = 62;

const month = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** What one bar stands for, so that a chart has few enough of them to be read. */
export function getBarUnit(days: number): Unit {
  if (days <= DAYS_MAX) return 'day';
  return days <= 7 * WEEKS_MAX ? 'week' : 'month';
}

export function toBars(daily: readonly Day[], unit: Unit): Bar[] {
  const groups = Map.groupBy(daily, ({ date }) => groupOf(date, unit));
  return [...groups.values()].map((days) => {
    const [first, last] = [days[0] as Day, days.at(-1) as Day];
    const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0);
    return {
      key: first.date,
      name:
        first === last
          ? formatDay(first.date)
          : `${formatDay(first.date)} to ${formatDay(last.date)}`,
      short:
        unit === 'month'
          ? month.format(new Date(first.date))
          : formatDay(first.date).replace(/\s\d{4}$/, ''),
      total: sum(({ total }) => total),
      by_action: {
        accept_all: sum(({ by_action }) => by_action.accept_all),
        reject_all: sum(({ by_action }) => by_action.reject_all),
        manage: sum(({ by_action }) => by_action.manage),
      },
    };
  });
}

/** The day itself, the Monday of its week, or its month. */
function groupOf(date: string, unit: Unit): string {
  if (unit === 'day') return date;
  if (unit === 'month') return date.slice(0, 7);
  const day = new Date(date);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}
