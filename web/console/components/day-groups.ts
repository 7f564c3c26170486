import { formatDay } from './format.ts';

/** A point of a chart: a day, or the days of a week or month. */
export interface DayGroup<Day> {
  /** The first day. */
  key: string;
  /** The label of the period, for example in a tooltip. */
  name: string;
  /** The short label on the axis. */
  short: string;
  days: readonly Day[];
}

export type Unit = 'day' | 'week' | 'month';

const DAYS_MAX = 62;
const WEEKS_MAX = 62;

const month = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The unit that keeps the number of points readable. */
export function getUnit(days: number): Unit {
  if (days <= DAYS_MAX) return 'day';
  return days <= 7 * WEEKS_MAX ? 'week' : 'month';
}

export function groupDays<Day extends { date: string }>(
  daily: readonly Day[],
  unit: Unit,
): DayGroup<Day>[] {
  const groups = Map.groupBy(daily, ({ date }) => toGroup(date, unit));
  return [...groups.values()].map((days) => {
    const [first, last] = [days[0] as Day, days.at(-1) as Day];
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
      days,
    };
  });
}

/** The first day of the group that a date belongs to. */
function toGroup(date: string, unit: Unit): string {
  if (unit === 'day') return date;
  if (unit === 'month') return date.slice(0, 7);
  const day = new Date(date);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}
