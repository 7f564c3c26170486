import { useQuery } from '@tanstack/react-query';
import type { Scan } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { formatDay, formatNumber, formatShare, formatSigned } from '../../components/format.ts';
import { type KeyFigure, KeyFigures } from '../../components/key-figures.tsx';
import { compareTotals } from '../consent/periods.ts';
import { openRequestsQuery } from '../requests/queries.ts';
import { summaryQuery } from '../scanner/queries.ts';
import type { Stats } from './period-stats.ts';

export function Figures({
  stats,
  previous,
  last,
  days,
}: {
  stats: Stats | undefined;
  previous: Stats | undefined;
  last: Scan | undefined;
  days: number;
}) {
  const canHandleRequests = useCan('manage_privacy_requests');
  const requests = useQuery({ ...openRequestsQuery, enabled: canHandleRequests });
  const results = useQuery({ ...summaryQuery(String(last?.scan_id)), enabled: last !== undefined });
  const overdue = requests.data?.items.filter((each) => each.overdue).length ?? 0;
  const accepted = (of: Stats | undefined) =>
    of && of.total > 0 ? of.by_action.accept_all / of.total : undefined;
  const [share, before] = [accepted(stats), accepted(previous)];
  const items: KeyFigure[] = [
    {
      label: 'Consent choices',
      value: stats ? formatNumber(stats.total) : '–',
      note: stats && previous && describeChange(stats, previous, days),
      link: { to: '/consent/figures' },
    },
    {
      label: 'Accepted all',
      value: share === undefined ? '–' : formatShare(share),
      note:
        share !== undefined && before !== undefined
          ? `${formatShare(before)} in the ${days} days before`
          : 'of all choices',
    },
    ...(canHandleRequests && requests.data
      ? [
          {
            label: 'Open requests',
            value: formatNumber(requests.data.items.length),
            note: overdue > 0 ? `${formatNumber(overdue)} overdue` : 'none overdue',
            link: { to: '/requests' as const },
          },
        ]
      : []),
    {
      label: 'Open findings',
      value: results.data ? formatNumber(results.data.open_resources) : '–',
      note: last ? `scanned ${formatDay(last.completed_at)}` : 'not scanned yet',
      link: { to: '/scanner' },
    },
  ];
  return <KeyFigures items={items} />;
}

function describeChange(stats: Stats, previous: Stats, days: number): string | undefined {
  if (previous.total === 0) return `none in the ${days} days before`;
  const change = compareTotals(stats.daily, previous.daily, stats.daily.at(-1)?.date ?? '');
  if (change === undefined) return undefined;
  return `${formatSigned(change)}% on the ${days} days before, without today`;
}
