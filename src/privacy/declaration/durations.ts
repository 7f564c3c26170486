import type { Duration } from './rules.ts';
import type { Texts } from './texts/en.ts';

const UNITS = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** In the largest unit that the duration contains at least twice, or about once. */
export function formatDuration(
  duration: Duration,
  language: string,
  { durations }: Pick<Texts, 'durations'>,
): string {
  if (duration === 'session') return durations.session;
  if (duration === 'until_deleted') return durations.untilDeleted;
  const [seconds, unit] =
    UNITS.find(([each]) => duration >= 2 * each || Math.abs(duration - each) < each / 50) ??
    ([1, 'second'] as const);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  }).format(duration / seconds);
}
