import { type Command, Option } from 'commander';
import {
  type BulkLine,
  exportLicences,
  issueInBulk,
  toStoreFilter,
} from '../licensing/admin/index.ts';
import { LICENCE_STATUSES } from '../licensing/licences/index.ts';
import { CliError } from '../platform/errors.ts';
import { EXPORT_FORMATS } from '../platform/rest/response.ts';
import {
  actor,
  command,
  currentConfig,
  print,
  printChunks,
  readText,
  table,
  withPlatform,
} from './cli.ts';
import { MAX_DAYS, wholeNumber } from './options.ts';

/** `pavis licence issue-bulk` and `pavis licence export`. */
export function bulkLicenceCommands(licence: Command): void {
  command(licence, 'issue-bulk [file]', 'issue many licences, from a CSV file or by count')
    .option('--dry-run', 'check only; issue nothing')
    .option(
      '--count <n>',
      'number of licences for one customer, instead of a file',
      wholeNumber(1, 1_000),
    )
    .option('--email <address>', 'customer, for lines without one')
    .option('--product <slug>', 'product, for lines without one (default: the default product)')
    .option('--tier <tier>', 'tier, for lines without one')
    .addOption(new Option('--expires <iso>', 'expiry, for lines without one').conflicts('days'))
    .option('--days <n>', 'days until expiry, for lines without one', wholeNumber(1, MAX_DAYS))
    .option('--test', 'issue pv_test_ keys for lines without a mode')
    .option('--mail', 'email the keys to the customers, unless a line says otherwise')
    .addHelpText(
      'after',
      `
The first line of the file names its columns: email, product, tier, expires_at or days, mode, sites_allowed,
grace_days, development_sites_free, notes, mail. All licences are issued, or none if a line is wrong. The keys are printed once.`,
    )
    .action(
      (
        file: string | undefined,
        { json, dryRun, count, email, product, tier, expires, days, test, mail },
      ) =>
        withPlatform(currentConfig(), async (platform) => {
          if ((file === undefined) === (count === undefined))
            throw new CliError('give a CSV file, or --count', 2);
          // Each by itself: a line can have another product, and another one the tier.
          for (const option of [{ product }, { tier }]) await toStoreFilter(platform, option);
          const asked = {
            ...(file === undefined ? { count } : { csv: readText(file) }),
            dry_run: dryRun ?? false,
            ...(email && { email }),
            ...(product && { product }),
            ...(tier && { tier }),
            ...(expires && { expires_at: expires }),
            ...(days && { days }),
            ...(test && { mode: 'test' as const }),
            ...(mail && { mail }),
          };
          const report = await issueInBulk(platform, asked, actor());
          // Without a file, all values of the lines are options.
          const [{ error } = {}] = file === undefined ? report.lines : [];
          if (error) throw new CliError(error, 2);
          print(json, report, reportText(report));
          if (report.failed > 0) {
            const lines =
              report.failed === 1 ? '1 line is invalid' : `${report.failed} lines are invalid`;
            throw new CliError(`${lines}: nothing was issued`);
          }
        }),
    );

  command(licence, 'export', 'print licences as CSV or JSON, oldest first')
    .option('--search <text>', 'part of an email address, an id, the URL of a site or a key')
    .addOption(new Option('--status <status>', 'filter by status').choices(LICENCE_STATUSES))
    .option('--product <slug>', 'filter by product')
    .option('--tier <tier>', 'filter by tier')
    .addOption(new Option('--mode <mode>', 'filter by mode').choices(['live', 'test']))
    .addOption(
      new Option('--format <format>', 'output format').choices(EXPORT_FORMATS).default('csv'),
    )
    .action(({ json, format, search, status, product, tier, mode }) =>
      withPlatform(currentConfig(), async (platform) => {
        const as = json ? 'json' : format;
        const chunks = platform.securityLog.streamExport(
          { actor: actor(), what: 'licences', details: { format: as } },
          (counted) =>
            exportLicences(platform, { search, status, product, tier, mode }, as, counted),
        );
        await printChunks(chunks);
      }),
    );
}

function reportText(report: Awaited<ReturnType<typeof issueInBulk>>): string {
  const rows = report.lines.map((each) => [
    each.line,
    each.email,
    each.tier ?? '',
    each.sites_allowed ?? '',
    each.expires_at?.slice(0, 10) ?? '',
    formatResult(each),
  ]);
  const lines = table(['line', 'customer', 'tier', 'sites', 'ends', 'result'], rows);
  if (report.failed > 0) return lines;
  return report.dry_run
    ? `${lines}\n\nDry run: nothing was issued.`
    : `${lines}\n\n${report.issued} issued. The keys are shown only once. Pavis stores only their hashes.`;
}

const formatResult = ({ error, licence_key }: BulkLine): string =>
  error ?? licence_key ?? 'can be issued';
