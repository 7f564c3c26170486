import { Button, Progress } from '@mantine/core';
import { write } from '../../api/client.ts';
import type { Scan, ScanDetail } from '../../api/types.ts';
import { Allowed } from '../../components/access.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, formatNumber, getPath } from '../../components/format.ts';
import { KeyFigures } from '../../components/key-figures.tsx';
import { isRunning } from './queries.ts';

/** A scan that is not complete: how far it is, or why it ended and how to go on. */
export function ScanProgress({ scan }: { scan: ScanDetail }) {
  return isRunning(scan) ? <Running scan={scan} /> : <Ended scan={scan} />;
}

/** A change of the scan after which everything that shows it is read anew. */
const useScanChange = (scan: Scan, path: string, done: string) => {
  const id = String(scan.scan_id);
  return useChange({
    change: () =>
      path === 'complete'
        ? write('POST', '/scanner/complete', { scan_id: scan.scan_id })
        : write('POST', `/scanner/scans/${id}/${path}`),
    stale: [['scans'], ['scan', id], ['results', id]],
    done,
  });
};

function Running({ scan }: { scan: ScanDetail }) {
  const cancelling = useScanChange(scan, 'cancel', 'The scan was cancelled.');
  const looked = scan.urls.filter(({ state }) => state !== 'planned');
  const planned = scan.pages_planned;
  const heading =
    scan.status === 'queued'
      ? 'Queued'
      : planned === 0
        ? 'Finding pages'
        : `${formatNumber(looked.length)} of ${formatCount(planned, 'page')} done`;
  return (
    <section className="card" aria-label="Progress">
      <div className="card-head">
        <h2>{heading}</h2>
        <Allowed>
          <Button
            variant="default"
            size="xs"
            loading={cancelling.isPending}
            onClick={() => cancelling.mutate(undefined)}
          >
            Cancel scan
          </Button>
        </Allowed>
      </div>
      <Progress.Root size="lg" mb="md">
        <Progress.Section
          value={planned === 0 ? 0 : (100 * looked.length) / planned}
          animated
          striped
          aria-label={heading}
        />
      </Progress.Root>
      <p className="soft">
        {scan.status === 'queued'
          ? 'The scan starts when the one before it has ended.'
          : 'The server runs the scan. You can close this page.'}
      </p>
      <KeyFigures
        items={[
          { label: 'Findings so far', value: formatNumber(scan.findings) },
          { label: 'Vendors', value: formatNumber(scan.vendors) },
          { label: 'Before consent', value: formatNumber(scan.before_consent) },
          { label: 'Not scanned', value: formatNumber(scan.pages_failed) },
        ]}
      />
      <ul
        className="plain small"
        style={{ marginTop: '1rem', maxHeight: '14rem', overflow: 'auto' }}
      >
        {looked.toReversed().map(({ url, findings, error }) => (
          <li key={url} className="soft break">
            {error === null ? '✓' : '✗'} {getPath(url)} ·{' '}
            {error ?? formatCount(findings, 'finding')}
          </li>
        ))}
      </ul>
    </section>
  );
}

const HEADINGS: Partial<Record<Scan['status'], string>> = {
  cancelled: 'This scan was cancelled',
  failed: 'This scan failed',
  interrupted: 'This scan was interrupted',
};

function Ended({ scan }: { scan: ScanDetail }) {
  const resuming = useScanChange(scan, 'resume', 'The scan continues on the server.');
  const completing = useScanChange(scan, 'complete', 'The scan is complete.');
  const left = scan.urls.filter(({ state }) => state === 'planned').length;
  return (
    <section className="card">
      <h2>{HEADINGS[scan.status] ?? 'This scan is not complete'}</h2>
      {scan.error && (
        <p className="form-error" role="alert">
          {scan.error}
        </p>
      )}
      <p className="soft">
        {left === 0 && scan.pages_planned > 0
          ? 'Every page has been visited.'
          : left > 0 &&
            `${formatNumber(left)} of ${formatCount(scan.pages_planned, 'page')} not visited.`}
      </p>
      <Allowed>
        <div className="row">
          {(left > 0 || scan.pages_planned === 0) && (
            <Button loading={resuming.isPending} onClick={() => resuming.mutate(undefined)}>
              {scan.pages_planned === 0 ? 'Try again' : 'Continue'}
            </Button>
          )}
          {scan.status === 'started' && (
            <Button
              variant="default"
              loading={completing.isPending}
              onClick={() => completing.mutate(undefined)}
            >
              {left > 0 ? 'Complete without these pages' : 'Complete scan'}
            </Button>
          )}
        </div>
      </Allowed>
    </section>
  );
}
