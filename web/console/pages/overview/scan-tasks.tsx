import type { Drift, Scan, ScanResults, Script } from '../../api/types.ts';
import { formatCount, getPath, joinNames } from '../../components/format.ts';
import { TextLink as Link } from '../../components/page.tsx';
import type { Resource } from '../scanner/queries.ts';
import { type OpenTask, taskIf } from './task-rules.tsx';

interface LatestScan {
  last: Scan;
  results: ScanResults;
  /** Resources that were seen after a rejection or withdrawal. */
  broken: readonly Resource[];
  /** The latest scan that checked blocked resources. */
  proof: Scan | undefined;
  scripts: readonly Script[];
}

/** Open findings of the latest scan. */
export function getScanTasks({ last, results, broken, proof, scripts }: LatestScan): OpenTask[] {
  const { open_resources: open, vendors, unknown_hosts, shortcomings } = results;
  const id = String(last.scan_id);
  const checkedAt = [last.completed_at, proof?.completed_at].filter(Boolean).sort().at(-1);
  const missing = vendors.filter(({ in_data_map }) => !in_data_map);
  const changedSince = scripts.filter(
    ({ updated_at }) => checkedAt != null && updated_at > checkedAt,
  );
  const isUndecided = ({ state }: Resource) => state === null || state === 'open';
  const promises = broken.filter(isUndecided);
  return [
    ...taskIf(promises.length > 0, {
      tone: 'bad',
      title: formatCount(promises.length, 'broken promise'),
      text: `Visitors rejected or withdrew consent, and these still loaded: ${joinNames([...new Set(promises.map(({ name, host }) => name || host))])}.`,
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'findings', only: 'broken' }}>
          Review broken promises
        </Link>
      ),
    }),
    ...taskIf(open > 0, {
      tone: 'bad',
      title: formatCount(open, 'open finding'),
      text: `${open === 1 ? 'It can load without consent. Block it' : 'These can load without consent. Block each one'}, mark it as strictly necessary, or ignore it with a reason.`,
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'findings', only: 'open' }}>
          Review findings
        </Link>
      ),
    }),
    ...taskIf(shortcomings.length > 0, {
      tone: 'warn',
      title: `${formatCount(shortcomings.length, 'shortcoming')} of the consent banner`,
      text: joinNames(
        shortcomings.map(({ title, page_urls: [url, ...others] }) =>
          url && others.length === 0 ? `${title} (${getPath(url)})` : title,
        ),
      ),
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'banner' }}>
          View
        </Link>
      ),
    }),
    ...taskIf(last.pages_failed > 0, {
      tone: 'warn',
      title: `${formatCount(last.pages_failed, 'page')} could not be scanned`,
      text: 'Trackers and cookies on these pages are unknown.',
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'pages' }}>
          View pages
        </Link>
      ),
    }),
    ...taskIf(changedSince.length > 0, {
      tone: 'warn',
      title: `${formatCount(changedSince.length, 'script')} changed since the last scan`,
      text: 'Scan again to check that each one is blocked until consent.',
      action: <Link to="/scanner">Scan again</Link>,
    }),
    ...taskIf(missing.length > 0, {
      tone: 'warn',
      title: `${formatCount(missing.length, 'vendor')} not in the data map`,
      text: joinNames(missing.map(({ name }) => name)),
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'vendors' }}>
          Add to data map
        </Link>
      ),
    }),
    ...taskIf(unknown_hosts.length > 0, {
      tone: 'warn',
      title: formatCount(unknown_hosts.length, 'unrecognised domain'),
      text: joinNames(unknown_hosts.map(({ host }) => host)),
      action: (
        <Link to="/scanner/$id" params={{ id }} search={{ view: 'unknown' }}>
          Identify
        </Link>
      ),
    }),
  ];
}

/** A scheduled scan without results, after which nothing newer is known of the site. No email reports it. */
export function getScheduleTasks(scan: Scan | null, last: Scan | undefined): OpenTask[] {
  if (!scan || (last && last.scan_id > scan.scan_id)) return [];
  return taskIf(scan.status === 'failed' || scan.status === 'interrupted', {
    tone: 'warn',
    title: `The last scheduled scan ${scan.status === 'failed' ? 'failed' : 'was interrupted'}`,
    text: scan.error ?? '',
    action: (
      <Link to="/scanner/$id" params={{ id: String(scan.scan_id) }}>
        View
      </Link>
    ),
  });
}

/** Entries of the data map that visitors read in the declaration, but that no scan sees. */
export function getDriftTasks({ unseen }: Drift): OpenTask[] {
  // A vendor can have several entries.
  const vendors = [...new Set(unseen.map(({ name }) => name))];
  return taskIf(vendors.length > 0, {
    tone: 'warn',
    title: `${formatCount(vendors.length, 'vendor')} in the data map, but not on the site`,
    text: joinNames(vendors),
    action: <Link to="/declaration">Review</Link>,
  });
}
