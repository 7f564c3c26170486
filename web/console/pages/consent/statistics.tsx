import { Card, Group, Progress, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { settingsQuery } from '../../api/queries.ts';
import type { ConsentStats } from '../../api/types.ts';
import { getRequiredCapability, useCan } from '../../components/access.tsx';
import { getUnit } from '../../components/day-groups.ts';
import { DateFilter, FilterBar, SelectFilter } from '../../components/filters.tsx';
import { formatDay, formatNumber, formatShare, formatSigned } from '../../components/format.ts';
import { KeyFigures } from '../../components/key-figures.tsx';
import { Page } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { AcceptanceRateChart } from './acceptance-rate-chart.tsx';
import { ConsentChart } from './consent-chart.tsx';
import {
  ALL,
  CUSTOM,
  compareTotals,
  getPreviousPeriod,
  PERIODS,
  type Period,
  toPeriod,
} from './periods.ts';
import { periodStatsQuery, statsQuery } from './queries.ts';

const route = getRouteApi('/app/consent/figures');

/** Totals, rates and trends of consent, for a period or for all records. */
export function ConsentStatistics() {
  const all = useQuery(statsQuery);
  const { period } = route.useSearch();
  const canOpenRecords = useCan(getRequiredCapability('/consent'));
  return (
    <Page
      title="Consent statistics"
      intro="Consent choices, acceptance rate and acceptance by category."
      {...(canOpenRecords && { back: { to: '/consent', label: 'Consent records' } })}
    >
      <QueryResult query={all}>
        {(stats) => {
          // The last day of the statistics is today in the time zone of the site.
          const today = stats.daily.at(-1)?.date ?? '';
          return (
            <Stack>
              <PeriodFields today={today} />
              {period === ALL ? (
                <StatisticsCards stats={stats} />
              ) : (
                <PeriodStatistics today={today} />
              )}
            </Stack>
          );
        }}
      </QueryResult>
    </Page>
  );
}

function PeriodFields({ today }: { today: string }) {
  const { period, from, to, compare } = route.useSearch();
  const change = useUrlState();
  const days = toPeriod(period, { from, to }, today);
  return (
    <FilterBar mb={0}>
      <SelectFilter
        name="period"
        label="Period"
        value={period}
        all="Last 30 days"
        options={PERIODS}
      />
      {period === CUSTOM &&
        (['from', 'to'] as const).map((end) => (
          <DateFilter
            key={end}
            name={end}
            label={end === 'from' ? 'From' : 'To'}
            value={days[end]}
          />
        ))}
      {period !== ALL && (
        <Switch
          mb={6}
          miw={{ base: 0, sm: '19rem' }}
          label="Compare with the previous period"
          checked={compare === '1'}
          onChange={({ currentTarget: { checked } }) =>
            change({ compare: checked ? '1' : undefined })
          }
        />
      )}
    </FilterBar>
  );
}

function PeriodStatistics({ today }: { today: string }) {
  const { period: name, from, to, compare } = route.useSearch();
  const period = toPeriod(name, { from, to }, today);
  const stats = useQuery(periodStatsQuery(period));
  const previous = useQuery({
    ...periodStatsQuery(getPreviousPeriod(period)),
    enabled: compare === '1' && period.from <= period.to,
  });
  return (
    <QueryResult query={stats}>
      {(found) => (
        <StatisticsCards
          stats={found}
          previous={compare === '1' ? previous.data : undefined}
          today={today}
        />
      )}
    </QueryResult>
  );
}

const formatPeriod = ({ from, to }: Period): string =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;

/** A change in percentage points. */
const formatPoints = (difference: number): string =>
  `${formatSigned(Math.round(100 * difference))} pp`;

function StatisticsCards({
  stats,
  previous,
  today,
}: {
  stats: ConsentStats;
  previous?: ConsentStats | undefined;
  today?: string | undefined;
}) {
  const { period, total, by_action, categories, daily } = stats;
  const { data: settings } = useQuery(settingsQuery);
  if (period && daily.length === 0) {
    return <Text c="dimmed">The end date is before the start date. Choose a later end.</Text>;
  }
  const none = (
    <Text c="dimmed">
      {period ? 'No consent choices in this period.' : 'No consent choices yet.'}
    </Text>
  );
  const toFigure = (action: keyof typeof by_action) => {
    const share = total > 0 ? by_action[action] / total : undefined;
    const before = previous?.total ? previous.by_action[action] / previous.total : undefined;
    const notes = [
      share !== undefined && formatShare(share),
      share !== undefined && before !== undefined && formatPoints(share - before),
    ].filter(Boolean);
    return {
      value: formatNumber(by_action[action]),
      ...(notes.length > 0 && { note: notes.join(' · ') }),
    };
  };
  const known = settings?.consent.categories ?? [];
  // Categories without a choice would always be at 100 %.
  const optional = Object.entries(categories).filter(
    ([id, each]) => isDecided(each) && !known.some((one) => one.id === id && one.required),
  );
  const title = period ? formatPeriod(period) : 'last 30 days';
  const change = previous && today && compareTotals(daily, previous.daily, today);
  const hasToday = period && today && period.to >= today;
  return (
    <>
      {previous?.period && (
        <Text size="sm" c="dimmed">
          Compared with {formatPeriod(previous.period)}: {formatNumber(previous.total)} consent
          choices.
          {hasToday && ' The change leaves out today, which is not over.'}
        </Text>
      )}
      <KeyFigures
        items={[
          {
            label: 'Consent choices',
            value: formatNumber(total),
            ...(typeof change === 'number' && { note: `${formatSigned(change)}%` }),
          },
          { label: 'Accepted all', ...toFigure('accept_all') },
          { label: 'Customised', ...toFigure('manage') },
          { label: 'Rejected all', ...toFigure('reject_all') },
        ]}
      />
      <Card withBorder component="section">
        <Title order={2} size="h4" mb="md">
          Consent choices by {getUnit(daily.length)}, {title}
        </Title>
        {total === 0 ? none : <ConsentChart daily={daily} />}
      </Card>
      {daily.some((day) => day.total > 0) && (
        <Card withBorder component="section">
          <Title order={2} size="h4" mb="md">
            Share of “Accepted all” by {getUnit(daily.length)}, {title}
          </Title>
          <AcceptanceRateChart daily={daily} />
        </Card>
      )}
      <Card withBorder component="section">
        <Title order={2} size="h4" mb="md">
          Acceptance by category
        </Title>
        {optional.length === 0 && none}
        <Stack gap="sm">
          {optional.map(([id, { accepted, rejected, acceptance_rate }]) => (
            <div key={id}>
              <Group justify="space-between" gap="sm" mb={4}>
                <span className="break">
                  {known.find((category) => category.id === id)?.label ?? id}
                </span>
                <span className="number">
                  {formatShare(acceptance_rate)}
                  <AcceptanceChange rate={acceptance_rate} before={previous?.categories[id]} />
                </span>
              </Group>
              <div role="img" aria-label={`${accepted} accepted, ${rejected} rejected`}>
                <Progress value={100 * acceptance_rate} aria-hidden />
              </div>
            </div>
          ))}
        </Stack>
      </Card>
    </>
  );
}

const isDecided = ({ accepted, rejected }: ConsentStats['categories'][string]) =>
  accepted + rejected > 0;

function AcceptanceChange({
  rate,
  before,
}: {
  rate: number;
  before: ConsentStats['categories'][string] | undefined;
}) {
  if (!before || !isDecided(before)) return null;
  return (
    <Text span inherit c="dimmed">
      {' '}
      · {formatPoints(rate - before.acceptance_rate)}
    </Text>
  );
}
