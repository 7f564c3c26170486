/** Where the present moment comes from, in milliseconds since the epoch; tests pass a clock they can turn. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A moment as the contract writes it: ISO 8601, UTC, with milliseconds. */
export const isoMoment = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The day of a moment in a time zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string): (milliseconds: number) => string {
  const dayOf = timeZone === 'UTC' ? utcDay : zonedDay(timeZone);
  // Moments come one after the other; no zone is off by less than a minute.
  let minute = Number.NaN;
  let day = '';
  return (milliseconds) => {
    const its = Math.floor(milliseconds / 60_000);
    if (its !== minute) [minute, day] = [its, dayOf(milliseconds)];
    return day;
  };
}

// Most sites' zone, and without the tables of time zones, which take memory.
const utcDay = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

function zonedDay(timeZone: string): (milliseconds: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (milliseconds) => format.format(milliseconds);
}
