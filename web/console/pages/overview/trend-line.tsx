import { Box, Group } from '@mantine/core';
import { formatDay, formatNumber } from '../../components/format.ts';

const WIDTH = 600;
const HEIGHT = 90;

/** A line of daily values. A chart library would exceed the size limit of the first page. */
export function TrendLine({ points }: { points: readonly { date: string; value: number }[] }) {
  const max = Math.max(1, ...points.map(({ value }) => value));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const step = WIDTH / Math.max(1, points.length - 1);
  const line = points
    .map(({ value }, index) => `${index * step},${HEIGHT - (value / max) * (HEIGHT - 4)}`)
    .join(' ');
  const peak = points.find(({ value }) => value === max) ?? last;
  return (
    <Box component="figure" m={0}>
      <svg
        width="100%"
        height={96}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Consent choices by day from ${formatDay(first.date)} to ${formatDay(last.date)}; the most on one day: ${formatNumber(peak.value)} on ${formatDay(peak.date)}.`}
      >
        <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} fill="var(--hover)" />
        <polyline points={line} fill="none" stroke="var(--chart-yes)" strokeWidth="2" />
      </svg>
      <Group component="figcaption" justify="space-between" fz="sm" c="dimmed">
        <span>{formatDay(first.date)}</span>
        <span>Peak: {formatNumber(peak.value)}</span>
        <span>{formatDay(last.date)}</span>
      </Group>
    </Box>
  );
}
