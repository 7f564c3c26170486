import type { Datastore, Trx } from '../../../platform/db/index.ts';
import { DomainError, InvalidFieldError } from '../../../platform/errors.ts';
import { formatErrorMessage, withTimeout } from '../../../platform/hooks/timeout.ts';
import { insertEvent } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import { type Ground, KEEP_GROUNDS } from '../rules.ts';
import { type Case, getLockedCase } from '../store.ts';
import { TASKS_PLANNED } from './service.ts';
import { listSources, listSourcesFoundBy, type Source, type Subject } from './sources.ts';
import { awaitsApproval, listTasks, type Outcome, type Task, updateTask } from './store.ts';
import { listVisitorIds } from './visitor-check.ts';

const PREVIEW_TIMEOUT_MS = 60_000;

/** A decision of an administrator on the erasure in one source. */
export interface Decision {
  source: string;
  decision: 'approve' | 'refuse';
  /** The ground of a refusal. Ground and reason are included in the email to the requester. */
  ground?: Ground | undefined;
  reason?: string | undefined;
}

/**
 * Decides on the erasures that need approval. Approved erasures start at once.
 * @param given decisions on some of them; undefined approves all
 * @returns the tasks of the case
 * @throws NotFoundError; DomainError 409 `invalid_transition` if no erasure needs approval; InvalidFieldError for
 * another source, a refusal without ground or reason, or an approval without one of the sources that are found by it
 */
export async function approveErasure(
  dsar: Dsar,
  caseId: number,
  given: readonly Decision[] | undefined,
  actor: string,
): Promise<Task[]> {
  const { datastore, clock } = dsar.platform;
  return datastore.transaction(async (trx, announce) => {
    const dsarCase = await getLockedCase(trx, caseId);
    const tasks = await listTasks(trx, caseId);
    const waiting = tasks.filter(awaitsApproval);
    assertDecidable(dsarCase, waiting);
    const decisions: readonly Decision[] =
      given ?? waiting.map(({ source }) => ({ source, decision: 'approve' }));
    assertDecisions(decisions, waiting);
    assertFoundSourcesApproved(dsar, decisions, tasks);
    const at = clock.now();
    for (const { source, decision, ground = null, reason } of decisions) {
      const { id } = waiting.find((each) => each.source === source) as Task;
      const changes =
        decision === 'approve'
          ? ({ status: 'pending', dueAt: at } as const)
          : ({
              status: 'skipped',
              ground,
              reason: reason?.trim() ?? null,
              finishedAt: at,
            } as const);
      await updateTask(trx, id, changes);
    }
    const { approve = [], refuse = [] } = Object.groupBy(decisions, ({ decision }) => decision);
    const details = {
      approved: approve.map(({ source }) => source),
      refused: refuse.map(({ source, ground, reason }) => ({
        ...{ source, ground },
        reason: reason?.trim(),
      })),
    };
    await insertEvent(trx, caseId, { at, actor, action: 'erasure_decided', details });
    announce(TASKS_PLANNED, String(caseId));
    return listTasks(trx, caseId);
  });
}

function assertDecidable({ status }: Case, waiting: readonly Task[]): void {
  const conflict = (message: string) => new DomainError('conflict', 'invalid_transition', message);
  if (status !== 'in_progress') {
    throw conflict(`The request is ${status}. An erasure is approved while it is in_progress.`);
  }
  if (waiting.length === 0) throw conflict('No erasure of this request needs approval.');
}

function assertDecisions(decisions: readonly Decision[], waiting: readonly Task[]): void {
  const invalid = (message: string) => new InvalidFieldError('decisions', message);
  if (decisions.length === 0) throw invalid('decisions must not be empty.');
  const sources = waiting.map(({ source }) => source);
  for (const [at, { source, decision, ground, reason }] of decisions.entries()) {
    if (!sources.includes(source)) {
      throw invalid(`${source} does not need approval. These sources do: ${sources.join(', ')}.`);
    }
    if (decisions.findIndex((each) => each.source === source) !== at) {
      throw invalid(`decisions contains ${source} twice.`);
    }
    if (decision === 'approve') continue;
    if (!ground || !KEEP_GROUNDS.includes(ground)) {
      throw invalid(`To refuse ${source}, give a ground: ${KEEP_GROUNDS.join(', ')}.`);
    }
    if (!reason?.trim()) throw invalid(`To refuse ${source}, give a reason, for the email.`);
  }
}

/** Records that are kept, or not decided on yet, must not lose the record by which their person is found. */
function assertFoundSourcesApproved(
  { site }: Dsar,
  decisions: readonly Decision[],
  tasks: readonly Task[],
): void {
  const approved = decisions.filter(({ decision }) => decision === 'approve');
  const isKept = ({ kind, source, status }: Task) =>
    kind === 'erase' &&
    (status === 'waiting' || status === 'skipped') &&
    !approved.some((decision) => decision.source === source);
  const format = ({ source, label }: Task) => `${source} (${label})`;
  for (const task of tasks.filter(({ source }) =>
    approved.some((each) => each.source === source),
  )) {
    const found = listSourcesFoundBy(site.personalData, task.source);
    const kept = tasks.filter((each) => found.includes(each.source) && isKept(each));
    if (kept.length === 0) continue;
    const message = `Approve ${kept.map(format).join(', ')} as well, or refuse ${format(task)}, by which the person of these records is found.`;
    throw new InvalidFieldError('decisions', message);
  }
}

/** What erasing would do in a source that needs approval. */
export interface ErasurePreview {
  task: Task;
  /** Null if an extension has no preview. */
  outcome: Outcome | null;
  error: string | null;
}

/** Previews the erasures of a case that need approval. Writes nothing. */
export async function previewErasure(dsar: Dsar, dsarCase: Case): Promise<ErasurePreview[]> {
  const { email } = dsarCase;
  if (email === null) return [];
  const tasks = await listTasks(dsar.platform.datastore.db, dsarCase.id);
  const subject = { email, visitorIds: listVisitorIds(dsarCase, tasks) };
  const sources = listSources(dsar);
  const previews: ErasurePreview[] = [];
  for (const task of tasks.filter(awaitsApproval)) {
    const source = sources.find(({ id }) => id === task.source);
    try {
      if (!source) throw new Error('The source is not registered.');
      const outcome = await previewInSource(dsar, source, subject);
      previews.push({ task, outcome, error: null });
    } catch (error) {
      previews.push({ task, outcome: null, error: formatErrorMessage(error) });
    }
  }
  return previews;
}

async function previewInSource(
  { platform }: Dsar,
  { eraseWithin, preview }: Source,
  subject: Subject,
): Promise<Outcome | null> {
  if (eraseWithin) return rollBack(platform.datastore, (trx) => eraseWithin(trx, subject));
  return preview ? withTimeout(PREVIEW_TIMEOUT_MS, () => preview(subject)) : null;
}

/** Runs work in a transaction, rolls it back and returns its result. */
async function rollBack<T>(datastore: Datastore, work: (trx: Trx) => Promise<T>): Promise<T> {
  const rolledBack = new Error('rolled back');
  const results: T[] = [];
  try {
    await datastore.transaction(async (trx) => {
      results.push(await work(trx));
      throw rolledBack;
    });
  } catch (error) {
    if (error !== rolledBack) throw error;
  }
  return results.at(-1) as T;
}
