import { type Selectable, sql } from 'kysely';
import {
  anonymiseLiftedHolds,
  type PreparedRemoval,
  type RecordRemoval,
} from '../../../personal-data/index.ts';
import { countRows, type Db, type Trx } from '../../../platform/db/index.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../../platform/key-case.ts';
import type { ChangeSubject, RetentionChangeTable } from '../tables.ts';

type Snapshot = Record<string, unknown> | null;

/** A change of a policy or of a hold. `before` or `after` is null if it did not exist. */
export type RetentionChange = Omit<
  CamelCased<Selectable<RetentionChangeTable>>,
  'before' | 'after' | 'anonymisedAt'
> & { before: Snapshot; after: Snapshot };

const toChange = ({
  anonymised_at: _anonymisedAt,
  ...row
}: Selectable<RetentionChangeTable>): RetentionChange => ({
  ...toCamelCase(row),
  before: row.before === null ? null : JSON.parse(row.before),
  after: row.after === null ? null : JSON.parse(row.after),
});

/** Adds a change to the history, in the transaction that makes it. */
export async function insertChange(
  trx: Trx,
  {
    before = null,
    after = null,
    reason = null,
    ...change
  }: Omit<RetentionChange, 'id' | 'before' | 'after' | 'reason'> & Partial<RetentionChange>,
): Promise<void> {
  await trx
    .insertInto('retention_changes')
    .values({
      ...toSnakeCase(change),
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
      reason,
    })
    .execute();
}

/** Newest first. */
export async function listChanges(
  db: Db,
  { subject, subjectId }: { subject?: ChangeSubject | undefined; subjectId?: number | undefined },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ changes: RetentionChange[]; total: number }> {
  let query = db.selectFrom('retention_changes');
  if (subject !== undefined) query = query.where('subject', '=', subject);
  if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId);
  const total = await countRows(query);
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { changes: rows.map(toChange), total };
}

/** Before entries are removed: the lifted holds whose lifting they record lose the same data. */
export async function removeLiftedHolds(
  trx: Trx,
  { where }: RecordRemoval,
): Promise<PreparedRemoval> {
  await anonymiseLiftedHolds(
    trx,
    sql`select subject_id from retention_changes where subject = 'hold' and action = 'lifted' and ${where}`,
  );
  return { where };
}
