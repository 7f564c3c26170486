import type { Trx } from '../../../platform/db/index.ts';
import type { Dsar } from '../context.ts';
import type { RequestType } from '../rules.ts';
import { type Case, findCase, updateCase } from '../store.ts';
import { listSources } from './sources.ts';
import { listTasks, type NewTask, type Task, updateTask } from './store.ts';

/** The source of the task that checks a claimed visitor id. */
export const VISITOR_ID = 'visitor_id';
/** The requests that need the records of the person. */
const SEARCHED: readonly RequestType[] = ['access', 'portability', 'deletion'];

export function planVisitorCheck({ requestType, visitorClaim }: Case): NewTask[] {
  if (visitorClaim === null || !SEARCHED.includes(requestType)) return [];
  const label = 'Check that the visitor ID belongs to the requester';
  return [{ kind: 'manual', source: VISITOR_ID, label, status: 'waiting' }];
}

/** Whether a task says nothing to the requester: what an accepted visitor id finds is reported by the sources. */
export const isVisitorAccepted = ({
  kind,
  source,
  status,
}: Pick<Task, 'kind' | 'source' | 'status'>): boolean =>
  kind === 'manual' && source === VISITOR_ID && status === 'done';

/** The visitor ids by which sources find the person: a proven one, and one that was accepted besides it. */
export function listVisitorIds(
  { visitorId, visitorClaim }: Case,
  tasks: readonly Task[],
): string[] {
  const accepted = tasks.some(isVisitorAccepted) ? visitorClaim : null;
  return [visitorId, accepted].filter((id) => id !== null);
}

/**
 * Accepts the claimed visitor id once an administrator has checked it and completed the task. It is used besides one that
 * is proven. Sources that find a person by it run again; erasures in them need approval.
 */
export async function acceptVisitor(
  dsar: Dsar,
  trx: Trx,
  task: Pick<Task, 'kind' | 'source' | 'caseId'>,
  now: number,
): Promise<void> {
  if (task.kind !== 'manual' || task.source !== VISITOR_ID) return;
  const dsarCase = await findCase(trx, task.caseId);
  if (!dsarCase || dsarCase.visitorClaim === null) return;
  const { visitorId, visitorClaim } = dsarCase;
  const visitorPages = new Map(listSources(dsar).map(({ id, visitorPage }) => [id, visitorPage]));
  const tasks = (await listTasks(trx, dsarCase.id)).filter(
    ({ source, kind }) =>
      visitorPages.get(source) !== undefined && (kind === 'collect' || kind === 'erase'),
  );
  if (visitorId === null)
    await updateCase(trx, dsarCase.id, { visitorId: visitorClaim, visitorClaim: null });
  const at = visitorId === null ? 0 : 1;
  for (const { id, kind, source, status, nextPage } of tasks) {
    await updateTask(trx, id, {
      status: kind === 'erase' ? 'waiting' : 'pending',
      dueAt: now,
      attempts: 0,
      // What the email address and the proven id have found is not collected twice.
      nextPage:
        kind === 'collect' && status === 'done'
          ? (visitorPages.get(source)?.(at) ?? null)
          : nextPage,
      reason: null,
      ground: null,
      finishedAt: null,
    });
  }
}
