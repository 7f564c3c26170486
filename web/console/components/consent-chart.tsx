import type { ConsentStats } from '../api/types.ts';
import { type Bar, getBarUnit, toBars } from './bars.ts';
import { formatCount, formatNumber } from './format.ts';

/** From the bottom of a bar to its top. */
const SERIES = [
  { action: 'accept_all', label: 'Accepted all', color: 'var(--chart-yes)' },
  { action: 'manage', label: 'Customised', color: 'var(--chart-some)' },
  { action: 'reject_all', label: 'Rejected all', color: 'var(--chart-no)' },
] as const;
const FRACTIONS = [0, 0.25, 0.5, 0.75, 1];
const PARTS = FRACTIONS.length - 1;
/** As many bars are named, or one more. */
const NAMED = 5;

/** What visitors chose over time: a picture, and the same in words for who does not see it. */
export function ConsentChart({ daily }: { daily: ConsentStats['daily'] }) {
  const unit = getBarUnit(daily.length);
  const bars = toBars(daily, unit);
  const busy = bars.filter(({ total }) => total > 0);
  const top = roundUp(Math.max(PARTS, ...bars.map(({ total }) => total)));
  const every = Math.max(7, Math.ceil(bars.length / NAMED));
  return (
    <figure style={{ margin: 0 }}>
      <figcaption className="unseen">
        Consent choices by {unit}.{' '}
        {busy.map(({ name, total }) => `${name}: ${formatCount(total, 'choice')}.`).join(' ')}
      </figcaption>
      <div aria-hidden="true">
        <div className="chart">
          {FRACTIONS.map((fraction) => (
            <span className="chart-line" key={fraction} style={{ bottom: `${100 * fraction}%` }}>
              {formatNumber(top * fraction)}
            </span>
          ))}
          {bars.map((bar, index) => (
            <div className="chart-day" key={bar.key} title={inWords(bar)}>
              {SERIES.map(({ action, color }) => (
                <i
                  key={action}
                  style={{ height: `${(100 * bar.by_action[action]) / top}%`, background: color }}
                />
              ))}
              {(bars.length - 1 - index) % every === 0 && <small>{bar.short}</small>}
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

const inWords = ({ name, by_action }: Bar): string =>
  [name, ...SERIES.map(({ action, label }) => `${label}: ${formatNumber(by_action[action])}`)].join(
    '\n',
  );

/** The next number that divides well into lines: 4, 8, 12, 16, 20, 24, 32, 40, 60, 80, 100, … */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].map((step) => step * unit);
  const found = steps.find((step) => step >= value && step % PARTS === 0);
  return found ?? 20 * unit;
}
