import type { ConsentStats } from '../api/types.ts';
import { counted, formatDay, formatNumber } from './format.ts';

type Day = ConsentStats['daily'][number];

/** From the bottom of a bar to its top. */
const SERIES = [
  { action: 'accept_all', label: 'Accepted all', color: 'var(--chart-yes)' },
  { action: 'manage', label: 'Chose', color: 'var(--chart-some)' },
  { action: 'reject_all', label: 'Rejected all', color: 'var(--chart-no)' },
] as const;
const FRACTIONS = [0, 0.25, 0.5, 0.75, 1];
const PARTS = FRACTIONS.length - 1;
/** Every so many days one is named. */
const NAMED = 7;

/** What visitors decided in the last days: a picture, and the same in words for who does not see it. */
export function Decisions({ daily }: { daily: ConsentStats['daily'] }) {
  const busy = daily.filter(({ total }) => total > 0);
  const top = roundUp(Math.max(PARTS, ...daily.map(({ total }) => total)));
  return (
    <figure style={{ margin: 0 }}>
      <figcaption className="unseen">
        Decisions by day.{' '}
        {busy
          .map(({ date, total }) => `${formatDay(date)}: ${counted(total, 'decision')}.`)
          .join(' ')}
      </figcaption>
      <div aria-hidden="true">
        <div className="chart">
          {FRACTIONS.map((fraction) => (
            <span className="chart-line" key={fraction} style={{ bottom: `${100 * fraction}%` }}>
              {formatNumber(top * fraction)}
            </span>
          ))}
          {daily.map((day, index) => (
            <div className="chart-day" key={day.date} title={inWords(day)}>
              {SERIES.map(({ action, color }) => (
                <i
                  key={action}
                  style={{ height: `${(100 * day.by_action[action]) / top}%`, background: color }}
                />
              ))}
              {(daily.length - 1 - index) % NAMED === 0 && (
                <small>{formatDay(day.date).replace(/\s\d{4}$/, '')}</small>
              )}
            </div>
          ))}
        </div>
        <div className="legend">
          {SERIES.map(({ action, label, color }) => (
            <span key={action}>
              <i style={{ background: color }} />
              {label}
            </span>
          ))}
        </div>
      </div>
    </figure>
  );
}

const inWords = ({ date, by_action }: Day): string =>
  [
    formatDay(date),
    ...SERIES.map(({ action, label }) => `${label}: ${formatNumber(by_action[action])}`),
  ].join('\n');

/** The next number that divides well into lines: 4, 8, 12, 16, 20, 24, 32, 40, 60, 80, 100, … */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].map((step) => step * unit);
  const found = steps.find((step) => step >= value && step % PARTS === 0);
  return found ?? 20 * unit;
}
