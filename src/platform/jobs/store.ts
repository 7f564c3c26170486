import type { Db, Trx } from '../db/index.ts';

/** Whether a job is to be done now; one that was never done is. */
export async function isDue(db: Db, name: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('due_at')
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined || row.due_at <= now;
}

/** Takes the turn of a job: true for one of the nodes that ask, once it is due. */
export async function takeTurn(
  trx: Trx,
  name: string,
  now: number,
  nextAt: number,
): Promise<boolean> {
  const added = await trx
    .insertInto('jobs')
    .values({ name, due_at: nextAt })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst();
  if (added) return true;
  const taken = await trx
    .updateTable('jobs')
    .set({ due_at: nextAt })
    .where('name', '=', name)
    .where('due_at', '<=', now)
    .returning('name')
    .executeTakeFirst();
  return taken !== undefined;
}
