import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Db } from '../db/index.ts';
import type { JobTable } from './tables.ts';

export async function insertJob(db: Db, name: string, nextAt: number): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ name, next_at: nextAt, leased_until: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Makes a job due at a moment, unless it is due before. */
export async function makeJobDue(db: Db, name: string, at: number): Promise<void> {
  await insertJob(db, name, at);
  await db
    .updateTable('jobs')
    .set({ next_at: at })
    .where('name', '=', name)
    .where('next_at', '>', at)
    .execute();
}

/**
 * Makes a running job due again after its start, which `releaseJobLease` keeps.
 * @param latest one that started later did so before the clock was set back
 * @returns whether it is running
 */
export async function repeatRunningJob(db: Db, name: string, latest: number): Promise<boolean> {
  const row = await db
    .updateTable('jobs')
    .set({ next_at: sql<number>`last_started_at + 1` })
    .where('name', '=', name)
    .where('holder', 'is not', null)
    .where('last_started_at', '<=', latest)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether a job waits too long because the clock was set back.
 * @param latest one that started later did so before that
 * @param nextAt one that never ran and is due later was inserted before that
 */
export async function isJobFromFuture(
  db: Db,
  name: string,
  { latest, nextAt }: { latest: number; nextAt: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('name')
    .where('name', '=', name)
    .where((job) =>
      job.or([
        job('last_started_at', '>', latest),
        job.and([job('last_started_at', 'is', null), job('next_at', '>', nextAt)]),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

interface Moments {
  now: number;
  /** A lease that ends later was made before the clock was set back. */
  latest: number;
}

const isFree =
  ({ now, latest }: Moments) =>
  (job: ExpressionBuilder<Database, 'jobs'>) =>
    job.or([job('leased_until', '<=', now), job('leased_until', '>', latest)]);

/** Whether a job is due and not leased, without the write of `leaseJob`. */
export async function isJobDue(db: Db, name: string, moments: Moments): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('name')
    .where('name', '=', name)
    .where('next_at', '<=', moments.now)
    .where(isFree(moments))
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns whether this call leased it: exactly one of concurrent calls gets true */
export async function leaseJob(
  db: Db,
  name: string,
  { holder, until, ...moments }: Moments & { holder: string; until: number },
): Promise<boolean> {
  const row = await db
    .updateTable('jobs')
    .set({ holder, leased_until: until, last_started_at: moments.now })
    .where('name', '=', name)
    .where('next_at', '<=', moments.now)
    .where(isFree(moments))
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns whether this holder still has the lease */
export async function renewJobLease(
  db: Db,
  name: string,
  { holder, until }: { holder: string; until: number },
): Promise<boolean> {
  const row = await db
    .updateTable('jobs')
    .set({ leased_until: until })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Releases a job. One that was made due since its start stays due. */
export async function releaseJobLease(
  db: Db,
  name: string,
  { holder, nextAt, finishedAt }: { holder: string; nextAt: number; finishedAt?: number },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set((job) => ({
      holder: null,
      leased_until: 0,
      next_at: job
        .case()
        .when('next_at', '>', job.ref('last_started_at'))
        .then(job.ref('next_at'))
        .else(nextAt)
        .end(),
      ...(finishedAt !== undefined && { last_finished_at: finishedAt }),
    }))
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute();
}

export const listJobs = (db: Db): Promise<Selectable<JobTable>[]> =>
  db.selectFrom('jobs').selectAll().orderBy('name').execute();
