import type { Insertable, Selectable } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import type { ChangeAction, ChangeSubject, RetentionChangeTable } from '../tables.ts';

/** A change of a policy or of a hold; `at` in epoch milliseconds. */
export interface RetentionChange {
  id: number;
  at: number;
  /** A login, or the command line. */
  actor: string;
  subject: ChangeSubject;
  subjectId: number;
  action: ChangeAction;
  /** What it said; null where there was nothing, or is nothing any more. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
}

const toChange = (row: Selectable<RetentionChangeTable>): RetentionChange => ({
  id: row.id,
  at: row.at,
  actor: row.actor,
  subject: row.subject,
  subjectId: row.subject_id,
  action: row.action,
  before: row.before === null ? null : JSON.parse(row.before),
  after: row.after === null ? null : JSON.parse(row.after),
  reason: row.reason,
});

/** Adds a change to the history, in the transaction that makes it. */
export async function insertChange(trx: Trx, change: Omit<RetentionChange, 'id'>): Promise<void> {
  const values: Insertable<RetentionChangeTable> = {
    at: change.at,
    actor: change.actor,
    subject: change.subject,
    subject_id: change.subjectId,
    action: change.action,
    before: change.before && JSON.stringify(change.before),
    after: change.after && JSON.stringify(change.after),
    reason: change.reason,
  };
  await trx.insertInto('retention_changes').values(values).execute();
}

/** A page of the history, newest first, and how many changes there are. */
export async function listChanges(
  db: Db,
  { subject, subjectId }: { subject?: ChangeSubject | undefined; subjectId?: number | undefined },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ changes: RetentionChange[]; total: number }> {
  let query = db.selectFrom('retention_changes');
  if (subject !== undefined) query = query.where('subject', '=', subject);
  if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId);
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { changes: rows.map(toChange), total: Number(total) };
}
