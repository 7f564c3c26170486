import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { Kysely, PostgresDialect } from 'kysely';
import type { Db } from './database.ts';
import { SqliteConnection, sqliteDialect } from './sqlite-driver.ts';

/**
 * Opens an SQLite file beside the database, with its own tables. It is created if it does not exist, unless it is only
 * read.
 */
export const openSqliteFile = <Tables>(path: string, { readOnly = false } = {}): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: sqliteDialect(new SqliteConnection(path, { readOnly })) });

/**
 * Opens the database with one connection for a worker thread. SQLite is opened for reading only, since the process
 * has one connection that writes.
 */
export async function openThreadDatabase(url: string): Promise<Db> {
  if (url.startsWith('sqlite:')) {
    return openSqliteFile(url.slice('sqlite:'.length), { readOnly: true });
  }
  // Loaded where they are used: they slow the start of the thread down.
  const { createPool } = await import('./postgres.ts');
  const { createLogger } = await import('../log.ts');
  const pool = createPool(url, await createLogger('silent'), 'log');
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Writes what other connections committed to the disk. On SQLite, a reader can see a commit shortly before it is there; on
 * PostgreSQL it cannot.
 */
export function syncDatabase(url: string): void {
  if (!url.startsWith('sqlite:')) return;
  let file: number;
  try {
    file = openSync(`${url.slice('sqlite:'.length)}-wal`, 'r+');
  } catch (error) {
    // The last connection that closes the file leaves no log.
    if ((error as { code?: unknown }).code === 'ENOENT') return;
    throw error;
  }
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
