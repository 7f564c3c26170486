import type { Trx } from '../../../platform/db/index.ts';
import type { Dsar } from '../context.ts';
import type { RequestType } from '../rules.ts';
import { type Case, findCase, updateCase } from '../store.ts';
import { listSources } from './sources.ts';
import { listTasks, type NewTask, type Task, updateTask } from './store.ts';

const SOURCE = 'visitor_id';
/** The requests for which records are looked for. */
const SEARCHED: readonly RequestType[] = ['access', 'portability', 'deletion'];

const isVisitorCheck = ({ kind, source }: Pick<Task, 'kind' | 'source'>): boolean =>
  kind === 'manual' && source === SOURCE;

/** The task for a person where a visitor id was only stated. */
export const visitorCheck = ({
  requestType,
  visitorClaim,
}: Pick<Case, 'requestType' | 'visitorClaim'>): NewTask[] =>
  visitorClaim !== null && SEARCHED.includes(requestType)
    ? [
        {
          kind: 'manual',
          source: SOURCE,
          label: 'Check that the visitor ID belongs to the requestor',
          status: 'waiting',
        },
      ]
    : [];

/**
 * Once an administrator has done the check, the id counts: the sources in which a person is found by it are asked
 * again, and an erasure in them waits for approval.
 */
export async function acceptVisitor(
  dsar: Dsar,
  trx: Trx,
  task: Pick<Task, 'kind' | 'source' | 'caseId'>,
  now: number,
): Promise<void> {
  if (!isVisitorCheck(task)) return;
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
