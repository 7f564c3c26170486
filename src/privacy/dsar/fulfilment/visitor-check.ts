import type { Trx } from '../../../platform/db/index.ts';
import type { Dsar } from '../context.ts';
import type { RequestType } from '../rules.ts';
import { type Case, findCase, updateCase } from '../store.ts';
import { listSources } from './sources.ts';
import { listTasks, type NewTask, type Task, updateTask } from './store.ts';

const SOURCE = 'visitor_id';
/** The requests that need the records of the person. */
const SEARCHED: readonly RequestType[] = ['access', 'portability', 'deletion'];

export function planVisitorCheck({ requestType, visitorClaim }: Case): NewTask[] {
  if (visitorClaim === null || !SEARCHED.includes(requestType)) return [];
  const label = 'Check that the visitor ID belongs to the requester';
  return [{ kind: 'manual', source: SOURCE, label, status: 'waiting' }];
}

/**
 * Accepts the claimed visitor id once an administrator has checked it. Sources that find a person by it run again;
 * erasures in them need approval.
 */
export async function acceptVisitor(
  dsar: Dsar,
  trx: Trx,
  task: Pick<Task, 'kind' | 'source' | 'caseId'>,
  now: number,
): Promise<void> {
  if (task.kind !== 'manual' || task.source !== SOURCE) return;
  const dsarCase = await findCase(trx, task.caseId);
  if (!dsarCase || dsarCase.visitorClaim === null) return;
  await updateCase(trx, dsarCase.id, { visitorId: dsarCase.visitorClaim, visitorClaim: null });
  const sources = new Set(
    listSources(dsar)
      .filter(({ byVisitor }) => byVisitor)
      .map(({ id }) => id),
  );
  for (const { id, kind, source } of await listTasks(trx, dsarCase.id)) {
    if (!sources.has(source) || (kind !== 'collect' && kind !== 'erase')) continue;
    await updateTask(trx, id, {
      status: kind === 'erase' ? 'waiting' : 'pending',
      dueAt: now,
      attempts: 0,
      nextPage: null,
      finishedAt: null,
    });
  }
}
