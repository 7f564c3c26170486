import { Button, Card, ColorSwatch, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ConsentStats, Scan } from '../../api/types.ts';
import { Allowed, useCan } from '../../components/access.tsx';
import { Facts } from '../../components/facts.tsx';
import {
  formatDay,
  formatMoment,
  formatNumber,
  formatShare,
  formatSigned,
} from '../../components/format.ts';
import { type KeyFigure, KeyFigures } from '../../components/key-figures.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page, TextLink } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { periodStatsQuery, statsQuery } from '../consent/queries.ts';
import { openRequestsQuery } from '../requests/queries.ts';
import { scansQuery, summaryQuery } from '../scanner/queries.ts';
import { GetStarted } from './get-started.tsx';
import { OpenTasks } from './open-tasks.tsx';
import { TrendLine } from './trend-line.tsx';

const route = getRouteApi('/app/');

const PERIODS = ['7', '30', '90'];

/** Key figures of a period, and open tasks by weight. */
export function Overview() {
  const { period = '30' } = route.useSearch();
  const setUrlState = useUrlState();
  const days = PERIODS.includes(period) ? Number(period) : 30;
  const scans = useQuery(scansQuery());
  const { query, stats, previous, hasChoices } = usePeriodStats(days);
  const last = scans.data?.items.find(({ status }) => status === 'completed');
  return (
    <Page
      title="Overview"
      intro="Open tasks and key figures."
      actions={
        <Button.Group aria-label="Period">
          {PERIODS.map((value) => (
            <Button
              key={value}
              size="xs"
              variant={value === String(days) ? 'filled' : 'default'}
              aria-pressed={value === String(days)}
              onClick={() => setUrlState({ period: value === '30' ? undefined : value })}
            >
              {value} days
            </Button>
          ))}
        </Button.Group>
      }
    >
      <Stack gap="lg">
        <Figures stats={stats} previous={previous} last={last} days={days} />
        <div className="wide-narrow">
          <Card component="section">
            <Title order={2} mb="md">
              Open tasks
            </Title>
            <OpenTasks last={last} scans={scans} />
          </Card>
          <Stack gap="lg">
            <Allowed>
              {scans.data && hasChoices !== undefined && (
                <GetStarted last={last} hasChoices={hasChoices} />
              )}
            </Allowed>
            <Card component="section">
              <Group justify="space-between" mb="xs">
                <Title order={2}>Consent choices, last {days} days</Title>
                <TextLink to="/consent/figures" size="sm">
                  View statistics
                </TextLink>
              </Group>
              <QueryResult query={query} lines={4}>
                {() => stats && <Choices stats={stats} />}
              </QueryResult>
            </Card>
            <Card component="section">
              <Group justify="space-between" mb="xs">
                <Title order={2}>Last scan</Title>
                <TextLink to="/scanner" size="sm">
                  All scans
                </TextLink>
              </Group>
              <QueryResult query={scans} lines={5}>
                {() => <LastScan scan={last} />}
              </QueryResult>
            </Card>
          </Stack>
        </div>
      </Stack>
    </Page>
  );
}

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** Figures of the last days, and of as many days before. The server knows today's date in the site's zone. */
function usePeriodStats(days: number) {
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

type Stats = Pick<ConsentStats, 'total' | 'by_action' | 'daily'>;

function sumUp(daily: ConsentStats['daily']): Stats {
  const sum = (getValue: (day: ConsentStats['daily'][number]) => number) =>
    daily.reduce((total, day) => total + getValue(day), 0);
  return {
    daily,
    total: sum(({ total }) => total),
    by_action: {
      accept_all: sum(({ by_action }) => by_action.accept_all),
      reject_all: sum(({ by_action }) => by_action.reject_all),
      manage: sum(({ by_action }) => by_action.manage),
    },
  };
}

function Figures({
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
      note: stats && previous && compare(stats.total, previous.total, days),
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
      value: results.data ? formatNumber(results.data.open) : '–',
      note: last ? `scanned ${formatDay(last.completed_at)}` : 'not scanned yet',
      link: { to: '/scanner' },
    },
  ];
  return <KeyFigures items={items} />;
}

function compare(now: number, before: number, days: number): string {
  if (before === 0) return `none in the ${days} days before`;
  const change = Math.round(100 * (now / before - 1));
  return `${formatSigned(change)}% on the ${days} days before`;
}

const SERIES = [
  { action: 'accept_all', label: 'Accepted all', color: 'var(--chart-yes)' },
  { action: 'manage', label: 'Customised', color: 'var(--chart-some)' },
  { action: 'reject_all', label: 'Rejected all', color: 'var(--chart-no)' },
] as const;

/** The trend of all choices, and how visitors chose. */
function Choices({ stats: { total, daily, by_action } }: { stats: Stats }) {
  if (total === 0) {
    return (
      <Text c="dimmed">
        No consent choices in this period. They appear here once the banner is installed on your
        site.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <TrendLine points={daily.map(({ date, total: value }) => ({ date, value }))} />
      <Progress.Root size="lg" aria-hidden>
        {SERIES.map(({ action, color }) => (
          <Progress.Section key={action} value={(100 * by_action[action]) / total} color={color} />
        ))}
      </Progress.Root>
      <Group component="ul" className="plain" gap="lg">
        {SERIES.map(({ action, label, color }) => (
          <Group component="li" key={action} gap={6}>
            <ColorSwatch color={color} size={11} withShadow={false} />
            <Text size="sm">
              {label}{' '}
              <b className="number">
                {formatShare(by_action[action] / total)} ({formatNumber(by_action[action])})
              </b>
            </Text>
          </Group>
        ))}
      </Group>
    </Stack>
  );
}

function LastScan({ scan }: { scan: Scan | undefined }) {
  if (!scan) {
    return (
      <Stack align="flex-start">
        <Text c="dimmed">
          A scan crawls your site as a first-time visitor and lists trackers, cookies and third
          parties.
        </Text>
        <Allowed>
          <LinkButton to="/scanner" variant="default">
            Scan the site
          </LinkButton>
        </Allowed>
      </Stack>
    );
  }
  return (
    <Facts
      items={[
        [
          'Completed',
          <TextLink key="scan" to="/scanner/$id" params={{ id: String(scan.scan_id) }}>
            {formatMoment(scan.completed_at)}
          </TextLink>,
        ],
        ['Site', scan.site_url],
        ['Pages', `${scan.pages}${scan.pages_failed > 0 ? `, ${scan.pages_failed} failed` : ''}`],
        ['Findings', scan.findings],
        ['Vendors', scan.vendors],
        ['Loaded before consent', scan.before_consent],
      ]}
    />
  );
}
