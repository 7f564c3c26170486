import { Button } from '@mantine/core';
import { useState } from 'react';
import type { DecisionAnswer, ScanResults } from '../../api/types.ts';
import { CategoryBadge } from '../../components/badges.tsx';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { formatCount } from '../../components/format.ts';
import { isBlockable, STALE_AFTER_DECISION, sendDecision } from './decisions.ts';

/** Blocks everything at once that is open and that the script registry can block. */
export function BlockAll({ results: { scan_id, results } }: { results: ScanResults }) {
  const [plan, setPlan] = useState<DecisionAnswer>();
  const planning = useChange({
    change: () => sendDecision({ scan_id, decision: 'blocked', dry_run: true }),
    stale: [],
    onDone: setPlan,
  });
  const blocking = useChange({
    change: () => sendDecision({ scan_id, decision: 'blocked' }),
    stale: STALE_AFTER_DECISION,
  });
  const count = results.filter(isBlockable).length;
  if (count === 0 && !blocking.data) return null;
  return (
    <section className="card above" aria-label="Block until consent">
      {(count > 0 || blocking.isPending) && (
        <div className="row between">
          <span>
            <strong>{formatCount(count, 'finding')}</strong> can be blocked until consent.
          </span>
          <ConfirmButton
            title={`Block ${formatCount(plan?.findings ?? count, 'finding')} until consent?`}
            text={plan ? <Plan plan={plan} /> : 'Loading what this adds to the script registry.'}
            confirm="Block all"
            onConfirm={() => blocking.mutate(undefined)}
            button={(open) => (
              <Button
                loading={blocking.isPending}
                onClick={() => {
                  planning.mutate(undefined);
                  open();
                }}
              >
                Block all until consent
              </Button>
            )}
          />
        </div>
      )}
      <div role="status">{blocking.data && <Result result={blocking.data} />}</div>
    </section>
  );
}

function Plan({ plan: { scripts } }: { plan: DecisionAnswer }) {
  if (scripts.length === 0) return 'The script registry has all of them already.';
  return (
    <>
      <p style={{ marginTop: 0 }}>
        {formatCount(scripts.length, 'entry', 'entries')} will be added to the script registry or
        turned on. Each entry shows the snippet that replaces its tag in the page. Cookies and
        requests are blocked with the tag that loads them.
      </p>
      <ul className="plain stack" style={{ gap: '0.7rem' }}>
        {scripts.map(({ handle, label, category, script_url }) => (
          <li key={handle}>
            <strong>{label}</strong> <CategoryBadge id={category} />
            <div className="soft small break">{script_url}</div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Result({ result: { findings, scripts, skipped } }: { result: DecisionAnswer }) {
  const reasons = [...Map.groupBy(skipped, ({ reason }) => reason)];
  return (
    <>
      {formatCount(findings, 'finding')} blocked, {formatCount(scripts.length, 'entry', 'entries')}{' '}
      added to the script registry or turned on. Scan again to see whether it works.
      {reasons.length > 0 && (
        <>
          {' '}
          {formatCount(skipped.length, 'finding')} could not be blocked:
          <ul style={{ margin: '0.4rem 0 0' }}>
            {reasons.map(([reason, of]) => (
              <li key={reason}>
                {of.length}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
