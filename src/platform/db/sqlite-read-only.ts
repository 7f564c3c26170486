import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * Opens an SQLite file for reading. If a crash has left it in the middle of a transaction, the transaction is rolled
 * back first, since SQLite refuses to read it otherwise (SQLITE_READONLY_ROLLBACK).
 * @param timeout in ms, for locks of other connections
 */
export function openReadOnly(path: string, timeout: number): DatabaseSync {
  if (existsSync(`${path}-journal`)) rollBack(path, timeout);
  return new DatabaseSync(path, { readOnly: true, timeout });
}

/** The first read of a connection that can write does it. A transaction in progress keeps its lock and is left alone. */
function rollBack(path: string, timeout: number): void {
  // A file that is gone must not come back empty.
  const file = pathToFileURL(path);
  file.searchParams.set('mode', 'rw');
  const db = new DatabaseSync(file, { timeout });
  try {
    db.exec('select count(*) from sqlite_schema');
  } finally {
    db.close();
  }
}
