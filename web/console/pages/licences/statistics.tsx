import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getUnit } from '../../components/day-groups.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { FilterBar, SelectFilter } from '../../components/filters.tsx';
import { formatNumber, formatShare } from '../../components/format.ts';
import { KeyFigures } from '../../components/key-figures.tsx';
import { Page, TextLink } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { productsQuery } from '../products/queries.ts';
import { NoLicences } from './no-licences.tsx';
import { countAll, countValid, type Period, toPeriods } from './periods.ts';
import { type LicenceStatistics, statisticsQuery } from './queries.ts';
import { Bars, Line } from './statistics-charts.tsx';

const route = getRouteApi('/app/licences/statistics');

/** Days of the periods besides the default, the last 30 days. */
const PERIODS = [
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 12 months' },
];
const GOOD = 'var(--chart-yes)';
const BAD = 'var(--chart-no)';

/** Active, new and churned licences, validations and failed webhooks of a period. */
export function LicenceStatisticsPage() {
  const { period, product, mode } = route.useSearch();
  const { data: products = [] } = useQuery(productsQuery);
  const days = PERIODS.some(({ value }) => value === period) ? Number(period) : 30;
  const statistics = useQuery(statisticsQuery({ days, product, mode }));
  return (
    <Page
      title="Licence statistics"
      intro="Active, new and churned licences, validations and failed webhooks. Days are in UTC."
      back={{ to: '/licences', label: 'Licences' }}
    >
      <FilterBar>
        <SelectFilter
          name="period"
          label="Period"
          value={period}
          all="Last 30 days"
          options={PERIODS}
        />
        {products.length > 1 && (
          <SelectFilter
            name="product"
            label="Product"
            value={product}
            options={products.map(({ slug, name }) => ({ value: slug, label: name }))}
          />
        )}
        <SelectFilter
          name="mode"
          label="Mode"
          value={mode}
          all="Live"
          options={[{ value: 'test', label: 'Test' }]}
        />
      </FilterBar>
      <QueryResult query={statistics} lines={12} absent={<NoLicences />}>
        {(found) => <Figures statistics={found} isOfProduct={product !== undefined} />}
      </QueryResult>
    </Page>
  );
}

function Figures({
  statistics,
  isOfProduct,
}: {
  statistics: LicenceStatistics;
  isOfProduct: boolean;
}) {
  const { daily, validations } = statistics;
  const unit = getUnit(daily.length);
  const periods = toPeriods(daily, unit);
  const total = countAll(validations);
  return (
    <Stack>
      <KeyFigures
        items={[
          {
            label: 'Active licences',
            value: formatNumber(statistics.active),
            ...(statistics.suspended > 0 && {
              note: `${formatNumber(statistics.suspended)} suspended`,
            }),
          },
          { label: 'New', value: formatNumber(statistics.new) },
          { label: 'Churned', value: formatNumber(statistics.churned) },
          {
            label: 'Validations',
            value: formatNumber(total),
            ...(total > 0 && { note: `${formatShare(countValid(validations) / total)} valid` }),
          },
        ]}
      />
      <Section title="Active licences">
        <Definition>
          Active: issued, and not revoked, suspended or past the end of the grace period. If a
          licence is renewed late or reinstated, it counts as active for the days before, too.
        </Definition>
        <Line periods={periods} series={{ name: 'active', label: 'Active', color: GOOD }} />
      </Section>
      <Section title={`New and churned licences by ${unit}`}>
        <Definition>
          New: issued in this period. A renewal is not a new licence. Churned: revoked, or not
          renewed since the grace period ended.
        </Definition>
        <Bars
          periods={periods}
          series={[
            { name: 'new', label: 'New', color: GOOD },
            { name: 'churned', label: 'Churned', color: BAD },
          ]}
        />
      </Section>
      <Section title={`Validations by ${unit}`}>
        <Definition>
          Requests of sites to validate a licence.{' '}
          {isOfProduct
            ? 'Unknown keys belong to no product and are not counted here.'
            : 'Unknown keys are counted for live and test licences.'}{' '}
          Counts appear after up to 10 seconds and are kept for 25 months.
        </Definition>
        {total === 0 ? (
          <Text>No validations in this period.</Text>
        ) : (
          <>
            <Bars
              isStacked
              periods={periods}
              series={[
                { name: 'valid', label: 'Valid', color: GOOD },
                { name: 'notValid', label: 'Not valid', color: BAD },
              ]}
            />
            <ResultTable validations={validations} total={total} />
          </>
        )}
      </Section>
      <Section title={`Failed webhook deliveries by ${unit}`}>
        <Definition>
          Deliveries of all products and events whose last attempt failed. Retention deletes
          deliveries, by default after 30 days. <TextLink to="/webhooks">View webhooks</TextLink>
        </Definition>
        {statistics.webhook_failures === 0 ? (
          <Text>No failed deliveries in this period.</Text>
        ) : (
          <Bars periods={periods} series={[{ name: 'failures', label: 'Failed', color: BAD }]} />
        )}
      </Section>
      <Disclosure isLazy summary={`Statistics by ${unit}`}>
        <PeriodTable label={`Statistics by ${unit}`} periods={periods} />
      </Disclosure>
    </Stack>
  );
}

const Definition = ({ children }: { children: ReactNode }) => (
  <Text c="dimmed" size="sm">
    {children}
  </Text>
);

type Result = keyof LicenceStatistics['validations'];

const RESULTS: Record<Result, readonly [label: string, meaning: string]> = {
  active: ['Active', 'The site is activated.'],
  grace: ['Grace period', 'The site is activated, and the paid period has ended.'],
  not_activated: ['Not activated', 'Valid. The site is not activated, and can be.'],
  limit_reached: ['Limit reached', 'All slots are in use by other sites.'],
  expired: ['Expired', 'The grace period has ended.'],
  suspended: ['Suspended', 'The licence is suspended.'],
  revoked: ['Revoked', 'The licence is revoked.'],
  unknown_key: ['Unknown key', 'No licence of the product has this key.'],
};

function ResultTable({
  validations,
  total,
}: {
  validations: LicenceStatistics['validations'];
  total: number;
}) {
  return (
    <DataTable
      label="Validations by result"
      rows={Object.keys(RESULTS) as Result[]}
      getKey={(result) => result}
      columns={[
        { title: 'Result', cell: (result) => RESULTS[result][0] },
        { title: 'Meaning', cell: (result) => RESULTS[result][1] },
        {
          title: 'Validations',
          align: 'end',
          cell: (result) => <span className="number">{formatNumber(validations[result])}</span>,
        },
        {
          title: 'Share',
          align: 'end',
          cell: (result) => (
            <span className="number">{formatShare(validations[result] / total)}</span>
          ),
        },
      ]}
    />
  );
}

function PeriodTable({ label, periods }: { label: string; periods: readonly Period[] }) {
  const column = (
    title: string,
    name: 'active' | 'new' | 'churned' | 'valid' | 'notValid' | 'failures',
  ) => ({
    title,
    align: 'end' as const,
    cell: (period: Period) => <span className="number">{formatNumber(period[name])}</span>,
  });
  return (
    <DataTable
      label={label}
      rows={periods.toReversed()}
      getKey={({ key }) => key}
      columns={[
        { title: 'Days', cell: ({ name }) => name },
        column('Active', 'active'),
        column('New', 'new'),
        column('Churned', 'churned'),
        column('Valid', 'valid'),
        column('Not valid', 'notValid'),
        column('Failed deliveries', 'failures'),
      ]}
    />
  );
}
