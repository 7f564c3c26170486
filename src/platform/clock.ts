/** Where the time comes from; tests pass a clock of their own. */
export interface Clock {
  /** The present moment, in milliseconds since the epoch. It jumps when the system's clock is set. */
  now(): number;
  /**
   * Whole milliseconds since an arbitrary start, never 0. It is not moved when the system's clock is set, so it is
   * what limits and caches in memory measure time by.
   */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.ceil(performance.now()),
};

/** A moment as the contract writes it: ISO 8601, UTC, with milliseconds. */
export const toIsoMoment = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A day, `YYYY-MM-DD`, as people of the language write it. */
export const formatDay = (language: string, day: string): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(Date.parse(day));

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.000Z');
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;

/** A moment in UTC, as epoch milliseconds, a date alone being its first one; undefined if it is none. */
export function readMoment(text: string): number | undefined {
  const milliseconds = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  const isReal =
    milliseconds <= LAST_MOMENT && toIsoMoment(milliseconds).startsWith(text.slice(0, 10));
  return isReal ? milliseconds : undefined;
}
