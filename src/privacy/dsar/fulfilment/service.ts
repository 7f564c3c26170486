import type { Announce, Trx } from '../../../platform/db/index.ts';
import { DomainError, InvalidFieldError, NotFoundError } from '../../../platform/errors.ts';
import { assertNotAnonymised, readText } from '../cases/change.ts';
import { insertEvent } from '../cases/history/store.ts';
import type { CaseChange, Dsar } from '../context.ts';
import { REQUEST } from '../erasures/erasure-list.ts';
import { type Ground, hasPackage, isOptOut, type RequestType } from '../rules.ts';
import { type Case, lockCase } from '../store.ts';
import { listSources, type Source } from './sources.ts';
import {
  awaitsApproval,
  findCaseId,
  insertTasks,
  listTasks,
  lockTask,
  type NewTask,
  NOTHING_DONE,
  type Outcome,
  REVIEW,
  restartPackage,
  type Task,
  updateTask,
} from './store.ts';
import { acceptVisitor, planVisitorCheck, VISITOR_ID } from './visitor-check.ts';

/** The topic on which new tasks are published to other nodes. */
export const TASKS_PLANNED = 'dsar_tasks';
const MANUAL: Partial<Record<RequestType, string>> = {
  rectification: 'Correct the data, and inform its recipients',
  objection: 'Stop the processing, or state compelling grounds to continue',
};
const OPT_OUT = 'Stop the sale and sharing';
const PACKAGE: NewTask = {
  kind: 'package',
  source: 'package',
  label: 'Package',
  status: 'waiting',
};

/** Ids of sources that tasks and erasures have besides the categories of personal data. */
export const RESERVED_SOURCES: readonly string[] = [REVIEW, PACKAGE.source, VISITOR_ID, REQUEST];

/** Plans the tasks of a case. Tasks that exist are not changed, unless a package lacks sources that are new. */
export async function planTasks(
  { dsar, trx, announce, rules, at }: CaseChange,
  dsarCase: Case,
): Promise<void> {
  const { id, email } = dsarCase;
  // Sources find a person by the email address only.
  const tasks =
    email === null
      ? toManualTasks(dsarCase)
      : toTasks(dsarCase, listSources(dsar), rules.auto_erase);
  const added = await insertTasks(trx, id, [...tasks, ...planVisitorCheck(dsarCase)], at);
  if (added.some(({ kind }) => kind !== 'package')) await restartPackage(trx, id, at);
  announce(TASKS_PLANNED, String(id));
}

const getManual = ({ requestType, regime }: Case): string | undefined =>
  isOptOut(requestType, regime) ? OPT_OUT : MANUAL[requestType];

function toManualTasks(dsarCase: Case): NewTask[] {
  const { requestType } = dsarCase;
  const label =
    getManual(dsarCase) ??
    (requestType === 'deletion'
      ? 'Find the records of the person by name and contact details, and erase them'
      : 'Find the records of the person by name and contact details, and send them with the answer');
  const review: NewTask = { kind: 'manual', source: REVIEW, label, status: 'waiting' };
  return hasPackage(requestType) ? [review, PACKAGE] : [review];
}

function toTasks(dsarCase: Case, sources: readonly Source[], autoErase: boolean): NewTask[] {
  const { requestType } = dsarCase;
  const manual = getManual(dsarCase);
  if (manual) return [{ kind: 'manual', source: REVIEW, label: manual, status: 'waiting' }];
  if (requestType === 'deletion') {
    return sources.map(({ id: source, label, eraseWithin, erase }) =>
      (eraseWithin ?? erase)
        ? { kind: 'erase', source, label, status: autoErase ? 'pending' : 'waiting' }
        : { kind: 'manual', source, label, status: 'waiting' },
    );
  }
  const collected = sources
    .filter(({ portable }) => portable || requestType === 'access')
    .map(
      ({ id: source, label, collect }): NewTask =>
        collect
          ? { kind: 'collect', source, label, status: 'pending' }
          : { kind: 'manual', source, label, status: 'waiting' },
    );
  return [...collected, PACKAGE];
}

/** Asks an administrator to decide on the records that an erasure kept. */
export async function planDecision(
  { platform }: Dsar,
  trx: Trx,
  { caseId, source, label }: Task,
  { kept }: Outcome,
): Promise<void> {
  if (kept.length === 0) return;
  const task: NewTask = {
    kind: 'manual',
    source,
    label: `${label}: decide on the records that were kept`,
    status: 'waiting',
    outcome: { ...NOTHING_DONE, kept },
  };
  await insertTasks(trx, caseId, [task], platform.clock.now());
}

/** Starts the package once every other task is done or skipped. */
export async function startPackage(
  trx: Trx,
  announce: Announce,
  caseId: number,
  now: number,
): Promise<void> {
  const tasks = await listTasks(trx, caseId);
  const waiting = tasks.find(({ kind, status }) => kind === 'package' && status === 'waiting');
  if (!waiting || openTasks(tasks).length > 1) return;
  await updateTask(trx, waiting.id, { status: 'pending', dueAt: now });
  announce(TASKS_PLANNED, String(caseId));
}

/** The tasks that prevent completion. */
export const openTasks = (tasks: readonly Task[]): Task[] =>
  tasks.filter(({ status }) => status !== 'done' && status !== 'skipped');

export async function skipOpenTasks(
  trx: Trx,
  caseId: number,
  { reason, actor, at }: { reason: string; actor: string; at: number },
): Promise<void> {
  for (const { id, source, kind } of openTasks(await listTasks(trx, caseId))) {
    await updateTask(trx, id, { status: 'skipped', reason, finishedAt: at });
    const details = { source, kind, reason };
    await insertEvent(trx, caseId, { at, actor, action: 'task_skipped', details });
  }
}

export interface TaskUpdate {
  status: 'pending' | 'done' | 'skipped';
  /** Why a source is skipped. Reason, ground and result are included in the email to the requester. */
  reason?: string | undefined;
  ground?: Ground | undefined;
  result?: string | undefined;
}

/**
 * Retries, completes or skips a task.
 * @throws NotFoundError; InvalidFieldError for a missing reason or result; DomainError 409 `invalid_transition`
 */
export async function changeTask(
  dsar: Dsar,
  id: number,
  { status, ground, ...given }: TaskUpdate,
  actor: string,
): Promise<Task> {
  const { datastore, clock } = dsar.platform;
  return datastore.transaction(async (trx, announce) => {
    // The case is locked before its task everywhere, to avoid deadlocks.
    const caseId = await findCaseId(trx, id);
    const dsarCase = caseId === undefined ? undefined : await lockCase(trx, caseId);
    const task = dsarCase && (await lockTask(trx, id));
    if (!task) throw new NotFoundError('The task');
    assertNotAnonymised(dsarCase);
    assertChangeable(task, status);
    const { reason, result } = readTexts(dsarCase, status, given);
    const at = clock.now();
    const changed = await updateTask(trx, id, {
      ...(status === 'pending'
        ? { status: task.kind === 'manual' ? 'waiting' : 'pending', dueAt: at, attempts: 0 }
        : { status, finishedAt: at }),
      ...(status === 'skipped' && { reason, ground: ground ?? null }),
      ...(status === 'done' && { result }),
    });
    const details = {
      ...{ source: task.source, kind: task.kind },
      ...(status === 'skipped' && { reason, ...(ground && { ground }) }),
      ...(status === 'done' && result && { result }),
    };
    await insertEvent(trx, task.caseId, { at, actor, action: `task_${status}`, details });
    if (status === 'done') await acceptVisitor(dsar, trx, task, at);
    await startPackage(trx, announce, task.caseId, at);
    announce(TASKS_PLANNED, String(task.caseId));
    return changed;
  });
}

function assertChangeable(task: Task, to: TaskUpdate['status']): void {
  const { kind, status, caseId } = task;
  const conflict = (message: string) => new DomainError('conflict', 'invalid_transition', message);
  if (to === 'pending' && awaitsApproval(task)) {
    throw conflict(`The erasure needs approval: POST /dsar/cases/${caseId}/approve.`);
  }
  if (to === 'pending' && kind === 'package' && status === 'waiting') {
    throw conflict('The package is created once every other task is done or skipped.');
  }
  const isOpen = openTasks([task]).length > 0 && status !== 'running';
  if (!isOpen || (to === 'done' && kind !== 'manual')) {
    throw conflict(`This ${kind} task is ${status} and cannot be made ${to}.`);
  }
}

function readTexts(
  { requestType }: Case,
  status: TaskUpdate['status'],
  given: Pick<TaskUpdate, 'reason' | 'result'>,
): { reason: string | null; result: string | null } {
  const reason = readText('reason', given.reason) ?? null;
  const result = readText('result', given.result) ?? null;
  if (status === 'skipped' && reason === null) {
    throw new InvalidFieldError('reason', 'A reason is required, for the email to the requester.');
  }
  if (status === 'done' && requestType in MANUAL && result === null) {
    throw new InvalidFieldError('result', 'A result is required, for the email to the requester.');
  }
  return { reason, result };
}
