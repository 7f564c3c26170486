import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { settingsQuery } from '../../api/queries.ts';
import type { ConsentStats } from '../../api/types.ts';
import { getBarUnit } from '../../components/bars.ts';
import { ConsentChart } from '../../components/consent-chart.tsx';
import { formatDay, formatNumber, formatShare } from '../../components/format.ts';
import { KeyFigures as Numbers } from '../../components/key-figures.tsx';
import { Page } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { SelectFilter, useUrlState } from '../../components/table.tsx';
import { ALL, CUSTOM, PERIODS, type Period, toPeriod } from './periods.ts';
import { periodStatsQuery, statsQuery } from './queries.ts';

const route = getRouteApi('/app/consent/figures');

/** Totals and rates of consent, of a period or of all records. */
export function Figures() {
  const all = useQuery(statsQuery);
  const { period } = route.useSearch();
  return (
    <Page
      title="Consent statistics"
      intro="How visitors choose: totals, acceptance by category, and the choices of each day."
      back={{ to: '/consent', label: 'Consent records' }}
    >
      <QueryResult query={all}>
        {(stats) => {
          // Statistics end today, by the clock of the site.
          const today = stats.daily.at(-1)?.date ?? '';
          return (
            <div className="stack">
              <PeriodFields today={today} />
              {period === ALL ? <Statistics stats={stats} /> : <OfPeriod today={today} />}
            </div>
          );
        }}
      </QueryResult>
    </Page>
  );
}

function PeriodFields({ today }: { today: string }) {
  const { period, from, to } = route.useSearch();
  const change = useUrlState();
  const days = toPeriod(period, { from, to }, today);
  return (
    <search className="filters">
      <SelectFilter
        name="period"
        label="Period"
        value={period}
        all="Last 30 days"
        options={PERIODS}
      />
      {period === CUSTOM &&
        (['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            label={end === 'from' ? 'From' : 'To'}
            value={days[end]}
            onChange={({ currentTarget }) => change({ [end]: currentTarget.value || undefined })}
          />
        ))}
    </search>
  );
}

function OfPeriod({ today }: { today: string }) {
  const { period, from, to } = route.useSearch();
  const stats = useQuery(periodStatsQuery(toPeriod(period, { from, to }, today)));
  return <QueryResult query={stats}>{(found) => <Statistics stats={found} />}</QueryResult>;
}

const partOf = (part: number, total: number) => ({
  value: formatNumber(part),
  ...(total > 0 && { note: formatShare(part / total) }),
});

const spanOf = ({ from, to }: Period): string =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;

function Statistics({ stats }: { stats: ConsentStats }) {
  const { period, total, by_action, categories, daily } = stats;
  const settings = useQuery(settingsQuery);
  const labelOf = (id: string) =>
    settings.data?.consent.categories.find((category) => category.id === id)?.label ?? id;
  if (period && daily.length === 0) {
    return <p className="soft">This period ends before it begins. Choose a later end.</p>;
  }
  const none = (
    <p className="soft">
      {period ? 'No visitor has chosen in this period.' : 'No visitor has chosen yet.'}
    </p>
  );
  return (
    <>
      <Numbers
        items={[
          { label: 'Consent choices', value: formatNumber(total) },
          { label: 'Accepted all', ...partOf(by_action.accept_all, total) },
          { label: 'Customised', ...partOf(by_action.manage, total) },
          { label: 'Rejected all', ...partOf(by_action.reject_all, total) },
        ]}
      />
      <section className="card">
        <h2>
          Consent choices by {getBarUnit(daily.length)}, {period ? spanOf(period) : 'last 30 days'}
        </h2>
        {total === 0 ? none : <ConsentChart daily={daily} />}
      </section>
      <section className="card">
        <h2>Acceptance by category</h2>
        {Object.entries(categories).map(([id, { accepted, rejected, acceptance_rate }]) => (
          <div className="meter" key={id}>
            <span className="break">{labelOf(id)}</span>
            <span
              className="rail"
              role="img"
              aria-label={`${accepted} accepted, ${rejected} rejected`}
            >
              <i style={{ width: `${100 * acceptance_rate}%` }} />
            </span>
            <span className="number">{formatShare(acceptance_rate)}</span>
          </div>
        ))}
        {Object.keys(categories).length === 0 && none}
      </section>
    </>
  );
}
