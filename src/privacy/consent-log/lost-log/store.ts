import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { isKeyName } from '../../../platform/transparency-log/index.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { listStatements } from '../verification/facts.ts';

/** The name of the log that was begun after the last one was lost; undefined if none was lost. */
export async function findNewOrigin(db: Db): Promise<string | undefined> {
  const statements = await listStatements(db, [ENTRY_KINDS.lostLog], []);
  const origins = statements.map(({ facts }) => facts?.origin);
  return origins.findLast(isKeyName);
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
