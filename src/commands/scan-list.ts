import { resolve } from 'node:path';
import type { Command } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { VERSION } from '../config/version.ts';
import type { Platform } from '../platform/deps.ts';
import { CliError } from '../platform/errors.ts';
import {
  createScanner,
  listScanRecords,
  openEvidencePack,
  type Runs,
  readBannerBuild,
  toScanRecord,
} from '../privacy/scanner/index.ts';
import { writeArchive } from './archive-file.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { wholeNumber } from './options.ts';

const LIMIT = 100;
const ID = wholeNumber(1, 999_999_999);

/** `pavis scan list|cancel|delete|evidence` */
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
          each.resources.total,
          each.started_by,
        ]);
        const headings = [
          'id',
          'started',
          'status',
          'site',
          'pages',
          'failed',
          'findings',
          'started by',
        ];
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
  evidenceCommand(scan);
}

function evidenceCommand(scan: Command): void {
  command(scan, 'evidence', 'write the evidence pack of a scan, a ZIP file')
    .argument('<id>', 'the scan ID', ID)
    .argument('[file]', 'the file to write (default: scan-ID-evidence.zip)')
    .option('--out <file>', 'the file to write')
    .action((id: number, given: string | undefined, { json, out }) => {
      if (given !== undefined && out !== undefined)
        throw new CliError('name the file either as an argument or with --out', 2);
      return withScans(async (_runs, { datastore, securityLog }) => {
        const packed = { version: VERSION, bannerBuild: await readBannerBuild() };
        const { fileName, chunks } = await openEvidencePack(datastore.db, id, packed);
        const file = resolve(out ?? given ?? fileName);
        const { sha256, bytes } = await writeArchive(file, chunks);
        const details = { scan_id: id };
        await securityLog.recordExport({ actor: actor(), what: 'scan_evidence', details });
        print(json, { scan_id: id, file, sha256, bytes }, `${file}\nSHA-256: ${sha256}`);
      });
    });
}

function withScans<T>(work: (runs: Runs, platform: Platform) => Promise<T>): Promise<T> {
  const config = currentConfig();
  return withPlatform(config, async (platform) => {
    const { scanner: engine, dataDir } = config;
    const addresses = resolveAddresses(config);
    const scanner = createScanner(platform, {
      ...engine,
      dataDir,
      version: VERSION,
      addresses: () => addresses,
      siteUrl: () => addresses.siteUrl,
      connectTo: () => engine.connectTo,
    });
    return work(scanner.runs, platform).finally(() => scanner.close());
  });
}
