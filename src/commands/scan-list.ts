import type { Command } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { VERSION } from '../config/version.ts';
import type { Platform } from '../platform/deps.ts';
import {
  createScanner,
  listScanRecords,
  type Runs,
  toScanRecord,
} from '../privacy/scanner/index.ts';
import { command, currentConfig, print, table, withPlatform } from './cli.ts';
import { wholeNumber } from './options.ts';

const LIMIT = 100;
const ID = wholeNumber(1, 999_999_999);

/** `pavis scan list|cancel|delete` */
export function scanListCommands(scan: Command): void {
  command(scan, 'list', 'list scans, newest first')
    .option('--limit <n>', 'maximum number of scans', wholeNumber(1, 1_000), LIMIT)
    .action(({ json, limit }) =>
      withScans(async (_runs, { datastore }) => {
        const { records, total } = await listScanRecords(datastore.db, { offset: 0, limit });
        const rows = records.map((each) => [
          each.scan_id,
          each.started_at,
          each.status,
          each.site_url,
          `${each.pages} of ${each.pages_planned}`,
          each.pages_failed,
          each.findings,
        ]);
        const headings = ['id', 'started', 'status', 'site', 'pages', 'failed', 'findings'];
        print(json, { total, scans: records }, table(headings, rows));
      }),
    );
  command(scan, 'cancel', 'cancel a running or queued scan and keep its findings')
    .argument('<id>', 'the scan ID', ID)
    .action((id: number, { json }) =>
      withScans(async (runs) => {
        const { scan: cancelled, counts } = await runs.cancel(id);
        print(json, toScanRecord(cancelled, counts), `Scan ${id} cancelled.`);
      }),
    );
  command(scan, 'delete', 'delete a scan and its findings')
    .argument('<id>', 'the scan ID', ID)
    .action((id: number, { json }) =>
      withScans(async (runs) => {
        const { scan: previous, counts } = await runs.remove(id);
        const answer = { deleted: true, previous: toScanRecord(previous, counts) };
        print(json, answer, `Scan ${id} deleted.`);
      }),
    );
}

function withScans<T>(work: (runs: Runs, platform: Platform) => Promise<T>): Promise<T> {
  const config = currentConfig();
  return withPlatform(config, async (platform) => {
    const { scanner: engine, dataDir } = config;
    const { siteUrl } = resolveAddresses(config);
    const scanner = createScanner(platform, {
      ...engine,
      dataDir,
      version: VERSION,
      siteUrl: () => siteUrl,
      connectTo: () => engine.connectTo,
    });
    return work(scanner.runs, platform).finally(() => scanner.close());
  });
}
