import type { Selectable } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { ConsentLogWitnessTable } from './tables.ts';

export type WitnessRow = Selectable<ConsentLogWitnessTable>;

export const listWitnessRows = (db: Db): Promise<WitnessRow[]> =>
  db.selectFrom('consent_log_witnesses').selectAll().orderBy('verifier_key').execute();

export async function saveWitnessRow(db: Db, row: WitnessRow): Promise<void> {
  const { verifier_key, ...changes } = row;
  await db
    .insertInto('consent_log_witnesses')
    .values(row)
    .onConflict((conflict) => conflict.column('verifier_key').doUpdateSet(changes))
    .execute();
}
