import { type Command, Option } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { readAskedOfVisitors } from '../privacy/data-map/index.ts';
import { IMPORT_FORMATS, loadImport } from '../privacy/settings/index.ts';
import { createVendorFinder } from '../privacy/vendors/index.ts';
import { actor, command, currentConfig, print, readText, table, withPlatform } from './cli.ts';

/** `pavis settings …` */
export function settingsCommands(program: Command): void {
  const settings = program.command('settings').description('import settings of another banner');

  command(settings, 'import <file>', 'import banner settings, or report what an import would do')
    .addOption(
      new Option('--format <format>', 'format (default: recognised)').choices(IMPORT_FORMATS),
    )
    .option('--language <language>', 'language of the texts, if the file does not state it')
    .option('--apply', 'save the settings; without it nothing changes')
    .action((file: string, { json, format, language, apply }) => {
      const config = currentConfig();
      const { restRoot, siteUrl } = resolveAddresses(config);
      return withPlatform(config, async (platform) => {
        const scope = {
          platform,
          siteUrl: () => siteUrl,
          restRoot: () => restRoot,
          timeZone: config.timeZone,
          readAsked: readAskedOfVisitors,
          readVendors: createVendorFinder,
        };
        const asked = { content: readText(file), format, language, apply: apply ?? false };
        const { importSettings } = await loadImport();
        const { result } = await importSettings(scope, asked, { user: getUser() });
        print(json, result, toText(result));
      });
    });
}

/** The command line may change all settings. */
const getUser = () => ({
  id: 0,
  login: actor(),
  email: '',
  role: 'administrator',
  capabilities: ['manage_options'],
});

type Import = Awaited<ReturnType<typeof loadImport>>;
type Result = Awaited<ReturnType<Import['importSettings']>>['result'];

const CELL_MAX = 60;
const shorten = (text: string | null): string => {
  const line = (text ?? '').replaceAll('\n', ' ');
  return line.length > CELL_MAX ? `${line.slice(0, CELL_MAX - 1)}…` : line;
};

function toText({ report, counts, notes, proposals, changes, applied, ...result }: Result): string {
  const lines = report.map((line) => [
    line.outcome,
    shorten(line.source),
    shorten(line.field),
    shorten(line.value),
    line.reason ?? '',
  ]);
  const asked = result.asks_again_because;
  return [
    table(['outcome', 'line of the file', 'setting', 'value', 'reason'], lines),
    ...(proposals.length > 0
      ? [
          '\nProposals (not added):',
          table(
            ['kind', 'name', 'category', 'vendor'],
            proposals.map((each) => [
              each.kind,
              shorten(each.name),
              each.category ?? '',
              each.vendor ?? '',
            ]),
          ),
        ]
      : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []),
    '',
    `${counts.imported} imported, ${counts.changed} changed, ${counts.ignored} ignored, ${counts.rejected} rejected; ${changes.length} settings differ.`,
    asked.length > 0
      ? `Visitors are asked again (${asked.join(', ')}).`
      : 'Visitors are not asked again.',
    applied ? 'Saved.' : 'Dry run: nothing was saved. Use --apply to save.',
  ].join('\n');
}
