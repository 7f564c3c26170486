import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { Card, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Scan } from '../../api/types.ts';
import { formatDay } from '../../components/format.ts';
import { scannedSiteQuery } from './queries.ts';

/** Broken promises and loads without consent of the latest scans of the site that went as deep, oldest first. */
export function ScanTrend({ scans }: { scans: readonly Scan[] }) {
  const { data: site } = useQuery(scannedSiteQuery);
  const ofSite = scans.filter(
    ({ site_url, status, pages, started_by }) =>
      site_url === site && status === 'completed' && pages > 0 && started_by !== 'proof',
  );
  const data = ofSite
    .filter(({ depth }) => depth === ofSite[0]?.depth)
    .toReversed()
    .map(({ scan_id, started_at, states, resources: { broken_promises, before_consent } }) => ({
      // Several scans of a day stay apart.
      scan: `${formatDay(started_at)} #${scan_id}`,
      // Only these states can show that a promise is broken.
      broken_promises: states.some((state) => state === 'rejected' || state === 'withdrawn')
        ? broken_promises
        : null,
      before_consent,
    }));
  if (data.length < 2) return null;
  return (
    <Card withBorder component="section" aria-label="Trend">
      <Title order={2} size="h4" mb="md">
        Violations by scan
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
            { name: 'broken_promises', label: 'Broken promises', color: 'var(--chart-no)' },
            { name: 'before_consent', label: 'Loaded without consent', color: 'var(--chart-some)' },
          ]}
        />
      </div>
    </Card>
  );
}
