import type { Announce, Trx } from '../../../platform/db/index.ts';
import { invalidParam, notFound, RestError } from '../../../platform/rest/errors.ts';
import { insertEvent } from '../history/store.ts';
import type { RequestType } from '../rules.ts';
import type { Dsar } from '../site.ts';
import type { Case } from '../store.ts';
import { type Source, sourcesOf } from './sources.ts';
import { insertTasks, listTasks, lockTask, type NewTask, type Task, updateTask } from './store.ts';

/** The topic on which new work is announced. */
export const TASKS_PLANNED = 'dsar_tasks';
const MANUAL: Partial<Record<RequestType, string>> = {
  rectification: 'Correct the data, and tell those who were given them',
  objection: 'Stop the processing, or say on which compelling grounds it goes on',
};

/** Plans what a case needs, once: what is planned already stays as it is. */
export async function planTasks(
  dsar: Dsar,
  trx: Trx,
  announce: Announce,
  { id, requestType, email }: Case,
): Promise<void> {
  // Sources find a person by their address only.
  const tasks = email === null ? tasksByHand(requestType) : tasksFor(requestType, sourcesOf(dsar));
  await insertTasks(trx, id, tasks, dsar.platform.clock.now());
  announce(TASKS_PLANNED, String(id));
}

/** What a person does for a request without an email address. */
function tasksByHand(requestType: RequestType): NewTask[] {
  const label =
    MANUAL[requestType] ??
    (requestType === 'deletion'
      ? 'Find the records of the person by name and contact details, and erase them'
      : 'Find the records of the person by name and contact details, and send them with the answer');
  const byHand: NewTask = { kind: 'manual', source: 'review', label, status: 'waiting' };
  const hasPackage = requestType === 'access' || requestType === 'portability';
  return [
    byHand,
    ...(hasPackage
      ? [{ kind: 'package', source: 'package', label: 'Package', status: 'waiting' } as const]
      : []),
  ];
}

function tasksFor(requestType: RequestType, sources: readonly Source[]): NewTask[] {
  const manual = MANUAL[requestType];
  if (manual) return [{ kind: 'manual', source: 'review', label: manual, status: 'waiting' }];
  const task = (
    { id: source, label }: Source,
    kind: 'collect' | 'erase',
    isPossible: boolean,
  ): NewTask =>
    isPossible
      ? { kind, source, label, status: 'pending' }
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
  reason?: string | undefined;
}

/**
 * What an administrator makes of a task: try it again, say that it is done, or leave it undone.
 * @throws RestError 404; 400 `rest_invalid_param` without the reason that it takes; 409 `invalid_transition`
 */
export async function changeTask(
  dsar: Dsar,
  id: number,
  { status, reason }: TaskUpdate,
  actor: string,
): Promise<Task> {
  const { datastore, clock } = dsar.platform;
  return datastore.transaction(async (trx, announce) => {
    const task = await lockTask(trx, id);
    if (!task) throw notFound('The task');
    const isOpen = openTasks([task]).length > 0;
    const isAllowed = status === 'done' ? task.kind === 'manual' && isOpen : isOpen;
    if (!isAllowed || task.status === 'running') {
      const message = `A ${task.kind} task that is ${task.status} cannot be made ${status}.`;
      throw new RestError(409, 'invalid_transition', message);
    }
    if (status === 'skipped' && !reason)
      throw invalidParam('reason', 'Say why the source is left out.');
    const at = clock.now();
    const changed = await updateTask(trx, id, {
      ...(status === 'pending'
        ? { status: task.kind === 'manual' ? 'waiting' : 'pending', dueAt: at, attempts: 0 }
        : { status, finishedAt: at }),
      ...(reason !== undefined && { reason }),
    });
    const details = { source: task.source, kind: task.kind, ...(reason && { reason }) };
    await insertEvent(trx, task.caseId, { at, actor, action: `task_${status}`, details });
    await startPackage(trx, announce, task.caseId, at);
    announce(TASKS_PLANNED, String(task.caseId));
    return changed;
  });
}
