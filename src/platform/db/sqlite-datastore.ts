import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import { createFolder } from '../durable-file.ts';
import { BaseDatastore } from './base-datastore.ts';
import type { Database, Db } from './database.ts';
import { SqliteCheckpointer } from './sqlite-checkpointer.ts';
import { SqliteConnection, sqliteDialect, sqliteReadingDialect } from './sqlite-driver.ts';
import { purgeSqlite } from './sqlite-purge.ts';
import { SqliteReader } from './sqlite-reader.ts';
import { isDiskFull, type WriteFault } from './write-fault.ts';

const CHECK_VERSION_EVERY_MS = 200;

/** Other processes' writes (those of the command line) show in SQLite's own counter. */
export class SqliteDatastore extends BaseDatastore {
  readonly engine = 'sqlite';
  readonly reader: Db;
  readonly #timer: NodeJS.Timeout;
  readonly #path: string;
  readonly #checkpointer: SqliteCheckpointer;

  constructor(path: string) {
    createFolder(dirname(path));
    const checkpointer = new SqliteCheckpointer(path);
    const connection = new SqliteConnection(path, { onCommit: () => checkpointer.countCommit() });
    super(new Kysely<Database>({ dialect: sqliteDialect(connection) }));
    this.#path = path;
    this.#checkpointer = checkpointer;
    this.reader = new Kysely<Database>({ dialect: sqliteReadingDialect(new SqliteReader(path)) });
    let seen = connection.dataVersion();
    this.#timer = setInterval(() => {
      let version: string;
      try {
        version = connection.dataVersion();
      } catch {
        return; // Unavailable: queries report it.
      }
      if (version === seen) return;
      seen = version;
      this.notifyAllListeners();
    }, CHECK_VERSION_EVERY_MS).unref();
  }

  purge(): Promise<void> {
    return purgeSqlite(this.#path);
  }

  async size(): Promise<number> {
    const log = await stat(`${this.#path}-wal`).catch(() => undefined);
    return (await stat(this.#path)).size + (log?.size ?? 0);
  }

  protected override async checkWriteFault(): Promise<WriteFault | undefined> {
    return (await isDiskFull(dirname(this.#path))) ? 'disk full' : undefined;
  }

  protected override async writeTrial(): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      await sql`create table pavis_write_trial as select zeroblob(1048576) as filler`.execute(trx);
      await sql`drop table pavis_write_trial`.execute(trx);
    });
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.reader.destroy();
    await this.#checkpointer.close();
    await super.close();
  }
}
