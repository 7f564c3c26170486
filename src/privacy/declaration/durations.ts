import { toLargestUnit } from '../../platform/durations.ts';
import { toValidTag } from '../settings/index.ts';
import type { Duration } from './rules.ts';
import type { Texts } from './texts/en.ts';

/** In the largest unit that the duration contains at least twice, or about once. */
export function formatDuration(
  duration: Duration,
  language: string,
  { durations }: Pick<Texts, 'durations'>,
): string {
  if (duration === 'session') return durations.session;
  if (duration === 'until_deleted') return durations.untilDeleted;
  const { count, unit } = toLargestUnit(duration);
  return new Intl.NumberFormat(toValidTag(language), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(count);
}
