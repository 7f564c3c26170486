import { useQuery } from '@tanstack/react-query';
import type { ConsentStats } from '../../api/types.ts';
import { sumDays } from '../consent/bars.ts';
import { periodStatsQuery, statsQuery } from '../consent/queries.ts';

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** Figures of the last days, and of as many days before. The server knows today's date in the site's zone. */
export function usePeriodStats(days: number) {
  const latest = useQuery(statsQuery);
  const latestDays = latest.data?.daily ?? [];
  const today = latestDays.at(-1)?.date ?? '';
  const longer = useQuery({
    ...periodStatsQuery({ from: today && addDays(today, 1 - days), to: today }),
    enabled: today !== '' && days > latestDays.length,
  });
  const previous = useQuery({
    ...periodStatsQuery({
      from: today && addDays(today, 1 - 2 * days),
      to: today && addDays(today, -days),
    }),
    enabled: today !== '',
  });
  const daily = days > latestDays.length ? longer.data?.daily : latestDays.slice(-days);
  return {
    query: days > latestDays.length && latest.data ? longer : latest,
    stats: daily && latest.data && sumUp(daily),
    previous: previous.data && sumUp(previous.data.daily),
    hasChoices: latest.data && latest.data.total > 0,
  };
}

export type Stats = Pick<ConsentStats, 'total' | 'by_action' | 'daily'>;

const sumUp = (daily: ConsentStats['daily']): Stats => ({ daily, ...sumDays(daily) });
