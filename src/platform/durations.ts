/** Days of 24 hours; calendar days of a time zone are in `local-time.ts`. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

const UNITS = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Seconds as a whole number of the largest unit that they contain at least twice, or about once. */
export function toLargestUnit(seconds: number) {
  const [size, unit] =
    UNITS.find(([each]) => seconds >= 2 * each || Math.abs(seconds - each) < each / 50) ??
    ([1, 'second'] as const);
  return { count: Math.round(seconds / size), unit };
}
