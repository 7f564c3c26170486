import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScanResults } from '../../api/types.ts';
import { Confirmed, useChange } from '../../parts/form.tsx';
import { counted } from '../../parts/format.ts';
import { Category } from '../../parts/tag.tsx';
import { registryQuery } from '../scripts/queries.ts';
import { lackingIn, letWait, type NewScript, type Progress } from './waiting.ts';

/** Makes everything wait at once that came before consent and can be held back. */
export function AllGates({ results: { results } }: { results: ScanResults }) {
  const registry = useQuery(registryQuery);
  const [progress, setProgress] = useState<Progress>();
  const adding = useChange({
    change: (agreed: NewScript[]) => letWait(agreed, results, setProgress),
    stale: [],
  });
  const lacking = registry.data ? lackingIn(registry.data, results) : [];
  if (lacking.length === 0 && !progress) return null;
  return (
    <section className="card above" aria-label="What does not wait yet">
      {(lacking.length > 0 || adding.isPending) && (
        <div className="row between">
          <span>
            <strong>{counted(lacking.length, 'thing')}</strong> came before consent, and{' '}
            {lacking.length === 1 ? 'does' : 'do'} not wait for it yet.
          </span>
          <Confirmed
            title={`Let ${counted(lacking.length, 'thing')} wait?`}
            text={<Plan lacking={lacking} />}
            confirm="Let all wait"
            onConfirm={() => adding.mutate(lacking)}
            button={(open) => (
              <Button loading={adding.isPending} onClick={open}>
                Let all wait that came before consent
              </Button>
            )}
          />
        </div>
      )}
      <div role="status">{progress && <Told progress={progress} />}</div>
    </section>
  );
}

function Plan({ lacking }: { lacking: readonly NewScript[] }) {
  return (
    <>
      <p style={{ marginTop: 0 }}>
        Each of these is added to the registry of scripts. Its entry then says what its tag in the
        page has to become, so that it waits. What nobody knows waits for Marketing until you change
        that.
      </p>
      <ul className="plain stack" style={{ gap: '0.7rem' }}>
        {lacking.map(({ handle, label, category, script_url }) => (
          <li key={handle}>
            <strong>{label}</strong> <Category id={category} />
            <div className="soft small break">{script_url}</div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Told({ progress: { planned, current, added, failed } }: { progress: Progress }) {
  if (current !== undefined) return `${added + failed.length + 1} of ${planned}: ${current}`;
  const done = `${counted(added, 'script')} added to the registry.`;
  if (failed.length === 0) return planned > 0 ? done : 'All of it is in the registry already.';
  return (
    <>
      {added > 0 && done} {counted(failed.length, 'script')} could not be added:
      <ul style={{ margin: '0.4rem 0 0' }}>
        {failed.map(({ handle, label, reason }) => (
          <li key={handle}>
            <strong>{label}</strong>: {reason}
          </li>
        ))}
      </ul>
    </>
  );
}
