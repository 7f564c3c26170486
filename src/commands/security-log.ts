import { type Command, Option } from 'commander';
import {
  type EventFilter,
  exportEvents,
  listEvents,
  SECURITY_EVENTS,
  toEventFilter,
  toSecurityEventRecord,
} from '../identity/security-log/index.ts';
import { assertPeriod } from '../platform/period.ts';
import { EXPORT_FORMATS } from '../platform/rest/response.ts';
import { actor, command, currentConfig, print, printChunks, table, withPlatform } from './cli.ts';
import { day, wholeNumber } from './options.ts';

/** `pavis security-log …` */
export function securityLogCommands(program: Command): void {
  const log = program.command('security-log').description('list and export security events');

  addFilters(command(log, 'list', 'list events, newest first'))
    .option('--limit <n>', 'maximum number of events', wholeNumber(1, 10_000), 50)
    .action(({ json, limit, ...options }) =>
      withPlatform(currentConfig(), async ({ datastore }) => {
        const { events, total } = await listEvents(datastore.db, toFilter(options), {
          offset: 0,
          limit,
        });
        const records = events.map(toSecurityEventRecord);
        const rows = records.map((each) => [
          each.at,
          each.event,
          each.count,
          each.username ?? '-',
          each.actor ?? '-',
          each.address ?? '-',
          JSON.stringify(each.details),
        ]);
        const headings = ['when', 'event', 'count', 'account', 'by', 'address', 'details'];
        print(json, { events: records, total }, table(headings, rows));
      }),
    );

  addFilters(command(log, 'export', 'print all matching events, oldest first'))
    .addOption(
      new Option('--format <format>', 'output format').choices(EXPORT_FORMATS).default('csv'),
    )
    .action(({ json, format, ...options }) =>
      withPlatform(currentConfig(), async ({ datastore, securityLog }) => {
        const as = json ? 'json' : format;
        const chunks = securityLog.streamExport(
          { actor: actor(), what: 'security_log', details: { format: as } },
          (counted) => exportEvents(datastore.reader, toFilter(options), as, counted),
        );
        await printChunks(chunks);
      }),
    );
}

const addFilters = (to: Command): Command =>
  to
    .addOption(new Option('--event <event...>', 'filter by event').choices(SECURITY_EVENTS))
    .option('--user <login>', 'start of the account or actor')
    .option('--address <address>', 'start of the IP address')
    .option('--from <day>', 'first day, in the time zone of the site', day)
    .option('--to <day>', 'last day', day);

const toFilter = (options: {
  event?: (typeof SECURITY_EVENTS)[number][];
  user?: string;
  address?: string;
  from?: string;
  to?: string;
}): EventFilter => {
  const { event, user, address, from: date_from, to: date_to } = options;
  assertPeriod(date_from, date_to);
  const asked = { event, user, address, date_from, date_to };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value));
  return toEventFilter(given, currentConfig().timeZone);
};
