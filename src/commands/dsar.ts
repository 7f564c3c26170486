import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { Argument, type Command, Option } from 'commander';
import { toIsoMoment } from '../platform/clock.ts';
import { toCsv } from '../platform/csv.ts';
import { toSnakeCase } from '../platform/key-case.ts';
import {
  CASE_STATUSES,
  type Case,
  CaseCreation,
  type CaseStatus,
  CHANNELS,
  changeCase,
  type Dsar,
  EMAIL_LANGUAGES,
  enterRequest,
  GROUNDS,
  type Ground,
  LINK_PURPOSES,
  type LinkPurpose,
  listCases,
  listEvents,
  listTasks,
  openPackage,
  REQUEST_TYPES,
  sendNewLink,
  toCaseRecord,
  toEventRecord,
  toTaskRecord,
} from '../privacy/dsar/index.ts';
import { writeArchive } from './archive-file.ts';
import { actor, command, historyTable, print, table } from './cli.ts';
import { CASE_ARGUMENT, getCase, recordTable, taskTable, withDsar } from './dsar-context.ts';
import { erasureCommands } from './dsar-erasures.ts';
import { day, wholeNumber } from './options.ts';
import { readFields } from './read-fields.ts';

const LISTED = ['id', 'reference', 'request_type', 'status', 'deadline', 'overdue', 'assignee'];
/** The fields that must be kept of requests (11 CCR §7101), and the requester. */
const EXPORTED = [
  ...LISTED,
  ...['submitted', 'completed', 'verified_at', 'extended', 'ground', 'first_name', 'last_name'],
  'email',
];

const choice = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values);

/** `pavis dsar …` */
export function dsarCommands(program: Command): void {
  const dsar = program.command('dsar').description('handle privacy requests');
  listCommand(dsar);
  createCommand(dsar);
  showCommand(dsar);
  changeCommands(dsar);
  erasureCommands(dsar);
  exportCommand(dsar);
}

function listCommand(dsar: Command): void {
  command(dsar, 'list', 'list requests: open ones first, by deadline')
    .addOption(choice('--status <status>', 'only requests with this status', CASE_STATUSES))
    .option('--overdue', 'only open requests past their deadline')
    .option('--search <text>', 'part of a reference, name or address')
    .option('--limit <n>', 'how many', wholeNumber(1, 1_000), 100)
    .action(({ json, status, overdue, search, limit }) =>
      withDsar(async (opened) => {
        const { cases, total } = await listCases(
          opened.platform.datastore.db,
          { status: status as CaseStatus | undefined, overdue, search, today: getToday(opened) },
          { offset: 0, limit },
        );
        const records = cases.map((each) => toCaseRecord(each, opened));
        print(json, { total, cases: records }, recordTable(LISTED, records));
      }),
    );
}

function createCommand(dsar: Command): void {
  command(dsar, 'create', 'create a request received by letter, telephone or another channel')
    .addOption(
      choice('--type <type>', 'the right that is exercised', REQUEST_TYPES).makeOptionMandatory(),
    )
    .requiredOption('--received <date>', 'the day of receipt, YYYY-MM-DD', day)
    .addOption(
      choice('--channel <channel>', 'how the request was received', CHANNELS).makeOptionMandatory(),
    )
    .option('--first-name <name>', 'name of the data subject')
    .option('--last-name <name>', 'name of the data subject')
    .option('--email <address>', 'where emails about the request are sent')
    .option('--postal-address <text>', 'required without --email, unless --phone is given')
    .option('--phone <number>', 'required without --email, unless --postal-address is given')
    .option(
      '--representative <name>',
      'the person who made the request on behalf of the data subject',
    )
    .option('--verified', 'the identity is verified: work starts at once')
    .option('--identity-proof <text>', 'how the identity was verified; required with --verified')
    .option('--info <text>', 'what the data subject requests')
    .addOption(
      choice('--language <language>', 'the language of the emails (default: en)', EMAIL_LANGUAGES),
    )
    .action(({ json, type, received, info, ...given }) =>
      withDsar(async (opened) => {
        const named = { requestType: type, receivedOn: received, additionalInfo: info };
        const fields = toSnakeCase({ ...given, ...named });
        const entry = readFields(fields, CaseCreation);
        const entered = await enterRequest(opened, entry, actor());
        const { reference, deadline, email } = entered;
        const text = `${reference} was entered. Deadline: ${deadline}.`;
        print(json, toCaseRecord(entered, opened), addHint(text, email === null));
      }),
    );
}

function showCommand(dsar: Command): void {
  command(dsar, 'show', 'show a request with its tasks and activity')
    .argument(...CASE_ARGUMENT)
    .action((given: string, { json }) =>
      withDsar(async (opened) => {
        const { db } = opened.platform.datastore;
        const found = await getCase(opened, given);
        const record = toCaseRecord(found, opened);
        const tasks = (await listTasks(db, found.id)).map(toTaskRecord);
        const events = (await listEvents(db, found.id)).map(toEventRecord);
        const fields = Object.entries(record).map(([name, value]) => [name, String(value ?? '')]);
        const text = [
          table(['request', ''], fields),
          tasks.length > 0 ? taskTable(tasks) : 'The request has no tasks.',
          historyTable(events),
        ].join('\n\n');
        print(json, { ...record, tasks, events }, addHint(text, hasNoEmail(found), '\n\n'));
      }),
    );
}

function changeCommands(dsar: Command): void {
  command(dsar, 'set-status', 'change the status of a request and notify the requester')
    .argument(...CASE_ARGUMENT)
    .addArgument(new Argument('<status>', 'the new status').choices(CASE_STATUSES))
    .option('--reason <text>', 'required to refuse, to reopen and to skip open tasks')
    .addOption(choice('--ground <ground>', 'the ground for a hold or a refusal', GROUNDS))
    .action((given: string, status: CaseStatus, { json, reason, ground }) =>
      withDsar(async (opened) => {
        const { id } = await getCase(opened, given);
        const update = { status, reason, ground: ground as Ground | undefined };
        const { dsarCase, letters } = await changeCase(opened, id, update, actor());
        const { reference, status: now, email } = dsarCase;
        const texts = letters.map(({ subject, text }) => `${subject}\n\n${text}`);
        const text = addHint(`${reference} is ${now}.`, email === null);
        print(json, { ...toCaseRecord(dsarCase, opened), letters }, [text, ...texts].join('\n\n'));
      }),
    );

  const purposes = 'to confirm the address or to download the package';
  command(dsar, 'send-link', 'send the requester a new link; earlier links stop working')
    .argument(...CASE_ARGUMENT)
    .addArgument(new Argument('<purpose>', purposes).choices(LINK_PURPOSES))
    .action((given: string, purpose: LinkPurpose, { json }) =>
      withDsar(async (opened) => {
        const { id, reference } = await getCase(opened, given);
        const expiresAt = toIsoMoment(await sendNewLink(opened, id, purpose, actor()));
        const sent = { reference, purpose, expires_at: expiresAt };
        print(json, sent, `A new ${purpose} link for ${reference} is being sent.`);
      }),
    );
}

function exportCommand(dsar: Command): void {
  command(dsar, 'export', 'print all requests as CSV, or write the package of a request to a file')
    .argument('[case]', 'its id or its reference')
    .option('--output <file>', 'the file for the package (default: REFERENCE.zip) or for the CSV')
    .action((given: string | undefined, { json, output }) =>
      withDsar(async (opened) => {
        if (given === undefined) return exportCases(opened, json, output);
        const { id } = await getCase(opened, given);
        const { reference, content, sha256 } = await openPackage(opened, id, actor());
        const file = resolve(output ?? `${reference}.zip`);
        await writeArchive(file, Readable.from([content]), '--output');
        print(json, { reference, file, sha256, bytes: content.length }, file);
      }),
    );
}

async function exportCases(dsar: Dsar, json: unknown, output?: string): Promise<void> {
  const { datastore, securityLog } = dsar.platform;
  // In one statement: a request that is closed between two of them moves to the end of the list.
  const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const { cases } = await listCases(datastore.db, { today: getToday(dsar) }, all);
  const records = cases.map((each) => toCaseRecord(each, dsar));
  const isJson = json && output === undefined;
  const details = { format: isJson ? 'json' : 'csv', records: records.length };
  await securityLog.recordExport({ actor: actor(), what: 'dsar_cases', details });
  const csv = toCsv(EXPORTED, records);
  if (output === undefined) return print(json, { cases: records }, csv.trimEnd());
  const file = resolve(output);
  const written = await writeArchive(file, Readable.from([Buffer.from(csv)]), '--output');
  print(json, { file, records: records.length, ...written }, file);
}

const getToday = ({ platform, formatDay }: Dsar): string => formatDay(platform.clock.now());

/** Erased and anonymised requests do not count. */
const hasNoEmail = ({ email, anonymisedAt, erasedAt }: Case): boolean =>
  email === null && anonymisedAt === null && erasedAt === null;

const addHint = (text: string, isAdded: boolean, separator = '\n'): string =>
  isAdded
    ? `${text}${separator}It has no email address, so no emails are sent: send the answer by post or call. The package is written by "pavis dsar export".`
    : text;
