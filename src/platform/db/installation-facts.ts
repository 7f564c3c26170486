import { equalInConstantTime } from '../crypto/constant-time.ts';
import type { Secret } from '../crypto/secret.ts';
import { CliError } from '../errors.ts';
import type { Db } from './database.ts';
import { databaseFault } from './database-fault.ts';
import type { Datastore } from './datastore.ts';

/** The fact that every used database has: the fingerprint of its secret. */
const SECRET = 'secret';

declare module './database.ts' {
  interface Database {
    installation: { name: string; value: string };
  }
}

/**
 * Records a fact unless it is known.
 * @returns whether this call recorded it: exactly one of concurrent calls gets true
 */
export async function insertFact(db: Db, name: string, value: string): Promise<boolean> {
  const row = await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a fact, or replaces its value. */
export async function recordFact(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

const facts = (db: Db) => db.selectFrom('installation').select('value').limit(1);

/** The value of a fact; undefined if it is not known. */
export const findFact = async (db: Db, name: string): Promise<string | undefined> =>
  (await facts(db).where('name', '=', name).executeTakeFirst())?.value;

/** Whether a fact is known, without the write of `insertFact`. */
export const hasFact = async (db: Db, name: string): Promise<boolean> =>
  (await findFact(db, name)) !== undefined;

/** Whether any fact has this value. */
export const hasFactWithValue = async (db: Db, value: string): Promise<boolean> =>
  (await facts(db).where('value', '=', value).executeTakeFirst()) !== undefined;

export async function deleteFact(db: Db, name: string): Promise<void> {
  await db.deleteFrom('installation').where('name', '=', name).execute();
}

/** SQLSTATE of a table that does not exist. SQLite has no code of its own for it. */
const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

/**
 * Whether no Pavis has used the database.
 * @throws CliError if another program has
 */
export async function isEmptyDatabase({ db }: Datastore): Promise<boolean> {
  try {
    return !(await hasFact(db, SECRET));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (
      code === UNDEFINED_TABLE ||
      (code === 'ERR_SQLITE_ERROR' && databaseFault(error) === 'fault')
    )
      return true;
    if (code !== UNDEFINED_COLUMN) throw error;
    throw new CliError(
      'the database has a table "installation" of another program: create a database for Pavis alone',
    );
  }
}

export const secretFingerprint = (secret: Secret): string =>
  secret.hash('installation', 'fingerprint');

/**
 * Binds the database to its secret. With another secret every key and token would be unknown, and licences that are
 * issued meanwhile would be lost when the first one is put back.
 * @throws CliError if the database was made with another secret
 */
export async function assertSameSecret(datastore: Datastore, secret: Secret): Promise<void> {
  const fingerprint = secretFingerprint(secret);
  const known = await findFact(datastore.db, SECRET);
  if (known === undefined) {
    const isFirst = await datastore.transaction((trx) => insertFact(trx, SECRET, fingerprint));
    if (!isFirst) await assertSameSecret(datastore, secret);
  } else if (!equalInConstantTime(known, fingerprint)) {
    throw new CliError(
      'this database was made with another PAVIS_SECRET: set that one, or put the file "secret" of its data folder back',
    );
  }
}
