import { type Command, Option } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { toLocalDay } from '../platform/local-time.ts';
import { assertPeriod } from '../platform/period.ts';
import { EXPORT_FORMATS } from '../platform/rest/response.ts';
import { exportConsents, getConsentStats } from '../privacy/consent/index.ts';
import { readSettings } from '../privacy/settings/index.ts';
import { actor, command, currentConfig, print, printChunks, table, withPlatform } from './cli.ts';
import { day } from './options.ts';

/** `pavis consent …` */
export function consentCommands(program: Command): void {
  const consent = program
    .command('consent')
    .description('export consent records and print consent statistics');

  command(consent, 'export', 'print the consent records of a period')
    .requiredOption('--from <day>', 'first day, in the time zone of the site', day)
    .requiredOption('--to <day>', 'last day', day)
    .addOption(
      new Option('--format <format>', 'file format').choices(EXPORT_FORMATS).default('csv'),
    )
    .action(({ json, from, to, format }) => {
      const config = currentConfig();
      const { restRoot } = resolveAddresses(config);
      const restUrl = (path: string) => `${restRoot}/svc/v1${path}`;
      return withPlatform(config, async ({ datastore, securityLog }) => {
        assertPeriod(from, to);
        const filter = { date_from: from, date_to: to };
        const as = json ? 'json' : format;
        const chunks = securityLog.streamExport(
          { actor: actor(), what: 'consent_records', details: { format: as } },
          (counted) => exportConsents(datastore.reader, filter, as, { restUrl, counted }),
        );
        await printChunks(chunks);
      });
    });

  command(consent, 'stats', 'print consent statistics of a period')
    .option(
      '--from <day>',
      'first day, in the time zone of the site (default: 29 days before --to)',
      day,
    )
    .option('--to <day>', 'last day (default: today)', day)
    .addHelpText('after', '\nWithout --from and --to, the totals cover all records.')
    .action(({ json, from, to }) => {
      const config = currentConfig();
      return withPlatform(config, async ({ datastore, clock }) => {
        const today = toLocalDay(config.timeZone)(clock.now());
        assertPeriod(from, to ?? today);
        const asked = { ...(from && { from }), ...(to && { to }) };
        const { settings } = await readSettings(datastore.db, resolveAddresses(config).restRoot);
        const on = { today, shown: settings.consent.categories };
        const stats = await getConsentStats(datastore.reader, asked, on);
        print(json, stats, statsText(stats));
      });
    });
}

type Stats = Awaited<ReturnType<typeof getConsentStats>>;

/** Acceptance by category, then each day, then the total. */
function statsText({ period, total, by_action, categories, daily }: Stats): string {
  const acceptance = Object.entries(categories).map(
    ([category, { accepted, rejected, acceptance_rate }]) => [
      category,
      accepted,
      rejected,
      `${Math.round(100 * acceptance_rate)} %`,
    ],
  );
  const counts = (of: typeof by_action) => [of.accept_all, of.manage, of.reject_all];
  return [
    table(['category', 'accepted', 'rejected', 'acceptance'], acceptance),
    '',
    table(
      ['day', 'total', 'accepted all', 'customised', 'rejected all'],
      [
        ...daily.map((each) => [each.date, each.total, ...counts(each.by_action)]),
        [period ? 'total' : 'all records', total, ...counts(by_action)],
      ],
    ),
  ].join('\n');
}
