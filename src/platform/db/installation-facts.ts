import { equalInConstantTime } from '../crypto/constant-time.ts';
import type { Secret } from '../crypto/secret.ts';
import { CliError } from '../errors.ts';
import type { Db } from './database.ts';
import type { Datastore } from './datastore.ts';
import { databaseFault } from './dialect.ts';

/** The fact that a database has as soon as it is used: a fingerprint of its secret. */
const SECRET = 'secret';

interface InstallationTable {
  name: string;
  value: string;
}

declare module './database.ts' {
  interface Database {
    installation: InstallationTable;
  }
}

/**
 * Writes a fact down if it is not known yet.
 * @returns whether this call did it: of several at once exactly one gets true
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

/** Whether a fact is known: to ask costs no write, as `claim` does. */
export async function hasFact(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('installation')
    .select('name')
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a fact was written down with this value, under whatever name. */
export async function hasFactWithValue(db: Db, value: string): Promise<boolean> {
  const row = await db
    .selectFrom('installation')
    .select('name')
    .where('value', '=', value)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether no Pavis has used the database yet, or all that it had written is gone. */
export async function isEmptyDatabase({ db }: Datastore): Promise<boolean> {
  try {
    return !(await hasFact(db, SECRET));
  } catch (error) {
    // There is no such table.
    if (databaseFault(error) === 'fault') return true;
    throw error;
  }
}

/** Takes a claim back, so that it can be made again. */
export async function deleteFact(db: Db, name: string): Promise<void> {
  await db.deleteFrom('installation').where('name', '=', name).execute();
}

/** Writes a fact down, in place of what was known under its name. */
export async function recordFact(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** What is known under a name; undefined if nothing is. */
export async function findFact(db: Db, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

/** What a database keeps of its secret. */
export const secretFingerprint = (secret: Secret): string =>
  secret.hash('installation', 'fingerprint');

/**
 * Binds the database to its secret. With another one every key and token in it would be unknown, and
 * licences issued meanwhile would be lost with the way back.
 * @throws CliError if the database was made with another secret
 */
export async function assertSameSecret(datastore: Datastore, secret: Secret): Promise<void> {
  const fingerprint = secretFingerprint(secret);
  const known = await datastore.db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', SECRET)
    .executeTakeFirst();
  if (!known) {
    const isFirst = await datastore.transaction((trx) => insertFact(trx, SECRET, fingerprint));
    if (!isFirst) await assertSameSecret(datastore, secret);
  } else if (!equalInConstantTime(known.value, fingerprint)) {
    throw new CliError(
      'this database was made with another PAVIS_SECRET: set that one, or put the file "secret" of its data folder back',
    );
  }
}
