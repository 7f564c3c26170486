import { table } from './cli.ts';
import { describeUnreached, type Results } from './scan-checks.ts';

const ACCUSATIONS = [
  'loaded_without_consent',
  'loaded_despite_rejection',
  'not_stopped_by_withdrawal',
  'ignores_gpc',
] as const satisfies readonly Results['results'][number]['verdicts'][number][];

/** The results as tables. */
export function toText(results: Results): string {
  const { pages, pages_planned, types, vendors, unknown_hosts, failed_pages } = results;
  const parts = [
    `Scan ${results.scan_id} of ${results.site_url} with ${results.engine}: ${pages} pages, ${results.findings} findings${results.status === 'completed' ? '' : ` (${results.status})`}.`,
  ];
  if (results.unseen) parts.push(results.unseen);
  if (results.notice) parts.push(results.notice);
  for (const state of results.states) {
    const unreached = describeUnreached(results, state);
    // Without a browser, `unseen` says so.
    if (unreached && results.engine !== 'html') parts.push(`Not reached: ${state} (${unreached}).`);
  }
  if (types.length > 0) {
    const rows = types.map(({ resource_type, count, before_consent }) => [
      resource_type,
      count,
      before_consent,
    ]);
    parts.push(table(['type', 'findings', 'before consent'], rows));
    parts.push(`Open findings (need a decision): ${results.open}`);
  }
  if (results.verdicts.length > 0) {
    const rows = results.verdicts.map(({ verdict, count }) => [
      verdict.replaceAll('_', ' '),
      count,
    ]);
    parts.push(table(['verdict', 'findings'], rows));
  }
  const accused = toAccusedRows(results);
  if (accused.length > 0) parts.push(table(['resource', 'url', 'verdicts', 'pages'], accused));
  if (vendors.length + unknown_hosts.length > 0) {
    const known = vendors.map(({ name, category, count, before_consent, in_data_map }) => [
      name,
      category,
      count,
      before_consent,
      in_data_map ? 'yes' : 'no',
    ]);
    const unknown = unknown_hosts.map(({ host, count, before_consent }) => [
      host,
      'unrecognised',
      count,
      before_consent,
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

/** The resources with a verdict that is an accusation, worst first. */
const toAccusedRows = ({ results }: Results): (string | number)[][] =>
  [...Map.groupBy(results, ({ resource_type, name, url }) => `${resource_type} ${name} ${url}`)]
    .map(([, findings]) => {
      const verdicts = ACCUSATIONS.filter((verdict) =>
        findings.some((finding) => finding.verdicts.includes(verdict)),
      );
      return { findings, verdicts };
    })
    .filter(({ verdicts }) => verdicts.length > 0)
    .sort((a, b) => b.verdicts.length - a.verdicts.length)
    .map(({ findings, verdicts }) => [
      findings[0]?.name ?? '',
      findings[0]?.url ?? '',
      verdicts.map((verdict) => verdict.replaceAll('_', ' ')).join(', '),
      findings.length,
    ]);
