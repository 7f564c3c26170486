import type { Insertable, Selectable } from 'kysely';
import { type Db, lockFreeRows, lockRows, type Trx } from '../../../platform/db/index.ts';
import type { Ground } from '../rules.ts';
import { deletePages } from './pages/store.ts';
import type { TaskKind, TaskStatus, TaskTable } from './tables.ts';

/** The source of the task in which a person decides about a rectification or an objection. */
export const REVIEW = 'review';

/** What became of the records of a source. */
export interface Outcome {
  erased: number;
  anonymised: number;
  kept: Kept[];
}

/** Records that stay. */
export interface Kept {
  count: number;
  /** For people, in English. */
  reason: string;
  /** Why the law allows it: one of ours (`KEPT_GROUNDS`), or what the source calls it. */
  ground?: string;
  /** The day on which the last of them is due by a retention policy, `YYYY-MM-DD`. */
  until?: string;
}

export const NOTHING_DONE: Outcome = { erased: 0, anonymised: 0, kept: [] };

/** What is to be done for a case in one source; moments in epoch milliseconds. */
export interface Task {
  id: number;
  caseId: number;
  kind: TaskKind;
  source: string;
  label: string;
  status: TaskStatus;
  attempts: number;
  dueAt: number;
  nextPage: string | null;
  records: number;
  outcome: Outcome;
  lastError: string | null;
  reason: string | null;
  ground: Ground | null;
  result: string | null;
  finishedAt: number | null;
}

/** Whether a person has to approve it before it begins. */
export const awaitsApproval = ({ kind, status }: Pick<Task, 'kind' | 'status'>): boolean =>
  kind === 'erase' && status === 'waiting';

const toTask = (row: Selectable<TaskTable>): Task => ({
  id: row.id,
  caseId: row.case_id,
  kind: row.kind,
  source: row.source,
  label: row.label,
  status: row.status,
  attempts: row.attempts,
  dueAt: row.due_at,
  nextPage: row.next_page,
  records: row.records,
  outcome: JSON.parse(row.outcome),
  lastError: row.last_error,
  reason: row.reason,
  ground: row.ground as Ground | null,
  result: row.result,
  finishedAt: row.finished_at,
});

export type NewTask = Pick<Task, 'kind' | 'source' | 'label' | 'status'> & { outcome?: Outcome };

/** Adds the tasks that a case does not have yet. */
export async function insertTasks(
  trx: Trx,
  caseId: number,
  tasks: readonly NewTask[],
  now: number,
): Promise<void> {
  if (tasks.length === 0) return;
  const rows: Insertable<TaskTable>[] = tasks.map(({ outcome = NOTHING_DONE, ...task }) => ({
    ...task,
    case_id: caseId,
    due_at: now,
    next_page: null,
    outcome: JSON.stringify(outcome),
    last_error: null,
    reason: null,
    finished_at: null,
  }));
  await trx
    .insertInto('dsar_tasks')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['case_id', 'kind', 'source']).doNothing())
    .execute();
}

export async function listTasks(db: Db | Trx, caseId: number): Promise<Task[]> {
  const rows = await db
    .selectFrom('dsar_tasks')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('id')
    .execute();
  return rows.map(toTask);
}

/** The case that a task belongs to. */
export async function findCaseId(trx: Trx, taskId: number): Promise<number | undefined> {
  const row = await trx
    .selectFrom('dsar_tasks')
    .select('case_id')
    .where('id', '=', taskId)
    .executeTakeFirst();
  return row?.case_id;
}

export async function lockTask(trx: Trx, id: number): Promise<Task | undefined> {
  const query = trx.selectFrom('dsar_tasks').selectAll().where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toTask(row);
}

const due = (db: Db | Trx, now: number) =>
  db
    .selectFrom('dsar_tasks')
    .innerJoin('dsar_cases', 'dsar_cases.id', 'dsar_tasks.case_id')
    .where('dsar_cases.status', '=', 'in_progress')
    .where('dsar_tasks.status', 'in', ['pending', 'running'])
    .where('dsar_tasks.due_at', '<=', now);

export async function hasDueTask(db: Db, now: number): Promise<boolean> {
  return (await due(db, now).select('dsar_tasks.id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Takes the task that has waited longest, for nobody else until the lease ends; of one case if one is
 * named. An erasure waits while another of its case that comes before it is due or running: what leads
 * to a person goes before what it is found by.
 */
export async function leaseTask(
  trx: Trx,
  { now, leaseUntil, caseId }: { now: number; leaseUntil: number; caseId?: number | undefined },
): Promise<Task | undefined> {
  let query = trx
    .selectFrom('dsar_tasks')
    .select('id')
    .where('status', 'in', ['pending', 'running'])
    .where('due_at', '<=', now)
    .where('case_id', 'in', (eb) =>
      eb.selectFrom('dsar_cases').select('id').where('status', '=', 'in_progress'),
    )
    .where((eb) =>
      eb.or([
        eb('kind', '!=', 'erase'),
        eb.not(
          eb.exists(
            eb
              .selectFrom('dsar_tasks as before')
              .select('before.id')
              .whereRef('before.case_id', '=', 'dsar_tasks.case_id')
              .whereRef('before.id', '<', 'dsar_tasks.id')
              .where('before.kind', '=', 'erase')
              .where((task) =>
                task.or([
                  task('before.status', '=', 'running'),
                  task.and([
                    task('before.status', '=', 'pending'),
                    task('before.due_at', '<=', now),
                  ]),
                ]),
              ),
          ),
        ),
      ]),
    )
    .orderBy('due_at')
    .orderBy('id')
    .limit(1);
  if (caseId !== undefined) query = query.where('case_id', '=', caseId);
  const found = await lockFreeRows(trx, query).executeTakeFirst();
  if (!found) return undefined;
  const row = await trx
    .updateTable('dsar_tasks')
    .set((eb) => ({ status: 'running', due_at: leaseUntil, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', found.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toTask(row);
}

/**
 * Opens the tasks of a case again: what was collected, and its package, is made anew, and what was
 * left out or decided by a person is decided again. What was erased stays so.
 */
export async function reopenTasks(trx: Trx, caseId: number, now: number): Promise<void> {
  await trx
    .updateTable('dsar_tasks')
    .set({ status: 'waiting', reason: null, ground: null, result: null, finished_at: null })
    .where('case_id', '=', caseId)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', 'in', ['erase', 'manual']), eb('status', '=', 'skipped')]),
        eb('source', '=', REVIEW),
      ]),
    )
    .execute();

  for (const [kind, status] of [
    ['collect', 'pending'],
    ['package', 'waiting'],
  ] as const) {
    await trx
      .updateTable('dsar_tasks')
      .set({
        status,
        due_at: now,
        attempts: 0,
        next_page: null,
        records: 0,
        last_error: null,
        reason: null,
        ground: null,
        finished_at: null,
      })
      .where('case_id', '=', caseId)
      .where('kind', '=', kind)
      .execute();
  }
  await deletePages(trx, caseId);
}

type TaskChanges = Partial<
  Pick<
    Task,
    | 'status'
    | 'dueAt'
    | 'attempts'
    | 'nextPage'
    | 'records'
    | 'outcome'
    | 'lastError'
    | 'reason'
    | 'ground'
    | 'result'
    | 'finishedAt'
  >
>;

export async function updateTask(trx: Trx, id: number, changes: TaskChanges): Promise<Task> {
  const row = await trx
    .updateTable('dsar_tasks')
    .set({
      ...(changes.status !== undefined && { status: changes.status }),
      ...(changes.dueAt !== undefined && { due_at: changes.dueAt }),
      ...(changes.attempts !== undefined && { attempts: changes.attempts }),
      ...(changes.nextPage !== undefined && { next_page: changes.nextPage }),
      ...(changes.records !== undefined && { records: changes.records }),
      ...(changes.outcome !== undefined && { outcome: JSON.stringify(changes.outcome) }),
      ...(changes.lastError !== undefined && { last_error: changes.lastError }),
      ...(changes.reason !== undefined && { reason: changes.reason }),
      ...(changes.ground !== undefined && { ground: changes.ground }),
      ...(changes.result !== undefined && { result: changes.result }),
      ...(changes.finishedAt !== undefined && { finished_at: changes.finishedAt }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toTask(row);
}
