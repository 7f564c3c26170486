import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { toCamelCase } from '../../../platform/key-case.ts';
import { FACTS } from '../cases/retention.ts';
import type { Case } from '../store.ts';
import type { ListedErasure } from './erasure-list.ts';
import { createMentionEraser, type MentionEraser } from './mentions.ts';

/** @returns false if the database has it already */
export async function insertErasure(trx: Trx, { id, at }: ListedErasure): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('erasures')
    .values({ id, at: Date.parse(at) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== 0n;
}

/** Whether an approved task will still do the erasure. */
export async function hasUnfinishedErasure(
  trx: Trx,
  { reference, source }: Pick<ListedErasure, 'reference' | 'source'>,
): Promise<boolean> {
  const row = await trx
    .selectFrom('dsar_tasks')
    .innerJoin('dsar_cases', 'dsar_cases.id', 'dsar_tasks.case_id')
    .select('dsar_tasks.id')
    .where('dsar_cases.reference', '=', reference)
    .where('dsar_cases.status', '=', 'in_progress')
    .where('dsar_tasks.kind', '=', 'erase')
    .where('dsar_tasks.source', '=', source)
    .where('dsar_tasks.status', 'in', ['pending', 'running'])
    .executeTakeFirst();
  return row !== undefined;
}

export async function listErasureIds(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('erasures').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

/** Deletes erasures before a moment, in epoch milliseconds. */
export async function deleteErasures(db: Db, before: number): Promise<void> {
  await db.deleteFrom('erasures').where('at', '<', before).execute();
}

export async function listValues(
  db: Db,
  { table, column }: { table: string; column: string },
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; value: string | null }[]> {
  const { rows } = await sql<{ id: number; value: string | null }>`
    select id, ${sql.ref(column)} as value from ${sql.table(table)}
    where id > ${after} order by id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Completed deletion requests that are not erased and have no unsent answer.
 * @param since what could not be sent since then, in epoch milliseconds, can be sent again. An answer without an email
 * address is posted or told within this time after the completion.
 */
export async function listUnerased(db: Db, since: number): Promise<Case[]> {
  const rows = await db
    .selectFrom('dsar_cases')
    .selectAll()
    .where('request_type', '=', 'deletion')
    .where('status', '=', 'completed')
    .where('erased_at', 'is', null)
    .where('anonymised_at', 'is', null)
    .where((eb) => eb.or([eb('email', 'is not', null), eb('closed_at', '<=', since)]))
    .where(({ not, exists, selectFrom, ref }) =>
      not(
        exists(
          selectFrom('outbox_mails')
            .select('outbox_mails.id')
            .where('about', '=', sql<string>`'dsar/cases/' || ${ref('dsar_cases.id')}`)
            .where((mail) =>
              mail.or([
                mail('outbox_mails.status', 'in', ['pending', 'sending']),
                mail.and([
                  mail('outbox_mails.status', '=', 'dead'),
                  mail('outbox_mails.ended_at', '>', since),
                ]),
              ]),
            ),
        ),
      ),
    )
    .orderBy('id')
    .execute();
  return rows.map(toCamelCase);
}

/**
 * Erases the person from a request. Its activity stays, and a hash that lets the person check the status.
 * @param personal the columns to clear
 */
export async function erasePersonOfCase(
  trx: Trx,
  dsarCase: Case,
  {
    personal,
    emailHash,
    at,
  }: { personal: readonly string[]; emailHash: string | null; at: number },
): Promise<void> {
  const { id } = dsarCase;
  const cleared = Object.fromEntries(personal.map((column) => [column, null]));
  await trx
    .updateTable('dsar_cases')
    .set({ ...cleared, email_hash: emailHash, erased_at: at })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('dsar_pages').where('case_id', '=', id).execute();
  await trx
    .updateTable('dsar_tasks')
    .set({ next_page: null, last_error: null })
    .where('case_id', '=', id)
    .execute();
  const erase = createMentionEraser(dsarCase);
  await eraseFromEvents(trx, id, erase);
  await eraseFromTasks(trx, id, erase);
}

const FACT_NAMES: ReadonlySet<string> = new Set(FACTS);

/** Notes of administrators may name the person. */
async function eraseFromEvents(trx: Trx, caseId: number, erase: MentionEraser): Promise<void> {
  const events = await trx
    .selectFrom('dsar_events')
    .select(['id', 'details'])
    .where('case_id', '=', caseId)
    .execute();
  for (const event of events) {
    const erased = JSON.parse(event.details, (name, value) =>
      typeof value === 'string' && !FACT_NAMES.has(name) ? erase(value) : value,
    );
    const details = JSON.stringify(erased);
    if (details === event.details) continue;
    await trx.updateTable('dsar_events').set({ details }).where('id', '=', event.id).execute();
  }
}

/** So may what they wrote about the sources. */
async function eraseFromTasks(trx: Trx, caseId: number, erase: MentionEraser): Promise<void> {
  const tasks = await trx
    .selectFrom('dsar_tasks')
    .select(['id', 'reason', 'result'])
    .where('case_id', '=', caseId)
    .execute();
  for (const { id, ...texts } of tasks) {
    const reason = texts.reason && erase(texts.reason);
    const result = texts.result && erase(texts.result);
    if (reason === texts.reason && result === texts.result) continue;
    await trx.updateTable('dsar_tasks').set({ reason, result }).where('id', '=', id).execute();
  }
}
