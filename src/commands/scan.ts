import { type Command, InvalidArgumentError, Option } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { VERSION } from '../config/version.ts';
import { listDemoConnections } from '../demo/installation.ts';
import { loadExtensions } from '../extensions/loading.ts';
import { CliError } from '../platform/errors.ts';
import {
  createScanner,
  DEFAULT_STATES,
  listFindings,
  summarise,
  toResults,
} from '../privacy/scanner/index.ts';
import { readSettings } from '../privacy/settings/index.ts';
import { command, currentConfig, print, table, withPlatform } from './cli.ts';
import { wholeNumber } from './options.ts';
import { progressBar } from './progress.ts';
import { scanListCommands } from './scan-list.ts';

/** `pavis scan` */
export function scanCommand(program: Command): void {
  const scanning = command(program, 'scan', 'scan a site for trackers, cookies and third parties')
    .argument('[url]', 'the site to scan (default: PAVIS_SITE_URL)', siteUrl)
    .option('--depth <n>', 'crawl depth: 0 scans the home page only', wholeNumber(0, 5), 1)
    .option('--ignore-robots', 'include pages that robots.txt disallows')
    .addOption(
      new Option(
        '--fail-on <what>',
        'exit with code 1 if findings that require consent load before it and have no decision',
      ).choices(['before-consent']),
    )
    .action(async (url: string | undefined, { depth, failOn, ignoreRobots, json }) => {
      const { results, signal } = await scan(url, { depth, ignoreRobots });
      print(json, results, toText(results));
      if (results.status === 'cancelled') {
        throw new CliError(
          `scan ${results.scan_id} was cancelled after ${results.pages} pages; its findings are kept`,
          signal === undefined ? 1 : EXIT_CODES[signal],
        );
      }
      if (results.pages === 0) throw new CliError(describeBlindScan(results));
      if (failOn === 'before-consent' && results.open > 0) {
        throw new CliError(
          `${results.open} of ${results.findings} findings load before consent and need a decision (scan ${results.scan_id})`,
        );
      }
    });
  scanListCommands(scanning.enablePositionalOptions());
}

type Results = ReturnType<typeof toResults>;

interface ScanOptions {
  depth: number;
  ignoreRobots: true | undefined;
}

/** Why nothing is known of a site: the most frequent reason says it for all pages. */
function describeBlindScan({ site_url, failed_pages }: Results): string {
  const reasons = Map.groupBy(failed_pages, ({ error }) => error);
  const [error] = [...reasons.keys()].sort(
    (a, b) => (reasons.get(b)?.length ?? 0) - (reasons.get(a)?.length ?? 0),
  );
  return `no page of ${site_url} could be scanned${error === undefined ? '' : `: ${error}`}`;
}

/** Runs a scan in this process. Ctrl-C cancels it and keeps what was seen; pressed again, it ends the process. */
function scan(
  url: string | undefined,
  { depth, ignoreRobots }: ScanOptions,
): Promise<{ results: Results; signal: Signal | undefined }> {
  const config = currentConfig();
  const { siteUrl, restRoot } = resolveAddresses(config);
  const site = url ?? siteUrl;
  return withPlatform(config, async (platform) => {
    const { datastore, hooks, extensions: registry, log } = platform;
    await loadExtensions(config.extensions, { hooks, registry, log });
    const scanner = createScanner(platform, {
      ...config.scanner,
      dataDir: config.dataDir,
      version: VERSION,
      siteUrl: () => site,
      consoleUrl: () => `${new URL(restRoot).origin}/admin`,
      connectTo: () => [...config.scanner.connectTo, ...listDemoConnections(config, site)],
      ...(ignoreRobots && { ignoreRobots }),
    });
    const cancelling = new AbortController();
    let received: Signal | undefined;
    const cancel = (signal: Signal) => {
      received = signal;
      cancelling.abort(new Error('cancelled'));
    };
    for (const signal of SIGNALS) process.once(signal, cancel);
    const bar = await progressBar(0, 'pages');
    try {
      const scanId = await scanner.runs.runHere(
        { depth, states: DEFAULT_STATES, startedBy: 'request' },
        {
          signal: cancelling.signal,
          onPage({ done, total }) {
            bar?.setTotal(total);
            bar?.update(done);
          },
        },
      );
      const found = await listFindings(datastore.db, scanId, {});
      const current = await readSettings(datastore.db, site);
      const summary = await summarise(datastore.db, scanId, current);
      return { results: toResults(summary, found), signal: received };
    } finally {
      bar?.stop();
      for (const signal of SIGNALS) process.off(signal, cancel);
      await scanner.close();
    }
  });
}

/** 128 and the number of the signal, as shells have it. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function toText(results: Results): string {
  const { pages, pages_planned, types, vendors, unknown_hosts, failed_pages } = results;
  const parts = [
    `Scan ${results.scan_id} of ${results.site_url} with ${results.engine}: ${pages} pages, ${results.findings} findings${results.status === 'completed' ? '' : ` (${results.status})`}.`,
  ];
  if (results.unseen) parts.push(results.unseen);
  if (results.notice) parts.push(results.notice);
  if (types.length > 0) {
    const rows = types.map(({ resource_type, count, before_consent }) => [
      resource_type,
      count,
      before_consent,
    ]);
    parts.push(table(['type', 'findings', 'before consent'], rows));
    parts.push(`Open findings (need a decision): ${results.open}`);
  }
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

/** As PAVIS_SITE_URL is read: without query and fragment, no slash at its end. */
function siteUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new InvalidArgumentError(
      'Must be an http or https URL, for example https://example.com.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
