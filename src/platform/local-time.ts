/** The time of a moment in a time zone, as `YYYY-MM-DD HH:MM:SS`. */
export function formatLocalTime(timeZone: string): (milliseconds: number) => string {
  // Most sites, and without the tables of time zones, which take memory.
  if (timeZone === 'UTC')
    return (milliseconds) => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (milliseconds) => format.format(milliseconds);
}

/** The day of a moment in a time zone, as `YYYY-MM-DD`. */
export function toLocalDay(timeZone: string): (milliseconds: number) => string {
  const timeOf = formatLocalTime(timeZone);
  // Moments come one after the other; no zone is off by less than a minute.
  let minute = Number.NaN;
  let day = '';
  return (milliseconds) => {
    const its = Math.floor(milliseconds / 60_000);
    if (its !== minute) [minute, day] = [its, timeOf(milliseconds).slice(0, 10)];
    return day;
  };
}
