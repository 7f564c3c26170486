import { copyFileSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import {
  createFolder,
  removeAbandonedDrafts,
  syncFolder,
  syncToDisk,
  toDraftPath,
} from '../durable-file.ts';
import { CliError } from '../errors.ts';
import { isFile, openExclusively, SIDE_FILES } from './exclusive-access.ts';
import { createPrivateFile, describeFileError, naming } from './file-error.ts';
import { MIGRATIONS_TABLE } from './migrate.ts';
import { openReadOnly } from './sqlite-read-only.ts';

/** What an SQLite file holds. */
export interface DatabaseFile {
  bytes: number;
  /** Applied migrations, in order. */
  migrations: string[];
  /** See `assertSameSecret`; undefined if the database was never used. */
  secretFingerprint: string | undefined;
}

/**
 * Copies an SQLite database as of one moment while others write to it, and checks the copy. The file appears complete
 * and synced, or not at all.
 * @param assertReplaces throws a CliError if an earlier file must not be replaced by this backup
 * @throws CliError if one of the two files cannot be used
 */
export function backupSqlite(
  database: string,
  file: string,
  assertReplaces?: (found: DatabaseFile) => void,
): DatabaseFile {
  try {
    // Of an earlier backup that was killed, often under another name.
    removeAbandonedDrafts(dirname(file));
  } catch {
    // They may be another user's.
  }
  return withDraft(file, (draft) => {
    const found = copyDatabase(database, draft);
    assertReplaces?.(found);
    renameSync(draft, file);
    syncFolder(dirname(file));
    return found;
  });
}

interface RestoreOptions {
  file: string;
  database: string;
  /** @throws CliError if the backup belongs to another installation */
  assertFits: (found: DatabaseFile) => void;
  /** Statements for the restored database, whatever version wrote it. */
  changes: readonly string[];
  /** Replaces an existing database that is damaged, although a process may still use it. */
  evenIfBroken: boolean;
}

/**
 * Replaces an SQLite database by a backup and keeps the present one beside it. One of the two has the name at every
 * moment.
 * @returns what was restored, and where the present database went, if there was one
 * @throws CliError if a process has the present one open, or the backup cannot be used
 */
export function restoreSqlite({
  file,
  database,
  assertFits,
  changes,
  evenIfBroken,
}: RestoreOptions): {
  restored: DatabaseFile;
  aside: string | undefined;
} {
  createFolder(dirname(database));
  return withDraft(database, (draft) => {
    const restored = copyDatabase(file, draft);
    assertFits(restored);
    naming(database, () => change(draft, changes));
    const held = openExclusively(database, evenIfBroken);
    try {
      const aside = setAside(database);
      renameSync(draft, database);
      syncFolder(dirname(database));
      return { restored, aside };
    } finally {
      held?.close();
    }
  });
}

function withDraft<T>(file: string, work: (draft: string) => T): T {
  const draft = toDraftPath(file);
  try {
    return work(draft);
  } finally {
    // SQLite leaves the journal of a copy for which there is no space.
    for (const suffix of ['', ...SIDE_FILES]) rmSync(draft + suffix, { force: true });
  }
}

/**
 * Copies an SQLite file that is not a database of Pavis, as of one moment while others write to it, and checks the copy. The
 * copy appears complete and synced, or not at all.
 * @throws CliError if one of the two files cannot be used
 */
export function copySqliteFile(from: string, to: string): { bytes: number } {
  return withDraft(to, (draft) => {
    copyFile(from, draft);
    readWhole(draft, from, () => {});
    renameSync(draft, to);
    syncFolder(dirname(to));
    return { bytes: statSync(to).size };
  });
}

/** Another file is refused before it is copied. */
function copyDatabase(from: string, draft: string): DatabaseFile {
  copyFile(from, draft, (source) => listMigrations(source, from));
  return inspectFile(draft, from);
}

/** Reads in one transaction, which blocks no writer, and leaves deleted rows out. */
function copyFile(from: string, draft: string, check?: (source: DatabaseSync) => void): void {
  naming(from, () => {
    if (!isFile(from)) throw new CliError(`there is no file ${from}`);
    const source = openReadOnly(from, 5_000);
    try {
      check?.(source);
      createPrivateFile(draft);
      vacuumInto(source, draft, `cannot copy ${from} to ${dirname(draft)}`);
    } finally {
      source.close();
    }
    syncToDisk(draft);
  });
}

/** A full disk is that of the copy, but SQLite reports both files alike. */
function vacuumInto(source: DatabaseSync, draft: string, failure: string): void {
  try {
    source.prepare('vacuum into ?').run(draft);
  } catch (error) {
    throw new CliError(`${failure}: ${describeFileError(error)}`);
  }
}

const inspectFile = (draft: string, from: string): DatabaseFile =>
  readWhole(draft, from, (db) => {
    const migrations = listMigrations(db, from);
    return { bytes: statSync(draft).size, migrations, secretFingerprint: readFingerprint(db) };
  });

function readFingerprint(db: DatabaseSync): string | undefined {
  const secret = db.prepare(`select value from installation where name = 'secret'`).get();
  return typeof secret?.value === 'string' ? secret.value : undefined;
}

/** @throws CliError if the copy is damaged, and so the file that it was made from */
function readWhole<T>(copy: string, from: string, read: (db: DatabaseSync) => T): T {
  return naming(from, () => {
    const db = openReadOnly(copy, 5_000);
    try {
      const health = db.prepare('pragma integrity_check(1)').get()?.integrity_check;
      if (health !== 'ok') throw new CliError(`${from} is damaged: ${health}`);
      return read(db);
    } finally {
      db.close();
    }
  });
}

/** Whether a file is a database of Pavis, as a backup is. */
export const isPavisDatabase = (file: string): boolean => hasTable(file, MIGRATIONS_TABLE);

/** Whether a file is an SQLite database with a table. */
export const hasTable = (file: string, table: string): boolean =>
  readUnused(
    file,
    (db) => db.prepare('select 1 from sqlite_schema where name = ?').get(table) !== undefined,
  ) ?? false;

/** The `secretFingerprint` of a backup; undefined also if it cannot be read. */
export const findSecretFingerprint = (file: string): string | undefined =>
  readUnused(file, readFingerprint);

/**
 * Reads an SQLite file that no process writes to. Locks nothing, and writes nothing beside the file.
 * @returns undefined if it cannot be read
 */
function readUnused<T>(file: string, read: (db: DatabaseSync) => T): T | undefined {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  try {
    const db = new DatabaseSync(url, { readOnly: true });
    try {
      return read(db);
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

function listMigrations(db: DatabaseSync, file: string): string[] {
  const tables = db.prepare('select count(*) as count from sqlite_schema where name = ?');
  if (tables.get(MIGRATIONS_TABLE)?.count !== 1) {
    throw new CliError(`${file} is no database of Pavis`);
  }
  const rows = db.prepare(`select name from ${MIGRATIONS_TABLE} order by name`).all();
  return rows.map(({ name }) => String(name));
}

function change(file: string, statements: readonly string[]): void {
  const db = new DatabaseSync(file);
  try {
    db.exec(`pragma secure_delete = on; begin; ${statements.join('; ')}; commit`);
  } finally {
    db.close();
  }
}

/** Adds a second name, so that the old one is never without a database. */
function setAside(database: string): string | undefined {
  const aside = `${database}.before-restore-${new Date().toISOString().replace(/[^\dTZ]/g, '')}`;
  // SQLite would replay a leftover log into the next database. Only a damaged database has one.
  for (const suffix of SIDE_FILES) {
    if (isFile(database + suffix)) renameSync(database + suffix, aside + suffix);
  }
  if (!isFile(database)) return undefined;
  try {
    linkSync(database, aside);
  } catch {
    // Not every file system has links.
    copyFileSync(database, aside);
    syncToDisk(aside);
  }
  return aside;
}
