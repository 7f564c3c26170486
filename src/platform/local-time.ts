/** Formats a moment in a time zone as `YYYY-MM-DD HH:MM:SS`. */
export function formatLocalTime(timeZone: string): (milliseconds: number) => string {
  // Avoids the tables of time zones, which take memory.
  if (timeZone === 'UTC')
    return (milliseconds) => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (milliseconds) => format.format(milliseconds);
}

/** Formats a moment in a time zone as `YYYY-MM-DD`. */
export function toLocalDay(timeZone: string): (milliseconds: number) => string {
  const formatTime = formatLocalTime(timeZone);
  // Cached, because rows come in the order of time. Offsets are whole minutes.
  let minute = Number.NaN;
  let day = '';
  return (milliseconds) => {
    const its = Math.floor(milliseconds / 60_000);
    if (its !== minute) [minute, day] = [its, formatTime(milliseconds).slice(0, 10)];
    return day;
  };
}

/** How many hours a time zone is ahead of UTC at a moment, for example 5.75. */
export function getOffsetHours(timeZone: string, milliseconds: number): number {
  const local = Date.parse(`${formatLocalTime(timeZone)(milliseconds).replace(' ', 'T')}Z`);
  return Math.round((local - Math.floor(milliseconds / 1_000) * 1_000) / 36_000) / 100;
}
