import { closeSync, fdatasync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
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
import { isBusy } from './exclusive-access.ts';
import { openReadOnly } from './sqlite-read-only.ts';

/** The database file is gone or was replaced. */
export class SqliteUnavailable extends Error {
  override readonly name: string = 'SqliteUnavailable';
}

/** The disk has not confirmed a change, which other connections can see already. */
export class SqliteSyncError extends SqliteUnavailable {
  override readonly name = 'SqliteSyncError';
}

/** How long a statement outside a transaction waits for another process's lock. */
const BUSY_TIMEOUT_MS = 200;
const RETRY_EVERY_MS = 5;
const STATEMENTS_KEPT = 256;

/** In pages of the log, if the thread that checkpoints cannot keep up. */
const AUTOCHECKPOINT_PAGES = 16_384;
const READS = /^\s*(?:select|pragma|explain)\b/i;

const syncData = promisify(fdatasync);

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
  mayWrite: boolean;
}

interface ConnectionOptions {
  readOnly?: boolean;
  /**
   * Leaves the event loop free while the disk works: this connection waits for the disk in the thread pool, and another
   * thread checkpoints when `onCommit` has it do so (docs/adr/0032). Without it SQLite does both in its own calls.
   */
  onCommit?: () => void;
  /** Writes no log beside the file, so that the file can be copied alone while it is open. For few writes only. */
  isOneFile?: boolean;
}

/**
 * One connection to one file. Writes are on disk before they are acknowledged. The file's inode is checked, because SQLite
 * goes on writing to a file that was deleted or replaced.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #path: string;
  readonly #options: ConnectionOptions;
  readonly #prepared = new LRUCache<string, Prepared>({ max: STATEMENTS_KEPT });
  #handle: DatabaseSync;
  #inode: number;
  /** SQLite would replay a log that was left behind into the file that replaced ours. */
  #walInode: number | undefined;
  /** The file descriptor of the WAL; undefined if SQLite syncs it itself. */
  #walFile: number | undefined;
  #timesOpened = 1;

  constructor(path: string, options: ConnectionOptions = {}) {
    this.#path = path;
    this.#options = options;
    this.#handle = openFile(path, options);
    this.#inode = statSync(path).ino;
    this.#openWal();
  }

  /** Waits for another process's lock without blocking the event loop. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (const deadline = performance.now() + BUSY_TIMEOUT_MS; ; await wait(RETRY_EVERY_MS)) {
      try {
        const result = this.#execute<R>(query);
        const isWritten = !this.#handle.isTransaction && this.#prepare(query.sql).mayWrite;
        if (isWritten) await this.#syncCommit();
        return result;
      } catch (error) {
        const mayRetry = isBusy(error) && !this.#handle.isTransaction;
        if (!mayRetry || performance.now() >= deadline) {
          // There are several files, and SQLite does not say which one it means.
          throw Object.assign(error as Error, { file: this.#path });
        }
      }
    }
  }

  #execute<R>(query: CompiledQuery): QueryResult<R> {
    // In a transaction, the commit checks.
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

  /** Locks the file for writing or fails at once, so that waiting does not block the event loop. */
  begin(): void {
    this.#assertSameFile();
    this.#handle.exec('begin immediate');
  }

  /** Does not acknowledge writes to a file that is gone. */
  async commit(): Promise<void> {
    this.#assertSameFile();
    this.#handle.exec('commit');
    await this.#syncCommit();
    this.#assertSameFile();
  }

  /** Waits until what was committed is on the disk, as `synchronous=FULL` does within the commit. */
  async #syncCommit(): Promise<void> {
    if (this.#walFile === undefined) return;
    const timesOpened = this.#timesOpened;
    try {
      await syncData(this.#walFile);
    } catch (error) {
      throw new SqliteSyncError(
        `the disk has not confirmed a change of ${this.#path}: ${(error as Error).message}`,
      );
    }
    // Else another file was synced.
    if (this.#timesOpened !== timesOpened) {
      throw new SqliteUnavailable(`the database file ${this.#path} was replaced meanwhile`);
    }
    this.#options.onCommit?.();
  }

  /** Does not check the file: the handle must not stay in a transaction. */
  rollback(): void {
    if (this.#handle.isOpen && this.#handle.isTransaction) this.#handle.exec('rollback');
  }

  /** Changes when another connection, of this or any process, has written. */
  dataVersion(): string {
    this.#assertSameFile();
    const version = this.#prepare('pragma data_version').statement.get()?.data_version;
    return `${this.#timesOpened}:${version}`;
  }

  close(): void {
    this.#prepared.clear();
    try {
      this.#handle.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
      this.#handle.exec('pragma optimize; pragma wal_checkpoint(truncate)');
    } catch {
      // Others still read, or the file is gone: the log stays and is read at the next opening.
    }
    this.#handle.close();
    this.#closeWal();
  }

  #openWal(): void {
    this.#walInode = findInode(`${this.#path}-wal`);
    if (this.#options.onCommit && this.#walInode !== undefined) {
      this.#walFile = openSync(`${this.#path}-wal`, 'r+');
    }
  }

  #closeWal(): void {
    if (this.#walFile !== undefined) closeSync(this.#walFile);
    this.#walFile = undefined;
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      const statement = this.#handle.prepare(sql);
      const returnsRows = statement.columns().length > 0;
      prepared = { statement, returnsRows, mayWrite: !READS.test(sql) };
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }

  #assertSameFile(): void {
    const file = statSync(this.#path, { throwIfNoEntry: false });
    if (file?.ino === this.#inode) return;
    if (!file) throw new SqliteUnavailable(`the database file ${this.#path} is gone`);
    this.#prepared.clear();
    // If opening fails, the next call tries again.
    this.#inode = -1;
    this.#timesOpened++;
    if (this.#handle.isOpen) this.#handle.close();
    this.#closeWal();
    if (
      !this.#options.readOnly &&
      this.#walInode !== undefined &&
      findInode(`${this.#path}-wal`) === this.#walInode
    ) {
      for (const suffix of ['-wal', '-shm']) rmSync(this.#path + suffix, { force: true });
    }
    this.#handle = openFile(this.#path, this.#options);
    this.#openWal();
    this.#inode = file.ino;
    throw new SqliteUnavailable(
      `the database file ${this.#path} was replaced and has been reopened`,
    );
  }
}

const findInode = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino;

function openFile(
  path: string,
  { readOnly, onCommit, isOneFile }: ConnectionOptions,
): DatabaseSync {
  if (readOnly) return openReadOnly(path, BUSY_TIMEOUT_MS);
  // Created here for its mode, which SQLite gives to the log as well.
  closeSync(openSync(path, 'a', 0o600));
  const handle = new DatabaseSync(path, {
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  });
  // Only possible while the file is empty; in others it would wait for a writer.
  if (handle.prepare('pragma page_count').get()?.page_count === 0) {
    handle.exec('pragma auto_vacuum = incremental');
  }
  // Not every file system has WAL. A truncated journal is synced with the commit, a deleted one is not.
  const mode = isOneFile ? 'truncate' : 'wal';
  const isWal = handle.prepare(`pragma journal_mode = ${mode}`).get()?.journal_mode === 'wal';
  // Overwrites deleted rows, so that erased personal data is not in the file.
  handle.exec('pragma secure_delete = on');
  if (isWal && onCommit) {
    handle.exec('pragma synchronous = normal');
    handle.exec(`pragma wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
  } else handle.exec('pragma synchronous = full');
  handle.exec('pragma journal_size_limit = 67108864');
  handle.exec('pragma temp_store = memory');
  // Creates the log file, whose inode is kept.
  handle.exec('select count(*) from sqlite_schema');
  // From here on, waiting is left to the caller, since SQLite's own blocks the event loop.
  handle.exec('pragma busy_timeout = 0');
  return handle;
}

/** Migrations run in one transaction, which locks the file: that separates two processes that start at once. */
class OneFileAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** Lets Kysely use `node:sqlite`. */
export const sqliteDialect = (connection: SqliteConnection): Dialect =>
  createDialect({
    acquireConnection: async () => connection,
    beginTransaction: async () => connection.begin(),
    commitTransaction: async () => connection.commit(),
    rollbackTransaction: async () => connection.rollback(),
    destroy: async () => connection.close(),
  });

/** Lets Kysely read through a connection that cannot write. */
export function sqliteReadingDialect(
  connection: DatabaseConnection & { close(): Promise<void> },
): Dialect {
  const refuse = async () => {
    throw new Error('transactions belong to the connection that writes');
  };
  return createDialect({
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: () => connection.close(),
  });
}

const createDialect = (driver: Omit<Driver, 'init' | 'releaseConnection'>): Dialect => ({
  createDriver: () => ({ ...driver, init: async () => {}, releaseConnection: async () => {} }),
  createAdapter: () => new OneFileAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});
