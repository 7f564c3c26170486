import type { Announce, Trx } from '../../../platform/db/index.ts';
import { invalidParam, notFound, RestError } from '../../../platform/rest/errors.ts';
import { readText } from '../cases/change.ts';
import { insertEvent } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import type { Ground, RequestType } from '../rules.ts';
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
  type Task,
  updateTask,
} from './store.ts';
import { acceptVisitor, visitorCheck } from './visitor-check.ts';

/** The topic on which new work is announced. */
export const TASKS_PLANNED = 'dsar_tasks';
const MANUAL: Partial<Record<RequestType, string>> = {
  rectification: 'Correct the data, and tell those who were given them',
  objection: 'Stop the processing, or say on which compelling grounds it goes on',
};

/**
 * Plans what a case needs, once: what is planned already stays as it is.
 * @param autoErase whether erasures begin without the approval of an administrator
 */
export async function planTasks(
  dsar: Dsar,
  trx: Trx,
  announce: Announce,
  dsarCase: Case,
  autoErase: boolean,
): Promise<void> {
  const { id, requestType, email } = dsarCase;
  // Sources find a person by their address only.
  const tasks =
    email === null
      ? toManualTasks(requestType)
      : toTasks(requestType, listSources(dsar), autoErase);
  const all = [...tasks, ...visitorCheck(dsarCase)];
  await insertTasks(trx, id, all, dsar.platform.clock.now());
  announce(TASKS_PLANNED, String(id));
}

/** What a person does for a request without an email address. */
function toManualTasks(requestType: RequestType): NewTask[] {
  const label =
    MANUAL[requestType] ??
    (requestType === 'deletion'
      ? 'Find the records of the person by name and contact details, and erase them'
      : 'Find the records of the person by name and contact details, and send them with the answer');
  const byHand: NewTask = { kind: 'manual', source: REVIEW, label, status: 'waiting' };
  const hasPackage = requestType === 'access' || requestType === 'portability';
  return [
    byHand,
    ...(hasPackage
      ? [{ kind: 'package', source: 'package', label: 'Package', status: 'waiting' } as const]
      : []),
  ];
}

function toTasks(
  requestType: RequestType,
  sources: readonly Source[],
  autoErase: boolean,
): NewTask[] {
  const manual = MANUAL[requestType];
  if (manual) return [{ kind: 'manual', source: REVIEW, label: manual, status: 'waiting' }];
  const task = (
    { id: source, label }: Source,
    kind: 'collect' | 'erase',
    isPossible: boolean,
  ): NewTask =>
    isPossible
      ? { kind, source, label, status: kind === 'erase' && !autoErase ? 'waiting' : 'pending' }
      : { kind: 'manual', source, label, status: 'waiting' };
  if (requestType === 'deletion') {
    return sources.map((source) =>
      task(source, 'erase', Boolean(source.eraseWithin ?? source.erase)),
    );
  }
  const wanted = sources.filter(({ portable }) => portable || requestType === 'access');
  return [
    ...wanted.map((source) => task(source, 'collect', Boolean(source.collect))),
    { kind: 'package', source: 'package', label: 'Package', status: 'waiting' },
  ];
}

/** Gives a person the decision on what an erasure has left of a source. */
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
    label: `${label}: decide on what was kept`,
    status: 'waiting',
    outcome: { ...NOTHING_DONE, kept },
  };
  await insertTasks(trx, caseId, [task], platform.clock.now());
}

/** Lets the package begin once every source has answered or was left out. */
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

/** Those that stand in the way of completion. */
export const openTasks = (tasks: readonly Task[]): Task[] =>
  tasks.filter(({ status }) => status !== 'done' && status !== 'skipped');

/** Leaves open what is open, for a reason. */
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
  /** Why a source is left out. */
  reason?: string | undefined;
  /** The ground on which a source is skipped. */
  ground?: Ground | undefined;
  /** What was done by hand. */
  result?: string | undefined;
}

/**
 * What an administrator makes of a task: try it again, say that it is done, or leave it undone.
 * The requester is told reason, ground and result.
 * @throws RestError 404; 400 `rest_invalid_param` without the reason or result that it takes; 409 `invalid_transition`
 */
export async function changeTask(
  dsar: Dsar,
  id: number,
  { status, ground, ...given }: TaskUpdate,
  actor: string,
): Promise<Task> {
  const { datastore, clock } = dsar.platform;
  return datastore.transaction(async (trx, announce) => {
    // The case before its task, as everywhere: the other way round two changes could block each other.
    const dsarCase = await lockCaseOfTask(trx, id);
    const task = dsarCase && (await lockTask(trx, id));
    if (!task) throw notFound('The task');
    const isOpen = openTasks([task]).length > 0;
    const isAllowed = status === 'done' ? task.kind === 'manual' && isOpen : isOpen;
    if (status === 'pending' && awaitsApproval(task)) {
      const message = `The erasure waits for approval: POST /dsar/cases/${task.caseId}/approve.`;
      throw new RestError(409, 'invalid_transition', message);
    }
    if (!isAllowed || task.status === 'running') {
      const message = `A ${task.kind} task that is ${task.status} cannot be made ${status}.`;
      throw new RestError(409, 'invalid_transition', message);
    }
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

async function lockCaseOfTask(trx: Trx, taskId: number): Promise<Case | undefined> {
  const caseId = await findCaseId(trx, taskId);
  return caseId === undefined ? undefined : lockCase(trx, caseId);
}

/** @throws RestError 400 `rest_invalid_param` for what is missing or only blanks */
function readTexts(
  { requestType }: Case,
  status: TaskUpdate['status'],
  given: { reason?: string | undefined; result?: string | undefined },
): { reason: string | null; result: string | null } {
  const reason = readText('reason', given.reason) ?? null;
  const result = readText('result', given.result) ?? null;
  if (status === 'skipped' && reason === null) {
    throw invalidParam('reason', 'Say why the source is left out: the requester is told.');
  }
  if (status === 'done' && requestType in MANUAL && result === null) {
    throw invalidParam('result', 'Say what was changed or decided: the requester is told.');
  }
  return { reason, result };
}
