import { table } from './cli.ts';
import { describeUnreached, groupByResource, type Results } from './scan-checks.ts';

type State = Results['states'][number];
type Verdict = Results['results'][number]['verdicts'][number];

/** The verdicts that are accusations, by the state that shows them. */
const ACCUSATIONS: readonly { state: State; verdict: Verdict; column: string }[] = [
  { state: 'before', verdict: 'loaded_without_consent', column: 'before consent' },
  { state: 'rejected', verdict: 'loaded_despite_rejection', column: 'after rejection' },
  { state: 'withdrawn', verdict: 'not_stopped_by_withdrawal', column: 'after withdrawal' },
  { state: 'gpc', verdict: 'ignores_gpc', column: 'with GPC' },
];

/** The results as tables, which count a finding that is on several pages once, as the console does. */
export function toText(results: Results): string {
  const { pages_planned, types, vendors, unknown_hosts, failed_pages } = results;
  const parts = [formatSummary(results)];
  if (results.unseen) parts.push(results.unseen);
  if (results.notice) parts.push(results.notice);
  for (const state of results.states) {
    const unreached = describeUnreached(results, state);
    // Without a browser, `unseen` says so.
    if (unreached && results.engine !== 'html') parts.push(`Not reached: ${state} (${unreached}).`);
  }
  if (types.length > 0) {
    const rows = types.map(({ resource_type, resources }) => [
      resource_type,
      resources.total,
      resources.before_consent,
    ]);
    parts.push(table(['type', 'findings', 'before consent'], rows));
    parts.push(`Open findings (need a decision): ${results.open_resources}`);
  }
  if (results.verdicts.length > 0) {
    const rows = results.verdicts.map(({ verdict, resources }) => [
      formatVerdict(verdict),
      resources,
    ]);
    parts.push(table(['verdict', 'findings'], rows));
  }
  const shown = ACCUSATIONS.filter(({ state }) => results.states.includes(state));
  const accused = toAccusedRows(results, shown);
  const columns = shown.map(({ column }) => column);
  if (accused.length > 0) parts.push(table(['resource', 'url', ...columns, 'pages'], accused));
  if (vendors.length + unknown_hosts.length > 0) {
    const known = sortByResources(vendors).map(({ name, category, resources, in_data_map }) => [
      name,
      category,
      resources.total,
      resources.before_consent,
      in_data_map ? 'yes' : 'no',
    ]);
    const unknown = sortByResources(unknown_hosts).map(({ host, resources }) => [
      host,
      'unrecognised',
      resources.total,
      resources.before_consent,
      '',
    ]);
    const headings = ['vendor', 'category', 'findings', 'before consent', 'in data map'];
    parts.push(table(headings, [...known, ...unknown]));
  }
  if (failed_pages.length > 0) {
    parts.push(`${failed_pages.length} of ${pages_planned} pages could not be scanned.`);
    parts.push(
      table(
        ['page', 'status', 'reason'],
        failed_pages.map(({ url, http_status, error }) => [url, http_status ?? '', error]),
      ),
    );
  }
  return parts.join('\n\n');
}

const sortByResources = <T extends { resources: { total: number } }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.resources.total - a.resources.total);

function formatSummary(results: Results): string {
  const { scan_id, site_url, engine, pages, resources, findings, status } = results;
  const repeated = findings === resources.total ? '' : ` (${findings} counted on each page)`;
  const state = status === 'completed' ? '' : `, ${status}`;
  return `Scan ${scan_id} of ${site_url} with ${engine}: ${formatCount(pages, 'page')}, ${formatCount(resources.total, 'finding')}${repeated}${state}.`;
}

const formatCount = (count: number, one: string): string =>
  `${count} ${count === 1 ? one : `${one}s`}`;

const formatVerdict = (verdict: Verdict): string =>
  verdict.replaceAll('_', ' ').replace('gpc', 'GPC');

/** The resources that were at work without consent, and when. */
const toAccusedRows = (
  { results }: Results,
  shown: readonly { verdict: Verdict }[],
): (string | number)[][] =>
  [...groupByResource(results)]
    .map(([, findings]) => {
      const has = ({ verdict }: { verdict: Verdict }) =>
        findings.some(({ verdicts }) => verdicts.includes(verdict));
      return { findings, isAt: shown.map(has) };
    })
    .filter(({ isAt }) => isAt.includes(true))
    .map(({ findings, isAt }) => [
      findings[0]?.name ?? '',
      findings[0]?.url ?? '',
      ...isAt.map((is) => (is ? 'yes' : '')),
      findings.length,
    ]);
