import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Scan, ScanResults } from '../api/types.ts';
import { Decisions } from '../parts/decisions.tsx';
import { Figures } from '../parts/figures.tsx';
import { counted, formatMoment, formatNumber, formatShare } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';
import { Shown, Waiting } from '../parts/states.tsx';
import { statsQuery } from './consent/queries.ts';
import { openRequestsQuery } from './requests/queries.ts';
import { scansQuery, summaryQuery } from './scanner/queries.ts';
import { healthQuery, siteLicenceQuery } from './system-queries.ts';

/** What needs somebody today, and how it stands. */
export function Overview() {
  const scans = useQuery(scansQuery());
  const stats = useQuery(statsQuery);
  const last = scans.data?.items.find(({ status }) => status === 'completed');
  return (
    <Page title="Overview" intro="What needs somebody today, and how it stands.">
      <div className="stack">
        <section className="card">
          <h2>Needs attention</h2>
          <Attention last={last} isLooking={scans.isPending} />
        </section>
        <div className="wide-narrow">
          <section className="card">
            <div className="card-head">
              <h2>Decisions in the last 30 days</h2>
              <Link to="/consent/figures">All figures</Link>
            </div>
            <Shown query={stats} lines={7}>
              {({ daily, total }) =>
                total === 0 ? (
                  <p className="soft">
                    No visitor has decided yet. With the banner on the site, decisions appear here.
                  </p>
                ) : (
                  <Decisions daily={daily} />
                )
              }
            </Shown>
          </section>
          <section className="card">
            <div className="card-head">
              <h2>Last scan</h2>
              <Link to="/scanner">All scans</Link>
            </div>
            <Shown query={scans} lines={5}>
              {() => <LastScan scan={last} />}
            </Shown>
          </section>
        </div>
        <Shown query={stats} lines={2}>
          {({ total, by_action }) => (
            <Figures
              items={[
                { label: 'Decisions recorded', value: formatNumber(total) },
                { label: 'Accepted all', value: shareOf(by_action.accept_all, total) },
                { label: 'Made their own choice', value: shareOf(by_action.manage, total) },
                { label: 'Rejected all', value: shareOf(by_action.reject_all, total) },
              ]}
            />
          )}
        </Shown>
      </div>
    </Page>
  );
}

const shareOf = (part: number, total: number): string =>
  total === 0 ? '–' : formatShare(part / total);

interface Matter {
  tone: 'bad' | 'warn';
  title: string;
  text: string;
  action: ReactNode;
}

function Attention({ last, isLooking }: { last: Scan | undefined; isLooking: boolean }) {
  const results = useQuery({ ...summaryQuery(String(last?.scan_id)), enabled: last !== undefined });
  const requests = useQuery(openRequestsQuery);
  const health = useQuery(healthQuery);
  const licence = useQuery(siteLicenceQuery);
  if (isLooking || (last && results.isPending)) return <Waiting lines={3} />;
  const matters = [
    ...(health.data?.isWell === false
      ? [
          {
            tone: 'bad' as const,
            title: 'The server is not well',
            text: health.data.message,
            action: <Link to="/system">See</Link>,
          },
        ]
      : []),
    ...(licence.data && licence.data.key !== null && !licence.data.valid
      ? [
          {
            tone: 'warn' as const,
            title: 'The licence needs a look',
            text: licence.data.message,
            action: <Link to="/system">See</Link>,
          },
        ]
      : []),
    ...mattersOfRequests(requests.data?.items ?? []),
    ...(last && results.data ? mattersOfScan(last, results.data) : []),
    ...(last
      ? []
      : [
          {
            tone: 'warn' as const,
            title: 'The site has not been scanned yet',
            text: 'A scan finds what pages load and set, and whether it waits for consent.',
            action: <Link to="/scanner">Scan</Link>,
          },
        ]),
  ];
  if (matters.length === 0) {
    return (
      <div className="notice good">
        <Icon name="check" size={22} />
        <div>
          <strong>All is well</strong>
          <span className="soft">
            Every vendor that was found is in the data map, and nothing came before consent.
          </span>
        </div>
      </div>
    );
  }
  return (
    <ul className="plain">
      {matters.map(({ tone, title, text, action }) => (
        <li className={`notice ${tone}`} key={title}>
          <Icon name="alert" size={22} />
          <div>
            <strong>{title}</strong>
            <span className="soft">{text}</span>
          </div>
          {action}
        </li>
      ))}
    </ul>
  );
}

function mattersOfRequests(open: readonly { overdue: boolean; deadline: string }[]): Matter[] {
  const soon = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const overdue = open.filter((each) => each.overdue).length;
  const due = open.filter((each) => !each.overdue && each.deadline <= soon).length;
  const action = <Link to="/requests">Answer</Link>;
  return [
    ...(overdue > 0
      ? [
          {
            tone: 'bad' as const,
            title: `${counted(overdue, 'request')} past the deadline`,
            text: 'The law gives a month; explain the delay and answer first of all.',
            action,
          },
        ]
      : []),
    ...(due > 0
      ? [
          {
            tone: 'warn' as const,
            title: `${counted(due, 'request')} due within a week`,
            text: 'People wait for an answer about their data.',
            action,
          },
        ]
      : []),
  ];
}

function mattersOfScan(
  last: Scan,
  { before_consent, vendors, unknown_hosts }: ScanResults,
): Matter[] {
  const id = String(last.scan_id);
  const missing = vendors.filter(({ in_data_map }) => !in_data_map);
  const matters: Matter[] = [];
  if (before_consent > 0) {
    matters.push({
      tone: 'bad',
      title: `${counted(before_consent, 'finding')} before consent`,
      text: 'Scripts, pixels or cookies were at work before the visitor had agreed to anything.',
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'findings', only: 'before' }}>
          See them
        </Link>
      ),
    });
  }
  if (missing.length > 0) {
    matters.push({
      tone: 'warn',
      title: `${counted(missing.length, 'vendor')} not in the data map`,
      text: namesOf(missing.map(({ name }) => name)),
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'vendors' }}>
          Add them
        </Link>
      ),
    });
  }
  if (unknown_hosts.length > 0) {
    matters.push({
      tone: 'warn',
      title: `${counted(unknown_hosts.length, 'host')} that nobody knows`,
      text: namesOf(unknown_hosts.map(({ host }) => host)),
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'unknown' }}>
          Name them
        </Link>
      ),
    });
  }
  return matters;
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 4).join(', ');
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}

function LastScan({ scan }: { scan: Scan | undefined }) {
  if (!scan) {
    return (
      <div className="stack">
        <p className="soft" style={{ margin: 0 }}>
          A scan visits the pages of the site as somebody new would.
        </p>
        <div>
          <LinkButton to="/scanner">Scan the site</LinkButton>
        </div>
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
      <dt>Before consent</dt>
      <dd className="number">{scan.before_consent}</dd>
    </dl>
  );
}
