import { type Command, InvalidArgumentError, Option } from 'commander';
import { demoConnections } from '../apis/demo-third-parties.ts';
import { addressesOf } from '../config.ts';
import { Refusal } from '../platform/errors.ts';
import { loadExtensions } from '../platform/hooks/extensions.ts';
import { createScanner, type ScanSummary, summarise, toResults } from '../privacy/scanner/index.ts';
import { readSettings } from '../privacy/settings/index.ts';
import { VERSION } from '../version.ts';
import { command, currentConfig, print, table, withPlatform } from './cli.ts';
import { wholeNumber } from './options.ts';
import { progressBar } from './progress.ts';

/** `pavis scan` */
export function scanCommand(program: Command): void {
  command(program, 'scan', 'scan the site, or another, and show what it loads and from whom')
    .argument('[url]', 'a site in place of PAVIS_SITE_URL', siteUrl)
    .option('--depth <n>', 'how many links deep; 0 is the home page alone', wholeNumber(0, 5), 1)
    .addOption(
      new Option(
        '--fail-on <what>',
        'exit 1 when something came before consent that needs it',
      ).choices(['before-consent']),
    )
    .action(async (url: string | undefined, { depth, failOn, json }) => {
      const { summary, failed } = await scan(url, depth);
      const { scan: stored, counts } = summary;
      print(json, toJson(summary, failed), toText(summary, failed));
      if (counts.pages === 0) {
        throw new Refusal(`no page of ${stored.siteUrl} could be looked at`);
      }
      if (failOn === 'before-consent' && counts.beforeConsent > 0) {
        throw new Refusal(
          `${counts.beforeConsent} of ${counts.findings} findings came before consent: see needs_consent in the results of scan ${stored.id}`,
        );
      }
    });
}

interface Failed {
  url: string;
  error: string;
}

/** Starts a scan in this process, looks at its pages and completes it. */
function scan(
  url: string | undefined,
  depth: number,
): Promise<{ summary: ScanSummary; failed: Failed[] }> {
  const config = currentConfig();
  const site = url ?? addressesOf(config).siteUrl;
  return withPlatform(config, async (platform) => {
    const { datastore, hooks, extensions: registry, log } = platform;
    await loadExtensions(config.extensions, { hooks, registry, log });
    const scanner = createScanner(platform, {
      ...config.scanner,
      dataDir: config.dataDir,
      version: VERSION,
      siteUrl: () => site,
      connectTo: () => [...config.scanner.connectTo, ...demoConnections(config, site)],
    });
    try {
      const { scanId, urls } = await scanner.start(depth);
      const { concurrency } = (await readSettings(datastore.db, site)).settings.scanner;
      const failed: Failed[] = [];
      const bar = await progressBar(urls.length, 'pages');
      const queue = urls.values();
      // Each takes the next page that nobody has taken.
      const worker = async () => {
        for (const page of queue) {
          const { error } = await scanner.scanPage(scanId, page);
          if (error !== undefined) failed.push({ url: page, error });
          bar?.increment();
        }
      };
      try {
        await Promise.all(Array.from({ length: concurrency }, worker));
      } finally {
        bar?.stop();
      }
      await scanner.complete(scanId);
      return { summary: await summarise(datastore.db, scanId), failed };
    } finally {
      await scanner.close();
    }
  });
}

const toJson = (summary: ScanSummary, failed: Failed[]) => ({
  ...toResults(summary),
  site_url: summary.scan.siteUrl,
  engine: summary.scan.engine,
  findings: summary.counts.findings,
  failed_pages: failed,
});

function toText(summary: ScanSummary, failed: Failed[]): string {
  const { scan: stored, counts, types, vendors, unknownHosts } = summary;
  const parts = [
    `Scan ${stored.id} of ${stored.siteUrl}, by ${stored.engine}: ${counts.pages} pages, ${counts.findings} findings.`,
  ];
  const { unseen } = toResults(summary);
  if (unseen) parts.push(unseen);
  if (types.length > 0) {
    const rows = types.map(({ resourceType, count, beforeConsent }) => [
      resourceType,
      count,
      beforeConsent,
    ]);
    parts.push(table(['type', 'findings', 'before consent'], rows));
  }
  if (vendors.length + unknownHosts.length > 0) {
    const known = vendors.map(({ vendor, count, beforeConsent, inDataMap }) => [
      vendor.name,
      vendor.category,
      count,
      beforeConsent,
      inDataMap ? 'yes' : 'no',
    ]);
    const unknown = unknownHosts.map(({ host, count, beforeConsent }) => [
      host,
      'unknown',
      count,
      beforeConsent,
      '',
    ]);
    const headings = ['vendor', 'category', 'findings', 'before consent', 'in data map'];
    parts.push(table(headings, [...known, ...unknown]));
  }
  if (failed.length > 0) {
    parts.push(
      table(
        ['page that could not be looked at', 'why'],
        failed.map(({ url, error }) => [url, error]),
      ),
    );
  }
  return parts.join('\n\n');
}

/** As PAVIS_SITE_URL is read: without query and fragment, no slash at its end. */
function siteUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new InvalidArgumentError('An http or https URL is needed, as https://example.com.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
