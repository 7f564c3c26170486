import type { Selectable, Updateable } from 'kysely';
import type { Db } from '../db/index.ts';
import type { JobTable } from './tables.ts';

/** Makes a job known that is not yet. */
export async function insertJob(db: Db, name: string, nextAt: number): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ name, next_at: nextAt, leased_until: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Whether a job is due and nobody is at it: to ask costs no write, as `takeJob` does. */
export async function isJobDue(db: Db, name: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('name')
    .where('name', '=', name)
    .where('next_at', '<=', now)
    .where('leased_until', '<=', now)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes a job that is due and that nobody is at.
 * @returns whether this call did it: of several nodes at once exactly one gets true
 */
export async function leaseJob(
  db: Db,
  name: string,
  { holder, now, until }: { holder: string; now: number; until: number },
): Promise<boolean> {
  const row = await db
    .updateTable('jobs')
    .set({ holder, leased_until: until, last_started_at: now })
    .where('name', '=', name)
    .where('next_at', '<=', now)
    .where('leased_until', '<=', now)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns whether it is still this holder's */
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

/** Gives a job back; it is due again at `nextAt`. */
export async function releaseJobLease(
  db: Db,
  name: string,
  { holder, nextAt, finishedAt }: { holder: string; nextAt: number; finishedAt?: number },
): Promise<void> {
  const changes: Updateable<JobTable> = { holder: null, leased_until: 0, next_at: nextAt };
  if (finishedAt !== undefined) changes.last_finished_at = finishedAt;
  await db
    .updateTable('jobs')
    .set(changes)
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute();
}

/** All jobs, by name. */
export const listJobs = (db: Db): Promise<Selectable<JobTable>[]> =>
  db.selectFrom('jobs').selectAll().orderBy('name').execute();
