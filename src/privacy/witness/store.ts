import { Kysely, type Selectable } from 'kysely';
import { SqliteConnection, sqliteDialect } from '../../platform/db/sqlite-driver.ts';
import type { WitnessDatabase, WitnessDb, WitnessedLogTable } from './tables.ts';

export type WitnessedLog = Selectable<WitnessedLogTable>;

/** Opens the file of a witness, and creates it if there is none. The caller destroys it. */
export async function openWitnessFile(path: string): Promise<WitnessDb> {
  const connection = new SqliteConnection(path, { isOneFile: true });
  const db = new Kysely<WitnessDatabase>({ dialect: sqliteDialect(connection) });
  await db.schema
    .createTable('witness_key')
    .ifNotExists()
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('seed', 'blob', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('witness_logs')
    .ifNotExists()
    .addColumn('origin', 'text', (c) => c.primaryKey())
    .addColumn('verifier_key', 'text')
    .addColumn('size', 'integer', (c) => c.notNull())
    .addColumn('root', 'blob', (c) => c.notNull())
    .addColumn('checkpoint', 'text')
    .addColumn('cosigned_at', 'integer')
    .execute();
  return db;
}

export const findKey = (db: WitnessDb): Promise<{ name: string; seed: Uint8Array } | undefined> =>
  db.selectFrom('witness_key').select(['name', 'seed']).executeTakeFirst();

/** Writes the key, unless there is one. */
export async function insertKey(db: WitnessDb, name: string, seed: Uint8Array): Promise<void> {
  await db
    .insertInto('witness_key')
    .values({ id: 1, name, seed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const listLogs = (db: WitnessDb): Promise<WitnessedLog[]> =>
  db
    .selectFrom('witness_logs')
    .selectAll()
    .where('verifier_key', 'is not', null)
    .orderBy('origin')
    .execute();

export const findLog = (db: WitnessDb, origin: string): Promise<WitnessedLog | undefined> =>
  db.selectFrom('witness_logs').selectAll().where('origin', '=', origin).executeTakeFirst();

/** Adds a log, or the key of one that was removed. @returns false if it has a key, which it keeps */
export async function insertLog(
  db: WitnessDb,
  log: Pick<WitnessedLog, 'origin' | 'verifier_key' | 'root'>,
): Promise<boolean> {
  const added = await db
    .insertInto('witness_logs')
    .values({ ...log, size: 0, checkpoint: null, cosigned_at: null })
    .onConflict((conflict) =>
      conflict
        .column('origin')
        .doUpdateSet({ verifier_key: log.verifier_key })
        .where('witness_logs.verifier_key', 'is', null),
    )
    .returning('origin')
    .executeTakeFirst();
  return added !== undefined;
}

/**
 * Removes the key of a log. Its last checkpoint is kept: added again, the log must continue it.
 * @returns whether it had a key
 */
export async function removeKey(db: WitnessDb, origin: string): Promise<boolean> {
  const removed = await db
    .updateTable('witness_logs')
    .set({ verifier_key: null })
    .where('origin', '=', origin)
    .where('verifier_key', 'is not', null)
    .returning('origin')
    .executeTakeFirst();
  return removed !== undefined;
}

/**
 * Replaces the newest checkpoint of a log.
 * @param size that it had until now
 * @returns false if it had another, because another request was faster
 */
export async function saveCheckpoint(
  db: WitnessDb,
  size: number,
  { origin, ...next }: Omit<WitnessedLog, 'verifier_key'>,
): Promise<boolean> {
  const saved = await db
    .updateTable('witness_logs')
    .set(next)
    .where('origin', '=', origin)
    .where('size', '=', size)
    .returning('origin')
    .executeTakeFirst();
  return saved !== undefined;
}
