import { countRows, type Db } from '../../platform/db/index.ts';

/** Work that background workers take from the database, without the outbox. */
export async function countQueues(db: Db) {
  const tasks = db
    .selectFrom('dsar_tasks')
    .innerJoin('dsar_cases', 'dsar_cases.id', 'dsar_tasks.case_id')
    .where('dsar_cases.closed_at', 'is', null);
  return [
    {
      name: 'dsar_tasks' as const,
      waiting: await countRows(tasks.where('dsar_tasks.status', 'in', ['pending', 'running'])),
      failed: await countRows(tasks.where('dsar_tasks.status', '=', 'failed')),
    },
    {
      name: 'scans' as const,
      waiting: await countRows(db.selectFrom('scans').where('status', 'in', ['queued', 'started'])),
      failed: 0,
    },
  ];
}
