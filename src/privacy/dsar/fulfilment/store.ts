import type { ExpressionBuilder, Insertable, Selectable, Updateable } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { type Db, lockFreeRows, lockRows, type Trx } from '../../../platform/db/index.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../../platform/key-case.ts';
import { deletePages } from './pages/store.ts';
import { LEASE_MS, RETRY_MS } from './rules.ts';
import type { TaskTable } from './tables.ts';

/** The source of tasks that an administrator does by hand. */
export const REVIEW = 'review';

/** The result of erasing in a source. */
export interface Outcome {
  erased: number;
  anonymised: number;
  kept: Kept[];
}

/** Records that were not erased. */
export interface Kept {
  count: number;
  /** For people, in English. */
  reason: string;
  /** One of `KEEPING_GROUNDS`, or the ground that an extension names. */
  ground?: string;
  /** The day on which a retention policy takes the last of them, `YYYY-MM-DD`. */
  until?: string;
}

export const NOTHING_DONE: Outcome = { erased: 0, anonymised: 0, kept: [] };

type TaskRow = CamelCased<Selectable<TaskTable>>;
export type Task = Omit<TaskRow, 'outcome'> & { outcome: Outcome };

/** Whether an administrator has to approve the erasure before it starts. */
export const awaitsApproval = ({ kind, status }: Pick<Task, 'kind' | 'status'>): boolean =>
  kind === 'erase' && status === 'waiting';

const toTask = (row: Selectable<TaskTable>): Task => ({
  ...toCamelCase(row),
  outcome: JSON.parse(row.outcome),
});

export type NewTask = Pick<Task, 'kind' | 'source' | 'label' | 'status'> & { outcome?: Outcome };

/** @returns the tasks that did not exist */
export async function insertTasks(
  trx: Trx,
  caseId: number,
  tasks: readonly NewTask[],
  now: number,
): Promise<Task[]> {
  if (tasks.length === 0) return [];
  const rows = tasks.map(
    ({ outcome = NOTHING_DONE, ...task }): Insertable<TaskTable> => ({
      ...task,
      case_id: caseId,
      due_at: now,
      outcome: JSON.stringify(outcome),
    }),
  );
  const inserted = await trx
    .insertInto('dsar_tasks')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['case_id', 'kind', 'source']).doNothing())
    .returningAll()
    .execute();
  return inserted.map(toTask);
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

/** Also tasks whose lease or next attempt is so late only because the clock was set back. */
const isDue = (now: number) => (task: ExpressionBuilder<Database, 'dsar_tasks'>) => {
  const isLate = (delay: number) => task('due_at', '>', now + delay + CLOCKS_DIFFER_MS);
  const retries = [0, ...RETRY_MS].map((delay, attempts) =>
    task.and([task('status', '=', 'pending'), task('attempts', '=', attempts), isLate(delay)]),
  );
  const isLeft = task.and([task('status', '=', 'running'), isLate(LEASE_MS)]);
  return task.or([task('due_at', '<=', now), isLeft, ...retries]);
};

const selectDue = (db: Db | Trx, now: number) =>
  db
    .selectFrom('dsar_tasks')
    .select('id')
    .where('status', 'in', ['pending', 'running'])
    .where(isDue(now))
    .where('case_id', 'in', (eb) =>
      eb.selectFrom('dsar_cases').select('id').where('status', '=', 'in_progress'),
    );

export async function hasDueTask(db: Db, now: number): Promise<boolean> {
  return (await selectDue(db, now).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Leases the task that has been due longest, of one case if one is given. The erasures of a case run in the order of
 * their ids: records that lead to a person are erased before the records by which the person is found.
 * @param ordered the sources of this database: their erasures also wait for earlier ones that are tried again later
 */
export async function leaseTask(
  trx: Trx,
  {
    now,
    leaseUntil,
    caseId,
    ordered,
  }: { now: number; leaseUntil: number; caseId?: number | undefined; ordered: readonly string[] },
): Promise<Task | undefined> {
  let query = selectDue(trx, now)
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
                    task.or([
                      isDue(now)(task),
                      task.and([
                        task('before.source', 'in', ordered),
                        task('dsar_tasks.source', 'in', ordered),
                      ]),
                    ]),
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
 * Reopens the tasks of a case, except erasures that were done: records are collected again, skipped and manual tasks
 * are decided again, and erasures that had not ended need approval again.
 */
export async function reopenTasks(trx: Trx, caseId: number, now: number): Promise<void> {
  await trx
    .updateTable('dsar_tasks')
    .set({
      status: 'waiting',
      attempts: 0,
      last_error: null,
      reason: null,
      ground: null,
      result: null,
      finished_at: null,
    })
    .where('case_id', '=', caseId)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'erase'), eb('status', '!=', 'done')]),
        eb.and([eb('kind', '=', 'manual'), eb('status', '=', 'skipped')]),
        eb('source', '=', REVIEW),
      ]),
    )
    .execute();
  await restart(trx, caseId, 'collect', now).execute();
  await restart(trx, caseId, 'package', now).execute();
  await deletePages(trx, caseId);
}

/** Collects records again for another package if there is one, since it used up what it was created from. */
export async function restartPackage(trx: Trx, caseId: number, now: number): Promise<void> {
  const restarted = await restart(trx, caseId, 'package', now)
    .where('status', 'not in', ['waiting', 'skipped'])
    .executeTakeFirst();
  if (restarted.numUpdatedRows === 0n) return;
  await restart(trx, caseId, 'collect', now).where('status', '!=', 'skipped').execute();
  await deletePages(trx, caseId);
}

const restart = (trx: Trx, caseId: number, kind: 'collect' | 'package', now: number) =>
  trx
    .updateTable('dsar_tasks')
    .set({
      status: kind === 'collect' ? 'pending' : 'waiting',
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
    .where('kind', '=', kind);

type TaskChanges = Omit<CamelCased<Updateable<TaskTable>>, 'outcome'> & { outcome?: Outcome };

export async function updateTask(
  trx: Trx,
  id: number,
  { outcome, ...changes }: TaskChanges,
): Promise<Task> {
  const row = await trx
    .updateTable('dsar_tasks')
    .set({ ...toSnakeCase(changes), ...(outcome && { outcome: JSON.stringify(outcome) }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toTask(row);
}
