import { lockRecords } from '../../../personal-data/index.ts';
import { type Announce, requestPurge, type Trx } from '../../../platform/db/index.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { formatErrorMessage, withTimeout } from '../../../platform/hooks/timeout.ts';
import { Worker } from '../../../platform/jobs/worker.ts';
import { insertEvent } from '../cases/history/store.ts';
import { caseRecords } from '../cases/retention.ts';
import type { Dsar } from '../context.ts';
import { listErasures } from '../erasures/erasure-list.ts';
import { insertErasure } from '../erasures/store.ts';
import { unlistUncommitted } from '../erasures/unlist-uncommitted.ts';
import { buildPackage } from '../export/build.ts';
import { removePackageFiles } from '../export/files.ts';
import { assertPackageReplaceable } from '../export/legal-hold.ts';
import { listFileNames, replacePackage } from '../export/store.ts';
import { isClosed } from '../rules.ts';
import { type Case, findCase, lockCase } from '../store.ts';
import { deletePages, insertPage } from './pages/store.ts';
import { LEASE_MS, RETRY_MS } from './rules.ts';
import { planDecision, startPackage, TASKS_PLANNED } from './service.ts';
import { listSources, type Source, type Subject } from './sources.ts';
import {
  hasDueTask,
  leaseTask,
  listTasks,
  lockTask,
  NOTHING_DONE,
  type Outcome,
  type Task,
  updateTask,
} from './store.ts';
import { listVisitorIds } from './visitor-check.ts';

const ACTOR = 'system';

const CALL_TIMEOUT_MS = MINUTE_MS;
const PAGES_MAX = 10_000;

/** A leased task with its case at that moment. */
interface Run {
  dsar: Dsar;
  task: Task;
  dsarCase: Case;
  visitorIds: readonly string[];
}

/** A run in a source that finds the person. */
interface SourceRun extends Run {
  source: Source;
  subject: Subject;
}

/**
 * Runs one due task, of one case if given.
 * @returns whether a task was due
 */
export async function runDueTask(dsar: Dsar, caseId?: number): Promise<boolean> {
  const { datastore, clock } = dsar.platform;
  const now = clock.now();
  if (!(await hasDueTask(datastore.db, now))) return false;
  const ordered = dsar.site.personalData.map(({ category }) => category);
  const lease = { now, leaseUntil: now + LEASE_MS, caseId, ordered };
  const task = await datastore.transaction((trx) => leaseTask(trx, lease));
  if (!task) return false;
  try {
    const dsarCase = await findCase(datastore.db, task.caseId);
    if (!dsarCase || (dsarCase.anonymisedAt ?? dsarCase.erasedAt) !== null)
      throw new Error('the case is anonymised');
    const visitorIds = listVisitorIds(dsarCase, await listTasks(datastore.db, task.caseId));
    const run = { dsar, task, dsarCase, visitorIds };
    await (task.kind === 'package' ? createPackage(run) : runInSource(run));
  } catch (error) {
    await fail(dsar, task, formatErrorMessage(error));
  }
  return true;
}

async function runInSource(run: Run): Promise<void> {
  const { dsar, task, dsarCase, visitorIds } = run;
  const { email } = dsarCase;
  if (email === null)
    throw new Error('sources find a person by an email address, and the request has none');
  const source = listSources(dsar).find(({ id }) => id === task.source);
  if (!source) throw new Error('the source is not registered any more');
  const sourceRun = { ...run, source, subject: { email, visitorIds } };
  await (task.kind === 'collect' ? collect(sourceRun) : erase(sourceRun));
}

async function collect(run: SourceRun): Promise<void> {
  const { dsar, task, source, subject, dsarCase } = run;
  const { clock } = dsar.platform;
  let cursor = task.nextPage;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { records, next } = await withTimeout(CALL_TIMEOUT_MS, async () => {
      if (!source.collect) throw new Error('the source cannot collect any more');
      return source.collect(subject, cursor, dsarCase.requestType === 'portability');
    });
    if (next !== null && next === cursor) throw new Error('the source gave the same page again');
    const collected = { records, next, leaseUntil: clock.now() + LEASE_MS };
    if (next === null) {
      // In one transaction with the last page, so that a crash does not collect it twice.
      await finish(run, async (trx) => {
        await insertPage(trx, task, collected);
        return {};
      });
      return;
    }
    const isOurs = await writeIfLeased(run, (trx) => insertPage(trx, task, collected));
    if (!isOurs) return;
    task.dueAt = collected.leaseUntil;
    cursor = next;
  }
  throw new Error(`the source has more than ${PAGES_MAX} pages`);
}

async function erase(run: SourceRun): Promise<void> {
  const { dsar, task, source, subject, dsarCase } = run;
  const { eraseWithin, erase: eraseElsewhere } = source;
  if (!eraseWithin && !eraseElsewhere) throw new Error('the source cannot erase any more');
  const elsewhere =
    eraseElsewhere && (await withTimeout(CALL_TIMEOUT_MS, () => eraseElsewhere(subject)));
  const fileNames = await listFileNames(dsar.platform.datastore.db, subject.email);
  const { email, visitorIds } = subject;
  const erasure = { reference: dsarCase.reference, source: source.id, email };
  const found = visitorIds.length > 0 ? visitorIds : [null];
  const erasures = found.map((visitorId) => ({ ...erasure, visitorId }));
  const listed = eraseWithin ? await listErasures(dsar, erasures) : [];
  let isErased = false;
  try {
    isErased = await finish(run, async (trx) => {
      const outcome = elsewhere ?? (await eraseWithin?.(trx, subject)) ?? NOTHING_DONE;
      if (source.needsDecision) await planDecision(dsar, trx, task, outcome);
      for (const each of listed) await insertErasure(trx, each);
      await requestPurge(trx);
      return { outcome };
    });
  } finally {
    if (listed.length > 0 && !isErased) await unlistUncommitted(dsar, listed);
  }
  await removePackageFiles(dsar, fileNames);
}

async function createPackage(run: Run): Promise<void> {
  const stored = await buildPackage(run.dsar, run.dsarCase, run.visitorIds);
  await finish(run, async (trx, current) => {
    await assertPackageReplaceable(trx, current.id);
    await replacePackage(trx, current, stored);
    await deletePages(trx, current.id);
    return { details: { bytes: stored.bytes } };
  });
}

/**
 * Writes results of a task. The case is locked before rows that refer to it are written: on PostgreSQL each such row
 * takes a shared lock on the case, and two transactions that both upgrade theirs deadlock. The results are dropped if
 * the task was ended, reopened or leased again meanwhile, or if the visitor ids have changed, unless the source finds a
 * person by email address only. Records are also dropped if the request was closed, which has deleted the others.
 * @param work gets the current case
 * @returns whether they were written
 */
function writeIfLeased(
  run: Run | SourceRun,
  work: (trx: Trx, announce: Announce, current: Case) => Promise<void>,
): Promise<boolean> {
  const { dsar, task, visitorIds } = run;
  const usesVisitorIds = !('source' in run) || run.source.visitorPage !== undefined;
  return dsar.platform.datastore.transaction(async (trx, announce) => {
    // No legal hold is placed on a package while it is replaced.
    if (task.kind === 'package') await lockRecords(trx, caseRecords);
    const current = await lockCase(trx, task.caseId);
    if (!current) throw new Error('the case is deleted');
    if (usesVisitorIds) {
      const now = listVisitorIds(current, await listTasks(trx, task.caseId));
      if (now.join('\n') !== visitorIds.join('\n')) return false;
    }
    if (!(await isStillLeased(trx, task))) return false;
    if (task.kind === 'collect' && isClosed(current.status)) return false;
    await work(trx, announce, current);
    return true;
  });
}

/**
 * Completes a task, with its last writes in the same transaction.
 * @returns whether it was completed, see `writeIfLeased`
 */
function finish(
  run: Run | SourceRun,
  work: (trx: Trx, current: Case) => Promise<{ outcome?: Outcome; details?: object }>,
): Promise<boolean> {
  const { dsar, task } = run;
  return writeIfLeased(run, async (trx, announce, current) => {
    const { outcome, details } = await work(trx, current);
    const at = dsar.platform.clock.now();
    const { records } = await updateTask(trx, task.id, {
      status: 'done',
      lastError: null,
      finishedAt: at,
      ...(outcome && { outcome: addCounts(task.outcome, outcome) }),
    });
    const event = { source: task.source, kind: task.kind, records, ...outcome, ...details };
    await insertEvent(trx, task.caseId, { at, actor: ACTOR, action: 'task_done', details: event });
    await startPackage(trx, announce, task.caseId, at);
  });
}

/** A task that runs again for another visitor id adds to what it has erased. */
function addCounts(before: Outcome, { erased, anonymised, kept }: Outcome): Outcome {
  return {
    erased: before.erased + erased,
    anonymised: before.anonymised + anonymised,
    kept,
  };
}

/** Whether the task was neither ended nor reopened nor leased again. */
async function isStillLeased(trx: Trx, { id, attempts, dueAt }: Task): Promise<boolean> {
  const current = await lockTask(trx, id);
  return current?.status === 'running' && current.attempts === attempts && current.dueAt === dueAt;
}

async function fail(dsar: Dsar, task: Task, lastError: string): Promise<void> {
  const { datastore, clock, log } = dsar.platform;
  const { id, caseId, source, kind, attempts } = task;
  log.warn({ case: caseId, task: id, source, kind, attempts, reason: lastError }, 'a task failed');
  await datastore.transaction(async (trx) => {
    if (!(await isStillLeased(trx, task))) return;
    const at = clock.now();
    const delay = RETRY_MS[attempts - 1];
    await updateTask(trx, id, {
      status: delay === undefined ? 'failed' : 'pending',
      dueAt: at + (delay ?? 0),
      lastError,
    });
    const details = { source, kind, attempts, error: lastError };
    const action = delay === undefined ? 'task_failed' : 'task_retried';
    await insertEvent(trx, caseId, { at, actor: ACTOR, action, details });
  });
}

/** Runs due tasks in the background, on every node. */
export function taskRunner(dsar: Dsar): Worker {
  const { datastore, log } = dsar.platform;
  const runner = new Worker({ name: 'dsar', log, work: () => runDueTask(dsar) });
  datastore.onChange(TASKS_PLANNED, () => runner.wake());
  return runner;
}
