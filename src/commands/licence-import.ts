import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  IMPORT_FORMATS,
  type ImportLine,
  type ImportReport,
  importLicences,
  toImportReport,
} from '../licensing/imports/index.ts';
import { toCsv } from '../platform/csv.ts';
import { CliError } from '../platform/errors.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { moment } from './options.ts';

/** About 100,000 licences. The file and its licences are held in memory. */
const MAX_BYTES = 32 * 1024 * 1024;
const REPORT_COLUMNS = ['line', 'action', 'email', 'id', 'reason', 'licence_key'];
/** Lines without a key that the text names; `--report` has all. */
const SHOWN = 50;

const INTERRUPTED =
  'The import was interrupted. These licences are imported; import the file again to continue.';

type Plans = Record<string, { product?: string; tier: string }>;

/** `pavis licence import` */
export function importCommand(licence: Command): void {
  command(licence, 'import <file>', 'import licences of another system; repeating it is safe')
    .addOption(
      new Option('--format <format>', 'format of the file').choices(IMPORT_FORMATS).default('csv'),
    )
    .option('--dry-run', 'report only; change nothing')
    .option('--product <slug>', 'product of lines without one (default: the default product)')
    .option('--tier <tier>', 'plan of lines without one')
    .option(
      '--map <name=plan>',
      'plan of a product in the other system, for example "Forms Pro:2=forms-pro/studio"; can be repeated',
      addPlan,
      {},
    )
    .option('--notify', 'email the keys of new, active licences to their customers')
    .addOption(
      new Option(
        '--exchange-until <iso>',
        'until when old keys can be exchanged (default: a year from now)',
      ).argParser(moment),
    )
    .option('--report <file>', 'write a CSV file with the result of each line')
    .addHelpText(
      'after',
      `
csv and json have: external_id, old_key, email, product, tier, mode, status, sites_allowed, expires_at, issued_at,
sites, notes. edd is the CSV export of EDD Software Licensing; lemon-squeezy has license keys of the Lemon Squeezy API.
Each line needs external_id or old_key, by which a later import recognises it. Valid lines are imported also if others
are invalid. To issue licences that exist nowhere yet, use "pavis licence issue-bulk".`,
    )
    .action((file: string, { json, format, dryRun, product, tier, map, notify, ...options }) =>
      withPlatform(currentConfig(), async (platform) => {
        const request = {
          format,
          content: readText(file),
          dryRun: dryRun ?? false,
          product,
          tier,
          plans: map as Plans,
          notify,
          exchangeUntil: options.exchangeUntil,
        };
        const importer = { actor: actor(), login: actor() };
        if (options.report) assertWritable(options.report);
        const done: ImportLine[] = [];
        const show = (report: ImportReport, end = ''): CliError | undefined => {
          // Printed first, because nothing else has the keys.
          print(json, report, reportText(report) + end);
          return options.report && writeReport(options.report, report);
        };
        const report = await importLicences(platform, request, importer, (lines) =>
          done.push(...lines),
        ).catch((error) => {
          if (done.length > 0 && !request.dryRun)
            show(toImportReport(done, false), `\n\n${INTERRUPTED}`);
          throw error;
        });
        const fault = show(report);
        if (fault) throw fault;
        const left = report.conflicts + report.invalid;
        if (left > 0)
          throw new CliError(
            `${left} of ${report.lines.length} lines ${report.dry_run ? 'cannot be' : 'were not'} imported`,
          );
      }),
    );
}

/** Parses `NAME=[PRODUCT/]TIER`. Names can contain `=`. */
function addPlan(text: string, plans: Plans): Plans {
  const [, name, product, tier] = /^(.+)=(?:([^/=]+)\/)?([^/=]+)$/.exec(text) ?? [];
  if (!name || !tier) throw new InvalidArgumentError('It must be NAME=TIER or NAME=PRODUCT/TIER.');
  return { ...plans, [name]: { ...(product && { product }), tier } };
}

/** @throws CliError */
function readText(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > MAX_BYTES)
      throw new Error(
        `it is larger than ${MAX_BYTES / 1024 / 1024} MiB; split it into several files`,
      );
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** @throws CliError before anything is imported */
function assertWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw new CliError(`cannot write ${file}: ${(error as Error).message}. Nothing was imported`);
  }
}

/** @returns an error if the file cannot be written */
function writeReport(file: string, { lines }: ImportReport): CliError | undefined {
  try {
    writeFileSync(file, toCsv(REPORT_COLUMNS, lines), { mode: 0o600 });
    return undefined;
  } catch (error) {
    return new CliError(
      `cannot write ${file}: ${(error as Error).message}. The result is printed above`,
    );
  }
}

function reportText(report: ImportReport): string {
  const { created, updated, unchanged, conflicts, invalid } = report;
  const total = `${created} created, ${updated} updated, ${unchanged} unchanged, ${conflicts} in conflict, ${invalid} invalid.`;
  const noted = report.lines.filter(({ reason, licence_key: key }) => reason || key);
  const rows = noted
    .filter(({ licence_key: key }, index) => key || index < SHOWN)
    .map((each) => [each.line, each.action, each.email, formatResult(each)]);
  const more = noted.length - rows.length;
  return [
    ...(rows.length > 0 ? [table(['line', 'result', 'customer', ''], rows)] : []),
    ...(more > 0 ? [`and ${more} more lines; --report writes all to a file.`] : []),
    report.dry_run ? `Dry run, nothing was changed: ${total}` : total,
    ...(noted.some(({ licence_key: key }) => key)
      ? ['The keys are shown only once. Pavis stores only their hashes.']
      : []),
  ].join('\n\n');
}

const formatResult = ({ reason, licence_key: key }: ImportLine): string =>
  [key, reason].filter(Boolean).join(' ');
