import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';

/** The database's file is gone or is another one than was opened. */
export class SqliteUnavailable extends Error {
  override readonly name = 'SqliteUnavailable';
}

/** How long a statement waits, with the event loop, for another process's lock; longer waits are retried. */
const BUSY_TIMEOUT_MS = 200;
const STATEMENTS_KEPT = 256;

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
}

/**
 * One connection to one file. Every write is on the disk before it is acknowledged
 * (`synchronous=FULL`), and the file is checked to be still the one that was opened: SQLite itself
 * goes on writing into a file that somebody deleted or replaced.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #path: string;
  readonly #readOnly: boolean;
  readonly #prepared = new LRUCache<string, Prepared>({ max: STATEMENTS_KEPT });
  #handle: DatabaseSync;
  #inode: number;
  /** Of its log: SQLite would play a log that was left behind into whatever file lies there. */
  #walInode: number | undefined;
  #timesOpened = 1;

  constructor(path: string, { readOnly = false } = {}) {
    this.#path = path;
    this.#readOnly = readOnly;
    this.#handle = openFile(path, readOnly);
    this.#inode = statSync(path).ino;
    this.#walInode = inodeOf(`${path}-wal`);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Within a transaction the commit asks.
    if (!this.#handle.isOpen || !this.#handle.isTransaction) this.#assertSameFile();
    const { statement, returnsRows } = this.#prepare(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    this.#assertSameFile();
    const rows = this.#handle.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[]));
    for (const row of rows) yield { rows: [row as R] };
  }

  /** Takes the file for writing, or fails at once: who waits for it must not hold the event loop. */
  begin(): void {
    this.#assertSameFile();
    this.#handle.exec('pragma busy_timeout = 0');
    try {
      this.#handle.exec('begin immediate');
    } finally {
      this.#handle.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** Acknowledges nothing that went into a file that is no longer there. */
  commit(): void {
    this.#assertSameFile();
    this.#handle.exec('commit');
    this.#assertSameFile();
  }

  /** Works whatever has become of the file: the handle must not stay in a transaction. */
  rollback(): void {
    if (this.#handle.isOpen && this.#handle.isTransaction) this.#handle.exec('rollback');
  }

  /** A number that changes when another connection, of this or any process, has written. */
  dataVersion(): string {
    this.#assertSameFile();
    const version = this.#prepare('pragma data_version').statement.get()?.data_version;
    return `${this.#timesOpened}:${version}`;
  }

  close(): void {
    this.#prepared.clear();
    try {
      this.#handle.exec('pragma optimize; pragma wal_checkpoint(truncate)');
    } catch {
      // Somebody else still reads, or the file is gone: the log stays and is read at the next opening.
    }
    this.#handle.close();
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      const statement = this.#handle.prepare(sql);
      prepared = { statement, returnsRows: statement.columns().length > 0 };
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }

  #assertSameFile(): void {
    const file = statSync(this.#path, { throwIfNoEntry: false });
    if (file?.ino === this.#inode) return;
    if (!file) throw new SqliteUnavailable(`the database file ${this.#path} is gone`);
    this.#prepared.clear();
    // Until the new one is open there is none: if opening fails, the next call tries again.
    this.#inode = -1;
    this.#timesOpened++;
    if (this.#handle.isOpen) this.#handle.close();
    if (
      !this.#readOnly &&
      this.#walInode !== undefined &&
      inodeOf(`${this.#path}-wal`) === this.#walInode
    ) {
      for (const suffix of ['-wal', '-shm']) rmSync(this.#path + suffix, { force: true });
    }
    this.#handle = openFile(this.#path, this.#readOnly);
    this.#inode = file.ino;
    this.#walInode = inodeOf(`${this.#path}-wal`);
    throw new SqliteUnavailable(
      `the database file ${this.#path} was replaced and has been reopened`,
    );
  }
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino;

function openFile(path: string, readOnly: boolean): DatabaseSync {
  if (readOnly) return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly });
  // Made here for its mode, which SQLite gives to the log as well: addresses of people are inside.
  closeSync(openSync(path, 'a', 0o600));
  const handle = new DatabaseSync(path, {
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  });
  // Of a new file only, which can then give free pages back. Before anything is written to it.
  // In a file that has pages already this would wait for a writer.
  if (handle.prepare('pragma page_count').get()?.page_count === 0) {
    handle.exec('pragma auto_vacuum = incremental');
  }
  handle.exec('pragma journal_mode = wal');
  // What is deleted is overwritten, so that nobody finds erased people in the file.
  handle.exec('pragma secure_delete = on');
  handle.exec('pragma synchronous = full');
  handle.exec('pragma journal_size_limit = 67108864');
  handle.exec('pragma temp_store = memory');
  // Makes the log file, whose identity is kept.
  handle.exec('select count(*) from sqlite_schema');
  return handle;
}

/**
 * Migrations run in one transaction, and a transaction holds the file from its first statement:
 * that is the lock between two processes that start at once.
 */
class OneFileAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** Lets Kysely drive `node:sqlite`. */
export function sqliteDialect(connection: SqliteConnection): Dialect {
  return dialectOf({
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => connection.begin(),
    commitTransaction: async () => connection.commit(),
    rollbackTransaction: async () => connection.rollback(),
    releaseConnection: async () => {},
    destroy: async () => connection.close(),
  });
}

/** Lets Kysely read through a connection that cannot write. */
export function sqliteReadingDialect(
  connection: DatabaseConnection & { close(): Promise<void> },
): Dialect {
  const refuse = async () => {
    throw new Error('transactions belong to the connection that writes');
  };
  return dialectOf({
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: () => connection.close(),
  });
}

function dialectOf(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new OneFileAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}
