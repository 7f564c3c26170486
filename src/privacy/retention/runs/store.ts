import { type Insertable, type Selectable, sql } from 'kysely';
import { countRows, type Db, type Trx } from '../../../platform/db/index.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../../platform/key-case.ts';
import type { Range } from '../rules.ts';
import type { RetentionRunDetailTable, RetentionRunTable } from '../tables.ts';

/** The result of a run, or of a dry run, for one policy. */
export type PolicyOutcome = Omit<CamelCased<Selectable<RetentionRunDetailTable>>, 'id' | 'runId'>;

export type Run = CamelCased<Selectable<RetentionRunTable>> & { outcomes: PolicyOutcome[] };

/**
 * Adds a run that starts, with its policies.
 * @returns the ids of the run and of its details, in the order of `outcomes`
 */
export async function insertRun(
  trx: Trx,
  run: CamelCased<Insertable<RetentionRunTable>>,
  outcomes: readonly PolicyOutcome[],
): Promise<{ id: number; details: number[] }> {
  const { id } = await trx
    .insertInto('retention_runs')
    .values(toSnakeCase(run))
    .returning('id')
    .executeTakeFirstOrThrow();
  const details = await trx
    .insertInto('retention_run_details')
    .values(outcomes.map((outcome) => ({ run_id: id, ...toSnakeCase(outcome) })))
    .returning('id')
    .execute();
  // Ids follow the order of the rows, but the order in which they are returned is not guaranteed.
  return { id, details: details.map((detail) => detail.id).sort((a, b) => a - b) };
}

/** Adds the records of a batch. */
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
  changes: Partial<Pick<PolicyOutcome, 'recordsHeld' | 'error'>>,
): Promise<void> {
  await trx
    .updateTable('retention_run_details')
    .set(toSnakeCase(changes))
    .where('id', '=', detail)
    .execute();
}

/** Marks a run as finished, and its policies as run unless they failed. */
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

/** Removes who started the runs that began in a range of time. */
export async function anonymiseRuns(trx: Trx, { from, before }: Range): Promise<void> {
  await trx
    .updateTable('retention_runs')
    .set({ started_by: 'anonymised' })
    .where('started_at', '>=', from)
    .where('started_at', '<', before)
    .where('started_by', 'not in', ['schedule', 'anonymised'])
    .execute();
}

export async function findRun(db: Db, id: number): Promise<Run | undefined> {
  const rows = await db.selectFrom('retention_runs').selectAll().where('id', '=', id).execute();
  return (await addOutcomes(db, rows))[0];
}

/** Newest first. */
export async function listRuns(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ runs: Run[]; total: number }> {
  const query = db.selectFrom('retention_runs');
  const total = await countRows(query);
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { runs: await addOutcomes(db, rows), total };
}

const toOutcome = ({
  id: _id,
  run_id: _runId,
  ...outcome
}: Selectable<RetentionRunDetailTable>): PolicyOutcome => toCamelCase(outcome);

async function addOutcomes(db: Db, runs: readonly Selectable<RetentionRunTable>[]): Promise<Run[]> {
  if (runs.length === 0) return [];
  const ids = runs.map(({ id }) => id);
  const details = await db
    .selectFrom('retention_run_details')
    .selectAll()
    .where('run_id', 'in', ids)
    .orderBy('id')
    .execute();
  const byRun = Map.groupBy(details, ({ run_id }) => run_id);
  return runs.map((run) => ({
    ...toCamelCase(run),
    outcomes: (byRun.get(run.id) ?? []).map(toOutcome),
  }));
}
