import { Button, Progress } from '@mantine/core';
import type { ScanDetail } from '../../api/types.ts';
import { Figures } from '../../parts/figures.tsx';
import { useChange } from '../../parts/form.tsx';
import { counted, formatNumber, pathOf } from '../../parts/format.ts';
import { Tag } from '../../parts/tag.tsx';
import { completeScan, isRunning, type Run, runScan, stopRun, useRun } from './run.ts';

/** A scan that is not complete: as it goes on page by page, or where it was left. */
export function ScanProgress({ scan }: { scan: ScanDetail }) {
  const run = useRun(scan.scan_id);
  if (run && (run.state === 'running' || run.state === 'stopping')) return <Going run={run} />;
  return <Left scan={scan} {...(run?.error !== undefined && { error: run.error })} />;
}

function Going({ run }: { run: Run }) {
  const done = run.pages.length;
  return (
    <section className="card" aria-label="Progress">
      <div className="card-head">
        <h2>
          Page {formatNumber(Math.min(done + 1, run.planned))} of {formatNumber(run.planned)}
        </h2>
        <Button
          variant="default"
          size="xs"
          disabled={run.state === 'stopping'}
          onClick={() => stopRun()}
        >
          {run.state === 'stopping' ? 'Stopping…' : 'Stop'}
        </Button>
      </div>
      <Progress.Root size="lg" mb="md">
        <Progress.Section
          value={(100 * done) / run.planned}
          animated
          striped
          aria-label={`${done} of ${run.planned} pages`}
        />
      </Progress.Root>
      <Figures
        items={[
          { label: 'Findings so far', value: formatNumber(run.findings) },
          { label: 'Vendors', value: formatNumber(run.vendors.size) },
          { label: 'Before consent', value: formatNumber(run.beforeConsent) },
          {
            label: 'Pages that failed',
            value: formatNumber(run.pages.filter(({ error }) => error !== undefined).length),
          },
        ]}
      />
      {run.vendors.size > 0 && (
        <p className="tags">
          {[...run.vendors].map((name) => (
            <Tag key={name}>{name}</Tag>
          ))}
        </p>
      )}
      <ul
        className="plain small"
        style={{ marginTop: '1rem', maxHeight: '14rem', overflow: 'auto' }}
      >
        {run.current.map((url) => (
          <li key={url} className="break">
            … {pathOf(url)}
          </li>
        ))}
        {run.pages.map(({ url, count, error }) => (
          <li key={url} className="soft break">
            {error === undefined ? '✓' : '✗'} {pathOf(url)} · {error ?? counted(count, 'finding')}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Left({ scan, error }: { scan: ScanDetail; error?: string }) {
  const planned = scan.urls.filter(({ state }) => state === 'planned').map(({ url }) => url);
  const completing = useChange({
    change: () => completeScan(scan.scan_id),
    stale: [],
    done: 'The scan is complete.',
  });
  return (
    <section className="card">
      <h2>This scan is not complete</h2>
      {error && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
      <p className="soft">
        {planned.length === 0
          ? 'All pages were looked at.'
          : `${counted(planned.length, 'page')} of ${scan.pages_planned} are still to be looked at.`}
      </p>
      <div className="row">
        {planned.length > 0 && (
          <Button disabled={isRunning()} onClick={() => runScan(scan.scan_id, planned)}>
            Continue
          </Button>
        )}
        <Button
          variant="default"
          loading={completing.isPending}
          onClick={() => completing.mutate(undefined)}
        >
          Finish with what there is
        </Button>
      </div>
    </section>
  );
}
