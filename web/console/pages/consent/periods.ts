/** Days as `YYYY-MM-DD`, both inclusive. */
export interface Period {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;

export const CUSTOM = 'custom';
export const ALL = 'all';

/** Periods besides the default, the last 30 days. */
export const PERIODS = [
  { value: '7', label: 'Last 7 days' },
  { value: 'month', label: 'Last month' },
  { value: 'year', label: 'This year' },
  { value: ALL, label: 'All records' },
  { value: CUSTOM, label: 'Custom period' },
];

/**
 * The days of a period by its name; without a name those of the last 30 days.
 * @param custom what is given of a custom period; the rest is from the last 30 days
 * @param today in the zone of the site
 */
export function toPeriod(
  name: string | undefined,
  custom: { from: string | undefined; to: string | undefined },
  today: string,
): Period {
  const [year = 0, month = 1] = today.split('-').map(Number);
  if (name === 'year') return { from: `${today.slice(0, 4)}-01-01`, to: today };
  // Day 0 of a month is the last one of the month before.
  if (name === 'month') return { from: dayAt(year, month - 2, 1), to: dayAt(year, month - 1, 0) };
  const { to = today } = name === CUSTOM ? custom : {};
  const { from = daysBefore(to, name === '7' ? 6 : 29) } = name === CUSTOM ? custom : {};
  return { from, to };
}

/** The period of the same length that ends the day before. */
export function getPreviousPeriod({ from, to }: Period): Period {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  const end = daysBefore(from, 1);
  return { from: daysBefore(end, days), to: end };
}

/** Choices of consecutive days. */
type DailyTotals = readonly { date: string; total: number }[];

/**
 * The change of the number of choices in percent. Only days before today are compared, with as many of the earlier period:
 * with a day that is not over, nearly every period would have fewer choices than the one before.
 * @param before of a period of the same length
 * @param today in the zone of the site
 * @returns undefined if there were no choices before
 */
export function compareTotals(
  days: DailyTotals,
  before: DailyTotals,
  today: string,
): number | undefined {
  const complete = days.filter(({ date }) => date < today);
  const [now, then] = [complete, before.slice(0, complete.length)].map((each) =>
    each.reduce((sum, { total }) => sum + total, 0),
  ) as [number, number];
  return then > 0 ? Math.round(100 * (now / then - 1)) : undefined;
}

/** @param month from 0, as `Date` counts them */
const dayAt = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

function daysBefore(date: string, days: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return dayAt(year, month - 1, day - days);
}
