export interface Clock {
  /** Epoch milliseconds. Jumps when the system's clock is set. */
  now(): number;
  /** Whole milliseconds since an arbitrary start, never 0. For limits and caches: setting the system's clock does not change it. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.ceil(performance.now()),
};

/**
 * What was noted further in the future than this was noted before the clock was set back. Leases take clocks of nodes that
 * differ by less than `pavis doctor` allows.
 */
export const CLOCKS_DIFFER_MS = 5 * 60_000;

/** Whether less than a period has passed since a moment; false if the clock was set back since. */
export const isRecent = (moment: number, period: number, now: number): boolean =>
  now - moment < period && moment - now <= CLOCKS_DIFFER_MS;

/** ISO 8601, UTC, with milliseconds. */
export const toIsoMoment = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const toIsoMomentOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : toIsoMoment(milliseconds);

/** The locale of dates and amounts in a language: British for English. */
export const toLocale = (language: string): string => (language === 'en' ? 'en-GB' : language);

/** @param day `YYYY-MM-DD`, or a moment in UTC */
export const formatDay = (
  language: string,
  day: string,
  dateStyle: 'long' | 'medium' = 'long',
): string =>
  new Intl.DateTimeFormat(toLocale(language), { dateStyle, timeZone: 'UTC' }).format(
    Date.parse(day),
  );

/** With nanoseconds and an offset. */
export const MOMENT_MAX_LENGTH = 40;

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.000Z');
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Epoch milliseconds of a moment with its offset from UTC (RFC 3339), or of the start of a day in UTC; undefined if it is
 * invalid.
 */
export function readMoment(text: string): number | undefined {
  const milliseconds = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  // `Date` takes 31 February for a day in March.
  const written = Date.parse(text.replace(/[+-]\d{2}:\d{2}$/, 'Z'));
  const isReal = milliseconds <= LAST_MOMENT && toIsoMoment(written).startsWith(text.slice(0, 10));
  return isReal ? milliseconds : undefined;
}
