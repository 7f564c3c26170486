export type Frequency = 'off' | 'nightly' | 'weekly' | 'custom';

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** A schedule as the form has it; a weekday of `WEEKDAYS` by its number. */
export interface Timing {
  frequency: Frequency;
  /** `HH:MM` */
  time: string;
  weekday: string;
  cron: string;
}

const SIMPLE = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7])$/;
const DEFAULT_TIME = '03:00';
const MONDAY = '1';

/** Recognises a time of each day or of a weekday; any other expression is custom. */
export function parseCron(cron: string): Omit<Timing, 'cron'> {
  const [, minute = '', hour = '', weekday = ''] = SIMPLE.exec(cron) ?? [];
  if (!hour) return { frequency: 'custom', time: DEFAULT_TIME, weekday: MONDAY };
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  return weekday === '*'
    ? { frequency: 'nightly', time, weekday: MONDAY }
    : { frequency: 'weekly', time, weekday: String(Number(weekday) % 7) };
}

export function formatCron({ frequency, time, weekday, cron }: Timing): string {
  const [hour = 3, minute = 0] = time.split(':').map(Number);
  if (frequency === 'nightly') return `${minute} ${hour} * * *`;
  if (frequency === 'weekly') return `${minute} ${hour} * * ${weekday}`;
  return cron.trim();
}

/** For example `Every Monday at 03:00`. */
export function describeCron(cron: string): string {
  const { frequency, time, weekday } = parseCron(cron);
  if (frequency === 'nightly') return `Every day at ${time}`;
  if (frequency === 'weekly') return `Every ${WEEKDAYS[Number(weekday)]} at ${time}`;
  return `Cron expression ${cron}`;
}
