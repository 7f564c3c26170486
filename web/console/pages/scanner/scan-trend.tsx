import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { Card, Title } from '@mantine/core';
import type { Scan } from '../../api/types.ts';
import { formatDay } from '../../components/format.ts';

/** Findings of the latest scans, oldest first. */
export function ScanTrend({ scans }: { scans: readonly Scan[] }) {
  const data = scans
    .filter(({ status, pages }) => status === 'completed' && pages > 0)
    .toReversed()
    .map(({ scan_id, started_at, findings, before_consent }) => ({
      // Several scans of a day stay apart.
      scan: `${formatDay(started_at)} #${scan_id}`,
      findings,
      before_consent,
    }));
  if (data.length < 2) return null;
  return (
    <Card withBorder component="section" aria-label="Trend">
      <Title order={2} size="h4" mb="md">
        Findings by scan
      </Title>
      {/* The table below has the same figures. */}
      <div aria-hidden="true" className="scroll">
        <LineChart
          h={200}
          data={data}
          dataKey="scan"
          withLegend
          curveType="linear"
          tickLine="y"
          xAxisProps={{ padding: { left: 24, right: 24 } }}
          lineChartProps={{ accessibilityLayer: false }}
          series={[
            { name: 'findings', label: 'Findings', color: 'blue.6' },
            { name: 'before_consent', label: 'Loaded before consent', color: 'red.6' },
          ]}
        />
      </div>
    </Card>
  );
}
