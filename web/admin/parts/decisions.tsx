import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ConsentStats } from '../api/types.ts';
import { counted, formatDay } from './format.ts';

// The drawing weighs more than the rest of the screen, which need not wait for it.
const Chart = lazy(() =>
  import('./decisions-chart.tsx').then(({ DecisionsChart }) => ({ default: DecisionsChart })),
);

/** What visitors decided in the last days: a picture, and the same in words for who does not see it. */
export function Decisions({ daily }: { daily: ConsentStats['daily'] }) {
  const busy = daily.filter(({ total }) => total > 0);
  return (
    <figure style={{ margin: 0 }}>
      <figcaption className="unseen">
        Decisions by day.{' '}
        {busy
          .map(({ date, total }) => `${formatDay(date)}: ${counted(total, 'decision')}.`)
          .join(' ')}
      </figcaption>
      <div aria-hidden="true">
        <Suspense fallback={<Skeleton height={240} />}>
          <Chart daily={daily} />
        </Suspense>
      </div>
    </figure>
  );
}
