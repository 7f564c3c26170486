import { type Command, Option } from 'commander';
import {
  approveErasure,
  awaitsApproval,
  type Case,
  type Decision,
  type Dsar,
  type Ground,
  KEEP_GROUNDS,
  listTasks,
  previewErasure,
  purgeIfRequested,
  type Reapplied,
  reapplyErasures,
  toErasurePreview,
  toTaskRecord,
} from '../privacy/dsar/index.ts';
import { actor, command, print, table } from './cli.ts';
import { CASE_ARGUMENT, getCase, taskTable, withDsar } from './dsar-context.ts';

/** `pavis dsar approve` and `pavis dsar reapply-erasures` */
export function erasureCommands(dsar: Command): void {
  command(dsar, 'approve', 'approve or preview the erasure of a deletion request')
    .argument(...CASE_ARGUMENT)
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
        const found = await getCase(opened, given);
        const { id, reference } = found;
        if (dryRun) {
          const previews = (await previewErasure(opened, found)).map(toErasurePreview);
          print(json, { reference, previews }, previewTable(previews));
          return;
        }
        const decisions = refuse && (await toDecisions(opened, found, { refuse, ground, reason }));
        const tasks = await approveErasure(opened, id, decisions, actor());
        const records = tasks.map(toTaskRecord);
        print(json, { reference, tasks: records }, taskTable(records));
      }),
    );

  const description = 'repeat the erasures made after the backup that was restored';
  command(dsar, 'reapply-erasures', description).action(async ({ json }) => {
    const result = await reapplyListedErasures();
    print(json, result, formatReapplied(result));
  });
}

/** Repeats erasures that a restored database does not have, and purges the disk. */
export const reapplyListedErasures = (
  preparation?: Parameters<typeof withDsar>[1],
): Promise<Reapplied> =>
  withDsar(async (opened) => {
    const result = await reapplyErasures(opened);
    await purgeIfRequested(opened);
    return result;
  }, preparation);

export const formatReapplied = ({ erasures, records, requests }: Reapplied): string =>
  erasures === 0
    ? 'The database has every listed erasure. Nothing was changed.'
    : `Repeated ${erasures} erasures that the database did not have: ${records} records and ${requests} requests were erased.`;

/** Refuses the given sources and approves all others. */
async function toDecisions(
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
  if (previews.length === 0) return 'No erasure of this request needs approval.';
  const rows = previews.map(({ source, outcome, error }) => [
    source,
    outcome?.erased ?? '?',
    outcome?.anonymised ?? '?',
    outcome?.kept.map(({ count, reason }) => `${count}: ${reason}`).join('; ') ??
      error ??
      'unknown',
  ]);
  return table(['source', 'erased', 'anonymised', 'kept'], rows);
}
