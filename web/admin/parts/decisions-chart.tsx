import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { ConsentStats } from '../api/types.ts';
import { formatDay } from './format.ts';

const SERIES = [
  { name: 'accept_all', label: 'Accepted all', color: 'var(--chart-yes)' },
  { name: 'manage', label: 'Chose', color: 'var(--chart-some)' },
  { name: 'reject_all', label: 'Rejected all', color: 'var(--chart-no)' },
];

/** Decisions by day, one colour for each kind. */
export function DecisionsChart({ daily }: { daily: ConsentStats['daily'] }) {
  const rows = daily.map(({ date, by_action }) => ({
    date: formatDay(date).replace(/ \d{4}$/, ''),
    ...by_action,
  }));
  return (
    <>
      <BarChart
        h={240}
        data={rows}
        dataKey="date"
        type="stacked"
        series={SERIES}
        gridAxis="x"
        tickLine="none"
        maxBarWidth={26}
        yAxisProps={{ allowDecimals: false, width: 40 }}
        xAxisProps={{ minTickGap: 24 }}
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }}
      />
      <div className="legend">
        {SERIES.map(({ name, label, color }) => (
          <span key={name}>
            <i style={{ background: color }} />
            {label}
          </span>
        ))}
      </div>
    </>
  );
}
