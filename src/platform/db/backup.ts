import { randomUUID } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CliError } from '../errors.ts';
import { isFile, openExclusively } from './exclusive-access.ts';
import { MIGRATIONS_TABLE } from './migrate.ts';

/** What is in a file that holds an embedded database. */
export interface DatabaseFile {
  bytes: number;
  /** The names of the migrations it has, in order. */
  migrations: string[];
  /** See `assertSameSecret`; undefined if it was never used. */
  secretFingerprint: string | undefined;
}

/**
 * Copies the embedded database as it is at one moment, while others write into it, and makes sure that
 * the copy is whole. It comes to its name, whole and on the disk, or not at all.
 * @throws CliError if one of the two files cannot be used
 */
export function backupSqlite(database: string, file: string): DatabaseFile {
  const draft = draftOf(file);
  try {
    const found = copyWhole(database, draft);
    renameSync(draft, file);
    sync(dirname(file));
    return found;
  } finally {
    rmSync(draft, { force: true });
  }
}

interface Restoring {
  file: string;
  database: string;
  /** @throws CliError if what is in the file is not for this installation */
  assertFits: (found: DatabaseFile) => void;
  /** Whether to go on where nobody can tell if the present database is in use, as it is broken. */
  evenIfBroken: boolean;
}

/**
 * Puts the embedded database of a backup in the place of the present one, which is kept beside it. At
 * every moment there is one of the two under the name.
 * @returns what was restored, and where the present one went, if there was one
 * @throws CliError if a process holds the present one, or the backup cannot be used
 */
export function restoreSqlite({ file, database, assertFits, evenIfBroken }: Restoring): {
  restored: DatabaseFile;
  aside: string | undefined;
} {
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  const draft = draftOf(database);
  try {
    const restored = copyWhole(file, draft);
    assertFits(restored);
    const held = openExclusively(database, evenIfBroken);
    try {
      const aside = setAside(database);
      renameSync(draft, database);
      sync(dirname(database));
      return { restored, aside };
    } finally {
      held?.close();
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

const draftOf = (file: string): string => `${file}.${randomUUID()}.part`;

/** Reads in one transaction, for which nobody who writes has to wait, and leaves deleted rows behind. */
function copyWhole(from: string, draft: string): DatabaseFile {
  if (!isFile(from)) throw new CliError(`there is no file ${from}`);
  const source = usable(from, () => new DatabaseSync(from, { readOnly: true, timeout: 5_000 }));
  try {
    // Refused here, where it costs little, if it is something else.
    usable(from, () => migrationsIn(source, from));
    usable(draft, () => closeSync(openSync(draft, 'wx', 0o600)));
    usable(from, () => source.prepare('vacuum into ?').run(draft));
  } finally {
    source.close();
  }
  sync(draft);
  return usable(draft, () => lookInto(draft));
}

function lookInto(file: string): DatabaseFile {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const health = db.prepare('pragma integrity_check(1)').get()?.integrity_check;
    if (health !== 'ok') throw new CliError(`${file} is broken: ${health}`);
    const migrations = migrationsIn(db, file);
    const secret = db.prepare(`select value from installation where name = 'secret'`).get();
    const fingerprint = secret?.value;
    return {
      bytes: statSync(file).size,
      migrations,
      secretFingerprint: typeof fingerprint === 'string' ? fingerprint : undefined,
    };
  } finally {
    db.close();
  }
}

function migrationsIn(db: DatabaseSync, file: string): string[] {
  const tables = db.prepare('select count(*) as count from sqlite_schema where name = ?');
  if (tables.get(MIGRATIONS_TABLE)?.count !== 1) {
    throw new CliError(`${file} is no database of Pavis`);
  }
  const rows = db.prepare(`select name from ${MIGRATIONS_TABLE} order by name`).all();
  return rows.map(({ name }) => String(name));
}

/** Under another name first, so that the old name is never without a database. */
function setAside(database: string): string | undefined {
  const aside = `${database}.before-restore-${new Date().toISOString().replace(/[^\dTZ]/g, '')}`;
  // A log without its database would be played into the next one; only a broken one still has it.
  for (const suffix of ['-wal', '-shm']) {
    if (isFile(database + suffix)) renameSync(database + suffix, aside + suffix);
  }
  if (!isFile(database)) return undefined;
  try {
    linkSync(database, aside);
  } catch {
    // Not every file system has links.
    copyFileSync(database, aside);
    sync(aside);
  }
  return aside;
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Says which file it was. */
function usable<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`cannot use ${file}: ${(error as Error).message}`);
  }
}
