import { type Insertable, type Selectable, sql } from 'kysely';
import type { PreparedRemoval, RecordRemoval } from '../../../personal-data/index.ts';
import { countRows, type Db, lockedRows, type Trx } from '../../../platform/db/index.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../../platform/key-case.ts';
import type { CaseDeletionTable } from './tables.ts';

export type CaseDeletion = CamelCased<Selectable<CaseDeletionTable>>;

/** Adds a deletion to the log, in the transaction that deletes the request. */
export async function insertDeletion(
  trx: Trx,
  deletion: CamelCased<Insertable<CaseDeletionTable>>,
): Promise<void> {
  await trx.insertInto('dsar_deletions').values(toSnakeCase(deletion)).execute();
}

/** Adds the requests that a retention policy is about to delete, with the user who started the run. */
export async function insertDeletionsByRetention(
  trx: Trx,
  { action, cause, at, where }: RecordRemoval,
): Promise<PreparedRemoval> {
  if (action === 'delete' && cause.cause === 'retention') {
    const { policy, run } = cause;
    // So that no request is reopened, and thereby kept, after it was added.
    await sql`select id from dsar_cases where ${where} ${lockedRows(trx)}`.execute(trx);
    await sql`
      insert into dsar_deletions (reference, request_type, status, received_at, received_on, closed_at,
        deleted_at, actor, reason)
      select reference, request_type, status, received_at, received_on, closed_at,
        ${at}, (select started_by from retention_runs where id = ${run}),
        ${`Retention policy ${policy}, run ${run}`}
      from dsar_cases where ${where}`.execute(trx);
  }
  return { where };
}

/** Newest first. */
export async function listDeletions(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ deletions: CaseDeletion[]; total: number }> {
  const query = db.selectFrom('dsar_deletions');
  const total = await countRows(query);
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { deletions: rows.map(toCamelCase), total };
}

/** The deleted requests that were received in a period, both days inclusive. */
export async function listDeletedWithin(
  db: Db,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<CaseDeletion[]> {
  let query = db.selectFrom('dsar_deletions').selectAll();
  if (from !== undefined) query = query.where('received_on', '>=', from);
  if (to !== undefined) query = query.where('received_on', '<=', to);
  return (await query.execute()).map(toCamelCase);
}
