import { Button, Card, ColorSwatch, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Scan } from '../../api/types.ts';
import { Allowed } from '../../components/access.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatMoment, formatNumber, formatShare } from '../../components/format.ts';
import { Page, TextLink } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { lastScanQuery } from '../scanner/queries.ts';
import { FirstScanButton } from '../scanner/start-scan.tsx';
import { Figures } from './figures.tsx';
import { GetStarted } from './get-started.tsx';
import { OpenTasks } from './open-tasks.tsx';
import { type Stats, usePeriodStats } from './period-stats.ts';
import { TrendLine } from './trend-line.tsx';

const route = getRouteApi('/app/');

const PERIODS = ['7', '30', '90'];

/** Key figures of a period, and open tasks by weight. */
export function Overview() {
  const { period = '30' } = route.useSearch();
  const setUrlState = useUrlState();
  const days = PERIODS.includes(period) ? Number(period) : 30;
  const scans = useQuery(lastScanQuery);
  const { query, stats, previous, hasChoices } = usePeriodStats(days);
  const { last, running } = scans.data ?? {};
  return (
    <Page
      title="Overview"
      intro="Open tasks and key figures."
      actions={
        <Button.Group aria-label="Period" style={{ flexWrap: 'wrap' }}>
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
            <OpenTasks last={last} running={running} scans={scans} />
          </Card>
          <Stack gap="lg">
            <Allowed>
              {scans.data && hasChoices !== undefined && (
                <GetStarted last={last} hasChoices={hasChoices} />
              )}
            </Allowed>
            <Card component="section">
              <Group justify="space-between" mb="xs">
                <Title order={2}>Choices, last {days} days</Title>
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
      <Group component="ul" role="list" className="plain" gap="lg">
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
          <FirstScanButton variant="default">Scan the site</FirstScanButton>
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
        ['Findings', scan.resources.total],
        ['Vendors', scan.vendors],
      ]}
    />
  );
}
