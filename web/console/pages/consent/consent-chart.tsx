import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { VisuallyHidden } from '@mantine/core';
import type { ConsentStats } from '../../api/types.ts';
import { getUnit } from '../../components/day-groups.ts';
import { formatCount, formatNumber } from '../../components/format.ts';
import { toBars } from './bars.ts';

/** From the bottom of a bar to its top. */
const SERIES = [
  { name: 'accept_all', label: 'Accepted all', color: 'var(--chart-yes)' },
  { name: 'manage', label: 'Customised', color: 'var(--chart-some)' },
  { name: 'reject_all', label: 'Rejected all', color: 'var(--chart-no)' },
];

/** Consent choices over time as stacked bars, and as a text for screen readers. */
export function ConsentChart({ daily }: { daily: ConsentStats['daily'] }) {
  const unit = getUnit(daily.length);
  const bars = toBars(daily, unit);
  const busy = bars.filter(({ total }) => total > 0);
  return (
    <figure style={{ margin: 0 }}>
      <VisuallyHidden component="figcaption">
        Consent choices by {unit}.{' '}
        {busy.map(({ name, total }) => `${name}: ${formatCount(total, 'choice')}.`).join(' ')}
      </VisuallyHidden>
      <div aria-hidden="true" className="scroll">
        <BarChart
          h={260}
          type="stacked"
          data={bars.map(({ short, by_action }) => ({ short, ...by_action }))}
          dataKey="short"
          series={SERIES}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          tickLine="y"
          maxBarWidth={28}
          valueFormatter={formatNumber}
          xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 40 }}
          yAxisProps={{ allowDecimals: false }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
    </figure>
  );
}
