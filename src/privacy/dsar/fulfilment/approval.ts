import type { Datastore, Trx } from '../../../platform/db/index.ts';
import { formatErrorMessage, withTimeout } from '../../../platform/hooks/timeout.ts';
import { invalidParam, notFound, RestError } from '../../../platform/rest/errors.ts';
import { insertEvent } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import { type Ground, KEEP_GROUNDS } from '../rules.ts';
import { type Case, lockCase } from '../store.ts';
import { TASKS_PLANNED } from './service.ts';
import { listSources, type Source } from './sources.ts';
import { awaitsApproval, listTasks, type Outcome, type Task, updateTask } from './store.ts';

const PREVIEW_WITHIN_MS = 60_000;

/** What an administrator decides about the erasure in one source. */
export interface Decision {
  source: string;
  decision: 'approve' | 'refuse';
  /** Of a refusal: both are told to the requester. */
  ground?: Ground | undefined;
  reason?: string | undefined;
}

/**
 * Decides about the erasure in the sources that wait for it; what is approved begins at once.
 * @param decisions about some of them; undefined approves all
 * @returns the tasks of the case
 * @throws RestError 404; 409 `invalid_transition` where nothing waits, as when somebody else was
 * first; 400 `rest_invalid_param` for a source that does not wait, or a refusal without ground or reason
 */
export async function approveErasure(
  dsar: Dsar,
  caseId: number,
  decisions: readonly Decision[] | undefined,
  actor: string,
): Promise<Task[]> {
  const { datastore, clock } = dsar.platform;
  return datastore.transaction(async (trx, announce) => {
    const dsarCase = await lockCase(trx, caseId);
    if (!dsarCase) throw notFound('The request');
    const waiting = (await listTasks(trx, caseId)).filter(awaitsApproval);
    assertDecidable(dsarCase, waiting);
    const decided: readonly Decision[] =
      decisions ?? waiting.map(({ source }) => ({ source, decision: 'approve' }));
    assertDecisions(decided, waiting);
    const at = clock.now();
    for (const { source, decision, ground, reason } of decided) {
      const task = waiting.find((each) => each.source === source) as Task;
      if (decision === 'approve') {
        await updateTask(trx, task.id, { status: 'pending', dueAt: at });
      } else {
        const refused = { ground: ground ?? null, reason: reason?.trim() ?? null };
        await updateTask(trx, task.id, { status: 'skipped', ...refused, finishedAt: at });
      }
    }
    const details = {
      approved: decided
        .filter(({ decision }) => decision === 'approve')
        .map(({ source }) => source),
      refused: decided
        .filter(({ decision }) => decision === 'refuse')
        .map(({ source, ground, reason }) => ({ source, ground, reason: reason?.trim() })),
    };
    await insertEvent(trx, caseId, { at, actor, action: 'erasure_decided', details });
    announce(TASKS_PLANNED, String(caseId));
    return listTasks(trx, caseId);
  });
}

function assertDecidable({ status }: Case, waiting: readonly Task[]): void {
  const conflict = (message: string) => new RestError(409, 'invalid_transition', message);
  if (status !== 'in_progress') {
    throw conflict(`The request is ${status}. An erasure is approved while it is in_progress.`);
  }
  if (waiting.length === 0) throw conflict('No erasure of this request waits for approval.');
}

function assertDecisions(decided: readonly Decision[], waiting: readonly Task[]): void {
  if (decided.length === 0) throw invalidParam('decisions', 'Decide about one source at least.');
  const sources = waiting.map(({ source }) => source);
  for (const [at, { source, decision, ground, reason }] of decided.entries()) {
    const wrong = (message: string) => invalidParam('decisions', message);
    if (!sources.includes(source)) {
      throw wrong(`${source} does not wait for approval. These do: ${sources.join(', ')}.`);
    }
    if (decided.findIndex((each) => each.source === source) !== at) {
      throw wrong(`There are two decisions about ${source}.`);
    }
    if (decision === 'approve') continue;
    if (!ground || !KEEP_GROUNDS.includes(ground)) {
      throw wrong(`To refuse ${source}, give a ground: ${KEEP_GROUNDS.join(', ')}.`);
    }
    if (!reason?.trim()) throw wrong(`To refuse ${source}, give a reason: the requester is told.`);
  }
}

/** What erasing would do in a source that waits for approval. */
export interface ErasurePreview {
  task: Task;
  /** Null where the source cannot say beforehand. */
  outcome: Outcome | null;
  error: string | null;
}

/** What erasing would do in each source of a case that waits for approval. Nothing is written. */
export async function previewErasure(dsar: Dsar, dsarCase: Case): Promise<ErasurePreview[]> {
  const { email, visitorId } = dsarCase;
  if (email === null) return [];
  const waiting = (await listTasks(dsar.platform.datastore.db, dsarCase.id)).filter(awaitsApproval);
  const sources = listSources(dsar);
  const previews: ErasurePreview[] = [];
  for (const task of waiting) {
    const source = sources.find(({ id }) => id === task.source);
    try {
      const outcome = source ? await previewIn(dsar, source, { email, visitorId }) : null;
      previews.push({ task, outcome, error: source ? null : 'The source is not registered.' });
    } catch (error) {
      previews.push({ task, outcome: null, error: formatErrorMessage(error) });
    }
  }
  return previews;
}

async function previewIn(
  { platform }: Dsar,
  { eraseWithin, preview }: Source,
  subject: { email: string; visitorId: string | null },
): Promise<Outcome | null> {
  if (eraseWithin) return rollBack(platform.datastore, (trx) => eraseWithin(trx, subject));
  return preview ? withTimeout(PREVIEW_WITHIN_MS, () => preview(subject)) : null;
}

/** Carries what the work gave out of a transaction that is undone. */
class RolledBack<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/** Does work in a transaction and undoes it: what it gives is what doing it would have given. */
async function rollBack<T>(datastore: Datastore, work: (trx: Trx) => Promise<T>): Promise<T> {
  try {
    await datastore.transaction(async (trx) => {
      throw new RolledBack(await work(trx));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.value;
    throw error;
  }
  throw new Error('the transaction was not rolled back');
}
