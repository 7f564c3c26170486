import { type Selectable, sql } from 'kysely';
import type { RetentionAction } from '../../../personal-data/index.ts';
import type { Db, Trx } from '../../../platform/db/index.ts';
import type { RetentionRunDetailTable, RetentionRunTable } from '../tables.ts';

/** What a run does, or would do, by one policy; moments in epoch milliseconds. */
export interface PolicyOutcome {
  policyId: number;
  policyName: string;
  dataCategory: string;
  action: RetentionAction;
  dueBefore: number;
  recordsAffected: number;
  recordsHeld: number;
  error: string | null;
}

export interface Run {
  id: number;
  startedBy: string;
  asOf: number;
  startedAt: number;
  lastSeenAt: number;
  finishedAt: number | null;
  outcomes: PolicyOutcome[];
}

const toOutcome = (row: Selectable<RetentionRunDetailTable>): PolicyOutcome => ({
  policyId: row.policy_id,
  policyName: row.policy_name,
  dataCategory: row.data_category,
  action: row.action,
  dueBefore: row.due_before,
  recordsAffected: row.records_affected,
  recordsHeld: row.records_held,
  error: row.error,
});

const toRun = (
  row: Selectable<RetentionRunTable>,
  details: Selectable<RetentionRunDetailTable>[],
): Run => ({
  id: row.id,
  startedBy: row.started_by,
  asOf: row.as_of,
  startedAt: row.started_at,
  lastSeenAt: row.last_seen_at,
  finishedAt: row.finished_at,
  outcomes: details.filter(({ run_id }) => run_id === row.id).map(toOutcome),
});

/**
 * Writes down that a run begins, and by which policies.
 * @returns its id, and those of its details in the order of `outcomes`
 */
export async function insertRun(
  trx: Trx,
  { startedBy, asOf, startedAt }: Pick<Run, 'startedBy' | 'asOf' | 'startedAt'>,
  outcomes: readonly PolicyOutcome[],
): Promise<{ id: number; details: number[] }> {
  const { id } = await trx
    .insertInto('retention_runs')
    .values({
      started_by: startedBy,
      as_of: asOf,
      started_at: startedAt,
      last_seen_at: startedAt,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const details = await trx
    .insertInto('retention_run_details')
    .values(
      outcomes.map((outcome) => ({
        run_id: id,
        policy_id: outcome.policyId,
        policy_name: outcome.policyName,
        data_category: outcome.dataCategory,
        action: outcome.action,
        due_before: outcome.dueBefore,
        records_affected: outcome.recordsAffected,
        records_held: outcome.recordsHeld,
        error: outcome.error,
      })),
    )
    .returning('id')
    .execute();
  // Ids are given in the order of the rows; the order in which they come back is not promised.
  return { id, details: details.map((detail) => detail.id).sort((a, b) => a - b) };
}

/** Adds what a batch did. */
export async function addToRun(
  trx: Trx,
  run: number,
  detail: number,
  records: number,
  now: number,
): Promise<void> {
  await trx
    .updateTable('retention_run_details')
    .set({ records_affected: sql<number>`records_affected + ${records}` })
    .where('id', '=', detail)
    .execute();
  await trx
    .updateTable('retention_runs')
    .set({ last_seen_at: now })
    .where('id', '=', run)
    .execute();
}

export async function updateDetail(
  trx: Trx,
  detail: number,
  { recordsHeld, error }: Partial<Pick<PolicyOutcome, 'recordsHeld' | 'error'>>,
): Promise<void> {
  await trx
    .updateTable('retention_run_details')
    .set({
      ...(recordsHeld !== undefined && { records_held: recordsHeld }),
      ...(error !== undefined && { error }),
    })
    .where('id', '=', detail)
    .execute();
}

/** Ends a run, and says so of its policies. */
export async function finishRun(trx: Trx, id: number, asOf: number, now: number): Promise<void> {
  await trx
    .updateTable('retention_runs')
    .set({ last_seen_at: now, finished_at: now })
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('retention_policies')
    .set({ last_run_at: asOf })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('retention_run_details')
        .select('policy_id')
        .where('run_id', '=', id)
        .where('error', 'is', null),
    )
    .execute();
}

export async function findRun(db: Db, id: number): Promise<Run | undefined> {
  const row = await db
    .selectFrom('retention_runs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toRun(row, await listDetails(db, [id]));
}

/** A page of the runs, newest first, and how many there are. */
export async function listRuns(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ runs: Run[]; total: number }> {
  const { total } = await db
    .selectFrom('retention_runs')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('retention_runs')
    .selectAll()
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  const details = await listDetails(
    db,
    rows.map(({ id }) => id),
  );
  return { runs: rows.map((row) => toRun(row, details)), total: Number(total) };
}

async function listDetails(db: Db, runs: number[]) {
  if (runs.length === 0) return [];
  return db
    .selectFrom('retention_run_details')
    .selectAll()
    .where('run_id', 'in', runs)
    .orderBy('id')
    .execute();
}
