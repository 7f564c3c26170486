import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Scan } from '../../api/types.ts';
import { Allowed } from '../../components/access.tsx';
import { ConsentChart } from '../../components/consent-chart.tsx';
import { formatMoment, formatNumber, formatShare } from '../../components/format.ts';
import { KeyFigures } from '../../components/key-figures.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { statsQuery } from '../consent/queries.ts';
import { scansQuery, summaryQuery } from '../scanner/queries.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';

/** What needs somebody today, and how it stands. */
export function Overview() {
  const scans = useQuery(scansQuery());
  const stats = useQuery(statsQuery);
  const last = scans.data?.items.find(({ status }) => status === 'completed');
  return (
    <Page title="Overview" intro="What needs somebody today, and how it stands.">
      <div className="stack">
        <Allowed>
          {scans.data && stats.data && <FirstSteps last={last} decisions={stats.data.total} />}
        </Allowed>
        <section className="card">
          <h2>Needs attention</h2>
          <Attention last={last} scans={scans} />
        </section>
        <div className="wide-narrow">
          <section className="card">
            <div className="card-head">
              <h2>Decisions in the last 30 days</h2>
              <Link to="/consent/figures">View statistics</Link>
            </div>
            <QueryResult query={stats} lines={7}>
              {({ daily, total }) =>
                total === 0 ? (
                  <p className="soft">
                    No visitor has decided yet. With the banner on the site, decisions appear here.
                  </p>
                ) : (
                  <ConsentChart daily={daily} />
                )
              }
            </QueryResult>
          </section>
          <section className="card">
            <div className="card-head">
              <h2>Last scan</h2>
              <Link to="/scanner">All scans</Link>
            </div>
            <QueryResult query={scans} lines={5}>
              {() => <LastScan scan={last} />}
            </QueryResult>
          </section>
        </div>
        <QueryResult query={stats} lines={2}>
          {({ total, by_action }) => (
            <KeyFigures
              items={[
                { label: 'Decisions recorded', value: formatNumber(total) },
                { label: 'Accepted all', value: shareOf(by_action.accept_all, total) },
                { label: 'Customised', value: shareOf(by_action.manage, total) },
                { label: 'Rejected all', value: shareOf(by_action.reject_all, total) },
              ]}
            />
          )}
        </QueryResult>
      </div>
    </Page>
  );
}

const shareOf = (part: number, total: number): string =>
  total === 0 ? '–' : formatShare(part / total);

function LastScan({ scan }: { scan: Scan | undefined }) {
  const results = useQuery({ ...summaryQuery(String(scan?.scan_id)), enabled: scan !== undefined });
  if (!scan) {
    return (
      <div className="stack">
        <p className="soft" style={{ margin: 0 }}>
          A scan visits the pages of the site as somebody new would.
        </p>
        <Allowed>
          <div>
            <LinkButton to="/scanner" variant="default">
              Scan the site
            </LinkButton>
          </div>
        </Allowed>
      </div>
    );
  }
  return (
    <dl className="facts">
      <dt>When</dt>
      <dd>
        <Link to="/scanner/$id" params={{ id: String(scan.scan_id) }}>
          {formatMoment(scan.completed_at)}
        </Link>
      </dd>
      <dt>Site</dt>
      <dd>{scan.site_url}</dd>
      <dt>Pages</dt>
      <dd className="number">
        {scan.pages}
        {scan.pages_failed > 0 && `, ${scan.pages_failed} failed`}
      </dd>
      <dt>Findings</dt>
      <dd className="number">{scan.findings}</dd>
      <dt>Vendors</dt>
      <dd className="number">{scan.vendors}</dd>
      <dt>Loaded before consent</dt>
      <dd className="number">{scan.before_consent}</dd>
      <dt>Open findings</dt>
      <dd className="number">{results.data?.open ?? '–'}</dd>
    </dl>
  );
}
