import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { VERSION } from '../config/version.ts';
import { listDemoConnections } from '../demo/installation.ts';
import { loadExtensions } from '../extensions/loading.ts';
import { CliError } from '../platform/errors.ts';
import {
  createScanner,
  listFindings,
  SCAN_STATES,
  type ScanState,
  summarise,
  toResults,
} from '../privacy/scanner/index.ts';
import { readSettings } from '../privacy/settings/index.ts';
import { command, currentConfig, print, withPlatform } from './cli.ts';
import { createListParser, wholeNumber } from './options.ts';
import { progressBar } from './progress.ts';
import { FAILURES, type Failure, listFailures, type Results } from './scan-checks.ts';
import { toJunit } from './scan-junit.ts';
import { scanListCommands } from './scan-list.ts';
import { toText } from './scan-text.ts';

/** `pavis scan` */
export function scanCommand(program: Command): void {
  const scanning = command(program, 'scan', 'scan a site for trackers, cookies and third parties')
    .argument('[url]', 'the site to scan (default: PAVIS_SITE_URL)', siteUrl)
    .option('--depth <n>', 'crawl depth: 0 scans the home page only', wholeNumber(0, 5), 1)
    .option('--ignore-robots', 'include pages that robots.txt disallows')
    .option(
      '--states <list>',
      `states of consent in which each page is visited: all, or of ${SCAN_STATES.join(', ')} (default: the setting scanner.states)`,
      readStates,
    )
    .option(
      '--fail-on <list>',
      'exit with code 1: before-consent if findings load before consent and have no decision, broken-promise if findings are at work after rejection or withdrawal',
      createListParser(FAILURES),
      [],
    )
    .addOption(
      new Option('--format <format>', 'format of the output').choices(FORMATS).default('text'),
    )
    .option('--junit <file>', 'write the results as JUnit XML to a file as well')
    .action(async (url: string | undefined, { json, format, failOn, junit, ...options }) => {
      if (json && format === 'junit')
        throw new CliError('--json and --format junit exclude each other: use one of them', 2);
      const { results, signal } = await scan(url, { ...options, failOn });
      if (format === 'junit') process.stdout.write(toJunit(results, failOn));
      else print(json || format === 'json', results, toText(results));
      if (junit !== undefined) writeReport(junit, toJunit(results, failOn));
      if (results.status !== 'completed') {
        // Otherwise another process has ended it or goes on with it, for example after this one was suspended.
        const how = results.status === 'cancelled' ? 'cancelled' : 'interrupted';
        throw new CliError(
          `scan ${results.scan_id} was ${how} after ${results.pages} pages; its findings are kept`,
          signal === undefined ? 1 : EXIT_CODES[signal],
        );
      }
      if (results.pages === 0) throw new CliError(describeBlindScan(results));
      const failures = listFailures(results, failOn);
      if (failures.length > 0) throw new CliError(failures.join('; '));
    });
  scanListCommands(scanning.enablePositionalOptions());
}

const FORMATS = ['text', 'json', 'junit'];

interface ScanOptions {
  depth: number;
  /** Those of the settings if undefined. */
  states: readonly ScanState[] | undefined;
  ignoreRobots: true | undefined;
  failOn: readonly Failure[];
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
  { depth, states: given, ignoreRobots, failOn }: ScanOptions,
): Promise<{ results: Results; signal: Signal | undefined }> {
  const config = currentConfig();
  const addresses = resolveAddresses(config);
  const site = url ?? addresses.siteUrl;
  return withPlatform(config, async (platform) => {
    const { datastore, hooks, extensions: registry, log } = platform;
    const states =
      given ?? (await readSettings(datastore.db, addresses.restRoot)).settings.scanner.states;
    if (failOn.includes('broken-promise') && !states.includes('rejected')) {
      throw new CliError(
        '--fail-on broken-promise requires the state rejected: add --states all',
        2,
      );
    }
    await loadExtensions(config.extensions, { hooks, registry, log });
    const scanner = createScanner(platform, {
      ...config.scanner,
      dataDir: config.dataDir,
      version: VERSION,
      addresses: () => addresses,
      siteUrl: () => site,
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
        { depth, states, startedBy: 'request' },
        {
          signal: cancelling.signal,
          onPage({ done, total }) {
            bar?.setTotal(total);
            bar?.update(done);
          },
        },
      );
      const found = await listFindings(datastore.db, scanId, {});
      const current = await readSettings(datastore.db, addresses.restRoot);
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

/** @throws CliError */
function writeReport(file: string, report: string): void {
  try {
    writeFileSync(file, report);
  } catch (error) {
    throw new CliError(`cannot write ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

const readStates = (text: string): readonly ScanState[] =>
  text === 'all' ? SCAN_STATES : createListParser(SCAN_STATES)(text);

/** Parses a URL like PAVIS_SITE_URL: without query and fragment, and without a slash at the end. */
function siteUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new InvalidArgumentError(
      'Must be an http or https URL, for example https://example.com.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
