import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../api/queries.ts';
import { Decisions } from '../../parts/decisions.tsx';
import { Figures as Numbers } from '../../parts/figures.tsx';
import { formatNumber, formatShare } from '../../parts/format.ts';
import { Page } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { statsQuery } from './queries.ts';

const partOf = (part: number, total: number) => ({
  value: formatNumber(part),
  ...(total > 0 && { note: formatShare(part / total) }),
});

/** Totals and rates of consent. */
export function Figures() {
  const stats = useQuery(statsQuery);
  const settings = useQuery(settingsQuery);
  const labelOf = (id: string) =>
    settings.data?.consent.categories.find((category) => category.id === id)?.label ?? id;
  return (
    <Page
      title="Consent in figures"
      intro="How visitors decide, over all time and day by day."
      back={{ to: '/consent', label: 'Consent records' }}
    >
      <Shown query={stats}>
        {({ total, by_action, categories, daily }) => (
          <div className="stack">
            <Numbers
              items={[
                { label: 'All decisions', value: formatNumber(total) },
                { label: 'Accepted all', ...partOf(by_action.accept_all, total) },
                { label: 'Chose', ...partOf(by_action.manage, total) },
                { label: 'Rejected all', ...partOf(by_action.reject_all, total) },
              ]}
            />
            <section className="card">
              <h2>Decisions by day, last 30 days</h2>
              {total === 0 ? (
                <p className="soft">No visitor has decided yet.</p>
              ) : (
                <Decisions daily={daily} />
              )}
            </section>
            <section className="card">
              <h2>Acceptance by category</h2>
              {Object.entries(categories).map(([id, { accepted, rejected, acceptance_rate }]) => (
                <div className="meter" key={id}>
                  <span className="break">{labelOf(id)}</span>
                  <span
                    className="rail"
                    role="img"
                    aria-label={`${accepted} accepted, ${rejected} rejected`}
                  >
                    <i style={{ width: `${100 * acceptance_rate}%` }} />
                  </span>
                  <span className="number">{formatShare(acceptance_rate)}</span>
                </div>
              ))}
              {Object.keys(categories).length === 0 && (
                <p className="soft">No visitor has decided yet.</p>
              )}
            </section>
          </div>
        )}
      </Shown>
    </Page>
  );
}
