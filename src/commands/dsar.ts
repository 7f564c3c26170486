import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { loadExtensions } from '../extensions/loading.ts';
import { openDataSubjectRequests } from '../modules.ts';
import { toIsoMoment } from '../platform/clock.ts';
import { toCsv } from '../platform/csv.ts';
import { CliError } from '../platform/errors.ts';
import { readArgs } from '../platform/rest/read-args.ts';
import {
  approveErasure,
  awaitsApproval,
  CASE_STATUSES,
  type Case,
  CaseCreation,
  type CaseStatus,
  CHANNELS,
  changeCase,
  type Decision,
  type Dsar,
  enterRequest,
  findCase,
  findCaseByReference,
  GROUNDS,
  type Ground,
  KEEP_GROUNDS,
  LINK_PURPOSES,
  type LinkPurpose,
  listCases,
  listEvents,
  listTasks,
  openPackage,
  previewErasure,
  purgeIfRequested,
  REQUEST_TYPES,
  type Reapplied,
  readReference,
  reapplyErasures,
  sendNewLink,
  toCaseRecord,
  toErasurePreview,
  toEventRecord,
  toTaskRecord,
} from '../privacy/dsar/index.ts';
import { actor, command, currentConfig, historyTable, print, table, withPlatform } from './cli.ts';
import { wholeNumber } from './options.ts';

const PAGE = 500;
const CASE = ['<case>', 'its id or its reference'] as const;
/** What a list of requests shows. */
const COLUMNS = ['id', 'reference', 'request_type', 'status', 'deadline', 'overdue', 'assignee'];
/** What has to be kept of requests (11 CCR §7101), and who they are from. */
const EXPORTED = [
  ...COLUMNS,
  ...['submitted', 'completed', 'verified_at', 'extended', 'ground', 'first_name', 'last_name'],
  'email',
];

/** `pavis dsar …` */
export function dsarCommands(program: Command): void {
  const dsar = program.command('dsar').description('handle privacy requests');

  command(dsar, 'list', 'list requests: open ones first, by deadline')
    .addOption(
      new Option('--status <status>', 'only requests with this status').choices(CASE_STATUSES),
    )
    .option('--overdue', 'only open requests past their deadline')
    .option('--search <text>', 'part of a reference, name or address')
    .option('--limit <n>', 'how many', wholeNumber(1, 1_000), 100)
    .action(({ json, status, overdue, search, limit }) =>
      withDsar(async (opened) => {
        const filter = { ...todayOf(opened), status: status as CaseStatus | undefined, search };
        const page = { offset: 0, limit };
        const { cases, total } = await listCases(
          opened.platform.datastore.db,
          { ...filter, overdue: overdue ? true : undefined },
          page,
        );
        const records = cases.map((each) => toCaseRecord(each, opened));
        print(json, { total, cases: records }, table(COLUMNS, cellsOf(records, COLUMNS)));
      }),
    );

  command(dsar, 'create', 'create a request received by letter, telephone or another channel')
    .addOption(
      new Option('--type <type>', 'the right that is exercised')
        .choices(REQUEST_TYPES)
        .makeOptionMandatory(),
    )
    .requiredOption('--received <date>', 'the day of receipt, YYYY-MM-DD')
    .addOption(
      new Option('--channel <channel>', 'how the request was received')
        .choices(CHANNELS)
        .makeOptionMandatory(),
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
    .option('--language <language>', 'the language of the emails: en or de (default: en)')
    .action(({ json, ...given }) =>
      withDsar(async (opened) => {
        const entry = readArgs(
          {
            request_type: given.type,
            received_on: given.received,
            channel: given.channel,
            first_name: given.firstName,
            last_name: given.lastName,
            email: given.email,
            postal_address: given.postalAddress,
            phone: given.phone,
            representative: given.representative,
            verified: given.verified,
            identity_proof: given.identityProof,
            additional_info: given.info,
            language: given.language,
          },
          CaseCreation,
        );
        const entered = await enterRequest(opened, entry, actor());
        print(json, toCaseRecord(entered, opened), enteredText(entered));
      }),
    );

  command(dsar, 'show', 'show a request with its tasks and activity')
    .argument(...CASE)
    .action((given: string, { json }) =>
      withDsar(async (opened) => {
        const { db } = opened.platform.datastore;
        const found = await existing(opened, given);
        const record = toCaseRecord(found, opened);
        const tasks = (await listTasks(db, found.id)).map(toTaskRecord);
        const events = (await listEvents(db, found.id)).map(toEventRecord);
        const text = showText(record, tasks, events);
        const hint = [found.email, found.anonymisedAt, found.erasedAt].every(
          (each) => each === null,
        );
        print(json, { ...record, tasks, events }, hint ? `${text}\n\n${WITHOUT_EMAIL}` : text);
      }),
    );

  command(dsar, 'set-status', 'change the status of a request and notify the requester')
    .argument(...CASE)
    .addArgument(new Argument('<status>', 'the new status').choices(CASE_STATUSES))
    .option('--reason <text>', 'required to refuse, to reopen and to skip open tasks')
    .addOption(
      new Option('--ground <ground>', 'the ground for a hold or a refusal').choices(GROUNDS),
    )
    .action((given: string, status: CaseStatus, { json, reason, ground }) =>
      withDsar(async (opened) => {
        const { id } = await existing(opened, given);
        const update = { status, reason, ground: ground as Ground | undefined };
        const changed = toCaseRecord(await changeCase(opened, id, update, actor()), opened);
        const done = `${changed.reference} is ${changed.status}.`;
        print(json, changed, changed.email === null ? `${done}\n${WITHOUT_EMAIL}` : done);
      }),
    );

  command(dsar, 'send-link', 'send the requester a new link; earlier links stop working')
    .argument(...CASE)
    .addArgument(
      new Argument('<purpose>', 'to confirm the address or to download the package').choices(
        LINK_PURPOSES,
      ),
    )
    .action((given: string, purpose: LinkPurpose, { json }) =>
      withDsar(async (opened) => {
        const { id, reference } = await existing(opened, given);
        const expiresAt = toIsoMoment(await sendNewLink(opened, id, purpose, actor()));
        const sent = { reference, purpose, expires_at: expiresAt };
        print(json, sent, `A new ${purpose} link for ${reference} is being sent.`);
      }),
    );

  command(dsar, 'approve', 'approve or preview the erasure of a deletion request')
    .argument(...CASE)
    .option('--dry-run', 'only preview what is erased, anonymised and kept')
    .option('--refuse <source...>', 'sources to refuse; all others are approved')
    .addOption(
      new Option('--ground <ground>', 'the ground for the refused sources').choices(KEEP_GROUNDS),
    )
    .option(
      '--reason <text>',
      'the reason for the refused sources, included in the email to the requester',
    )
    .action((given: string, { json, dryRun, refuse, ground, reason }) =>
      withDsar(async (opened) => {
        const found = await existing(opened, given);
        if (dryRun) {
          const previews = (await previewErasure(opened, found)).map(toErasurePreview);
          print(json, { reference: found.reference, previews }, previewTable(previews));
          return;
        }
        const decisions =
          refuse && (await decisionsWith(opened, found, { refuse, ground, reason }));
        const tasks = await approveErasure(opened, found.id, decisions, actor());
        const records = tasks.map(toTaskRecord);
        print(json, { reference: found.reference, tasks: records }, taskTable(records));
      }),
    );

  command(dsar, 'export', 'print all requests as CSV, or write the package of a request to a file')
    .argument('[case]', 'its id or its reference')
    .option('--output <file>', 'the file for the package (default: REFERENCE.zip)')
    .action((given: string | undefined, { json, output }) =>
      withDsar(async (opened) => {
        if (given === undefined) {
          const records = await allRecords(opened);
          await opened.platform.securityLog.recordExport({
            actor: actor(),
            what: 'dsar_cases',
            details: { format: json ? 'json' : 'csv', records: records.length },
          });
          print(json, { cases: records }, toCsv(EXPORTED, records).trimEnd());
          return;
        }
        const { id } = await existing(opened, given);
        const { reference, content, sha256 } = await openPackage(opened, id, actor());
        const file = resolve(output ?? `${reference}.zip`);
        save(file, content);
        print(json, { reference, file, sha256, bytes: content.length }, file);
      }),
    );

  command(
    dsar,
    'reapply-erasures',
    'repeat the erasures made after the backup that was restored',
  ).action(async ({ json }) => {
    const result = await reapplyListed();
    print(json, result, reappliedText(result));
  });
}

/** Does erasures again that a restored database does not have, and takes what they remove off the disk. */
export async function reapplyListed(): Promise<Reapplied> {
  let result: Reapplied = { erasures: 0, records: 0, requests: 0 };
  await withDsar(async (opened) => {
    result = await reapplyErasures(opened);
    await purgeIfRequested(opened);
  });
  return result;
}

/** What was done again, for people. */
export const reappliedText = ({ erasures, records, requests }: Reapplied): string =>
  erasures === 0
    ? 'The database has every erasure of the list: nothing was to be done.'
    : `${erasures} erasures that the database did not have were done again: ${records} records and ${requests} requests were erased.`;

const WITHOUT_EMAIL =
  'It has no email address, so no emails are sent: send the answer by post or call. The package is written by "pavis dsar export".';

const enteredText = ({ reference, deadline, email }: Case): string =>
  [
    `${reference} was entered. Deadline: ${deadline}.`,
    ...(email === null ? [WITHOUT_EMAIL] : []),
  ].join('\n');
/** Decisions about every source that waits for approval: those named are refused, the others approved. */
async function decisionsWith(
  { platform: { datastore } }: Dsar,
  { id }: Case,
  { refuse, ...refusal }: { refuse: string[]; ground?: Ground; reason?: string },
): Promise<Decision[]> {
  const waiting = (await listTasks(datastore.db, id)).filter(awaitsApproval);
  const others = waiting.filter(({ source }) => !refuse.includes(source));
  return [
    ...refuse.map((source) => ({ source, decision: 'refuse' as const, ...refusal })),
    ...others.map(({ source }) => ({ source, decision: 'approve' as const })),
  ];
}

function previewTable(previews: readonly ReturnType<typeof toErasurePreview>[]): string {
  if (previews.length === 0) return 'No erasure of this request waits for approval.';
  const rows = previews.map(({ source, outcome, error }) => [
    source,
    String(outcome?.erased ?? '?'),
    String(outcome?.anonymised ?? '?'),
    outcome?.kept.map(({ count, reason }) => `${count}: ${reason}`).join('; ') ??
      error ??
      'unknown',
  ]);
  return table(['source', 'erased', 'anonymised', 'kept'], rows);
}

/** Opens requests for one piece of work, with the sources that extensions bring. */
function withDsar(work: (dsar: Dsar) => Promise<void>): Promise<void> {
  const config = currentConfig();
  return withPlatform(config, async (platform) => {
    const { hooks, extensions: registry, log } = platform;
    await loadExtensions(config.extensions, { hooks, registry, log });
    await work(openDataSubjectRequests(platform, config, () => resolveAddresses(config)));
  });
}

/** @throws CliError if there is no such folder, or nobody may write there */
function save(file: string, content: Buffer): void {
  try {
    writeFileSync(file, content, { mode: 0o600 });
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`cannot write ${file}: ${message}; name another with --output`);
  }
}

async function existing({ platform: { datastore } }: Dsar, given: string): Promise<Case> {
  const reference = readReference(given);
  const found = reference
    ? await findCaseByReference(datastore.db, reference)
    : /^[1-9]\d{0,14}$/.test(given) && (await findCase(datastore.db, Number(given)));
  if (!found) throw new CliError(`there is no request ${given}: "pavis dsar list" shows them`);
  return found;
}

const todayOf = ({ platform, dayOf }: Dsar) => ({ today: dayOf(platform.clock.now()) });

async function allRecords(dsar: Dsar) {
  const records: ReturnType<typeof toCaseRecord>[] = [];
  for (;;) {
    const page = { offset: records.length, limit: PAGE };
    const { cases } = await listCases(dsar.platform.datastore.db, todayOf(dsar), page);
    records.push(...cases.map((each) => toCaseRecord(each, dsar)));
    if (cases.length < PAGE) return records;
  }
}

const DONE = ['id', 'kind', 'source', 'status', 'records', 'erased', 'anonymised', 'last_error'];

const taskTable = (tasks: readonly object[]): string => table(DONE, cellsOf(tasks, DONE));

const cellsOf = (records: readonly object[], columns: readonly string[]): string[][] =>
  records.map((record) => {
    const fields: Record<string, unknown> = { ...record };
    return columns.map((column) => String(fields[column] ?? ''));
  });

function showText(
  record: ReturnType<typeof toCaseRecord>,
  tasks: ReturnType<typeof toTaskRecord>[],
  events: ReturnType<typeof toEventRecord>[],
): string {
  const facts = Object.entries(record).map(([name, value]) => [name, String(value ?? '')]);
  return [
    table(['request', ''], facts),
    tasks.length > 0 ? taskTable(tasks) : 'Nothing is done for it yet.',
    historyTable(events),
  ].join('\n\n');
}
