import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { VisuallyHidden } from '@mantine/core';
import type { ConsentStats } from '../../api/types.ts';
import { getUnit } from '../../components/day-groups.ts';
import { formatShare } from '../../components/format.ts';
import { toBars } from './bars.ts';

/** How large the share of visitors who accepted everything was, by day, week or month. */
export function AcceptanceRateChart({ daily }: { daily: ConsentStats['daily'] }) {
  const bars = toBars(daily, getUnit(daily.length));
  const rates = bars.map(({ key, short, total, by_action }) => ({
    key,
    short,
    rate: total > 0 ? Math.round((100 * by_action.accept_all) / total) : null,
  }));
  const known = rates.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  return (
    <figure style={{ margin: 0 }}>
      <VisuallyHidden component="figcaption">
        Lowest {formatShare(Math.min(...known) / 100)}, highest{' '}
        {formatShare(Math.max(...known) / 100)}.
      </VisuallyHidden>
      <div aria-hidden="true" className="scroll">
        <LineChart
          h={200}
          data={rates}
          dataKey="short"
          series={[{ name: 'rate', label: 'Accepted all', color: 'var(--chart-yes)' }]}
          curveType="linear"
          connectNulls
          unit="%"
          yAxisProps={{ domain: [0, 100] }}
          xAxisProps={{ padding: { left: 24, right: 24 } }}
          lineChartProps={{ accessibilityLayer: false }}
        />
      </div>
    </figure>
  );
}
