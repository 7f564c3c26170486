import { formatDay } from './format.ts';

/** A day, or the days of a week or a month, as one point of a chart. */
export interface DayGroup<Day> {
  /** The first day. */
  key: string;
  /** Its days in words. */
  name: string;
  /** Below the chart, where there is little room. */
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

/** What one point stands for, so that a chart has few enough of them to be read. */
export function getUnit(days: number): Unit {
  if (days <= DAYS_MAX) return 'day';
  return days <= 7 * WEEKS_MAX ? 'week' : 'month';
}

export function groupDays<Day extends { date: string }>(
  daily: readonly Day[],
  unit: Unit,
): DayGroup<Day>[] {
  const groups = Map.groupBy(daily, ({ date }) => groupOf(date, unit));
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

/** The day itself, the Monday of its week, or its month. */
function groupOf(date: string, unit: Unit): string {
  if (unit === 'day') return date;
  if (unit === 'month') return date.slice(0, 7);
  const day = new Date(date);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}
