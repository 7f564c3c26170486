import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';

/** The name of the log that was begun after the last one was lost; undefined if none was lost. */
export async function findNewOrigin(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('consent_log_records')
    .select('facts')
    .where('kind', '=', ENTRY_KINDS.lostLog)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { origin } = row ? JSON.parse(row.facts) : {};
  return typeof origin === 'string' ? origin : undefined;
}

/** The highest id of the consent records; 0 if there are none. */
export async function findLastRecordId(trx: Trx): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from consent_records`.execute(trx);
  return rows[0]?.id ?? 0;
}

/** Forgets what witnesses have said against a log that is lost, and keeps their cosignatures of it. */
export async function clearWitnessErrors(trx: Trx): Promise<void> {
  await trx
    .updateTable('consent_log_witnesses')
    .set({ contradicts: 0, error: null, error_at: null, failures: 0 })
    .execute();
}
