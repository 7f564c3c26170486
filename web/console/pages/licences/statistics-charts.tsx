import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { formatNumber } from '../../components/format.ts';
import type { Period } from './periods.ts';

const compact = new Intl.NumberFormat('en-GB', { notation: 'compact' });
const AXES = {
  tickLine: 'y',
  valueFormatter: formatNumber,
  xAxisProps: { interval: 'preserveStartEnd', minTickGap: 40 },
  // Whole numbers of validations are wider than the axis.
  yAxisProps: { allowDecimals: false, tickFormatter: (value: number) => compact.format(value) },
} as const;
const LEGEND = { withLegend: true, legendProps: { verticalAlign: 'bottom' } } as const;

interface Series {
  name: keyof Period;
  label: string;
  color: string;
}

/** Values over time. Screen readers get them from the table of the page. */
export function Line({ periods, series }: { periods: readonly Period[]; series: Series }) {
  return (
    <div aria-hidden="true" className="scroll">
      <LineChart
        {...AXES}
        h={220}
        data={[...periods]}
        dataKey="short"
        series={[series]}
        curveType="linear"
        withDots={false}
        lineChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}

/** Bars beside or on each other. Screen readers get the values from the table of the page. */
export function Bars({
  periods,
  series,
  isStacked = false,
}: {
  periods: readonly Period[];
  series: readonly Series[];
  isStacked?: boolean;
}) {
  return (
    <div aria-hidden="true" className="scroll">
      <BarChart
        {...AXES}
        {...(series.length > 1 && LEGEND)}
        h={240}
        type={isStacked ? 'stacked' : 'default'}
        data={[...periods]}
        dataKey="short"
        series={[...series]}
        maxBarWidth={28}
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}
