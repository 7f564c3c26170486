import type { Db, Trx } from '../../../../platform/db/index.ts';

/** Stores a page of collected records, and the cursor of the next page. */
export async function insertPage(
  trx: Trx,
  { id, caseId }: { id: number; caseId: number },
  page: { records: readonly object[]; next: string | null; leaseUntil: number },
): Promise<void> {
  if (page.records.length > 0) {
    const records = JSON.stringify(page.records);
    await trx.insertInto('dsar_pages').values({ case_id: caseId, task_id: id, records }).execute();
  }
  await trx
    .updateTable('dsar_tasks')
    .set((eb) => ({
      next_page: page.next,
      records: eb('records', '+', page.records.length),
      due_at: page.leaseUntil,
    }))
    .where('id', '=', id)
    .execute();
}

export async function listPages(
  db: Db,
  taskId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; records: Record<string, unknown>[] }[]> {
  const rows = await db
    .selectFrom('dsar_pages')
    .select(['id', 'records'])
    .where('task_id', '=', taskId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, records }) => ({ id, records: JSON.parse(records) }));
}

/** Deletes the collected records of a case. */
export async function deletePages(trx: Trx, caseId: number): Promise<void> {
  await trx.deleteFrom('dsar_pages').where('case_id', '=', caseId).execute();
}
