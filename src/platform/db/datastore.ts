import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { ApiError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Database, Db, Trx } from './database.ts';
import { databaseFault, type Engine } from './dialect.ts';
import type { PoolName } from './postgres.ts';
import { SqliteConnection, sqliteDialect, sqliteReadingDialect } from './sqlite-driver.ts';
import { purgeSqlite } from './sqlite-purge.ts';
import { SqliteReader } from './sqlite-reader.ts';
import { isDiskFull, toWriteFault, type WriteFault } from './write-fault.ts';

/** Tells every node, once the transaction is committed, that what stands behind a key has changed. */
export type Announce = (topic: string, key: string) => void;

/** What begins the topics that only this process hears. */
export const OWN_PROCESS = 'own:';

/** Called with the key that changed, or with undefined when anything may have. */
type ChangeListener = (key: string | undefined) => void;

/** What has connections of its own, so that whatever waits elsewhere leaves it alone. */
export type Bulkhead = 'hot' | 'licences';

export interface Datastore {
  readonly engine: Engine;
  readonly db: Db;
  /** To read with where that may take a while: in its turn nobody else waits for it. */
  readonly reader: Db;
  /**
   * Runs work in one transaction and retries it while others hold what it needs, so it must have no
   * other effect than on `trx`. After the commit the announced changes reach the listeners of this
   * process at once, those of other processes within a second.
   * @throws ApiError 503 `service_unavailable` when others held it for too long
   */
  transaction<T>(work: (trx: Trx, announce: Announce) => Promise<T>): Promise<T>;
  onChange(topic: string, listener: ChangeListener): void;
  /** The same database by way of other connections. SQLite has only one, so there it is the same object. */
  bulkhead(name: Bulkhead): Datastore;
  /**
   * Tells the listeners of other nodes at once, outside of any transaction. It may get lost: for
   * what need not be known.
   */
  tell(topic: string, key: string): void;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
  /** How much the database takes on its disk, in bytes, its log excepted. */
  size(): Promise<number>;
  /**
   * Why nothing can be written now, although the database answers; undefined if it can be. After a write that
   * failed it is tried again, by writing something, once a second at most.
   */
  findWriteFault(): Promise<WriteFault | undefined>;
  /**
   * Takes what was deleted from tables, or replaced in them, out of the files of the database, as far as
   * the engine can. Others are served meanwhile.
   * @throws if that cannot be done now, because others are using the database
   */
  purge(tables: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const RETRY_FOR_MS = 8_000;
const TRY_WRITING_MS = 1_000;
const CHANNEL = 'pavis_changes';
const SQLITE_WATCH_MS = 200;
/** PostgreSQL refuses a NOTIFY of 8,000 bytes. */
const NOTIFY_MAX_BYTES = 7_000;
const EVERYTHING = '*';
/** More than this waits only where the database does not answer. */
const UNTOLD_MAX = 10_000;
/** Room is left for the name of the node. */
const TOLD_MAX_BYTES = 6_800;

type Announced = [topic: string, key: string];

/** The part of the two engines' datastores that is the same. */
abstract class BaseDatastore implements Datastore {
  abstract readonly engine: Engine;
  abstract readonly reader: Db;
  abstract purge(tables: readonly string[]): Promise<void>;
  abstract size(): Promise<number>;
  readonly db: Db;
  readonly #listeners = new Map<string, Set<ChangeListener>>();
  /** Of the last write that failed; only a trial write ends it, since small writes may still succeed. */
  #writeFault: WriteFault | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.db = db;
  }

  transaction<T>(work: (trx: Trx, announce: Announce) => Promise<T>): Promise<T> {
    return this.transactOn(this.db, work);
  }

  bulkhead(_name: Bulkhead): Datastore {
    return this;
  }

  protected async transactOn<T>(
    db: Db,
    work: (trx: Trx, announce: Announce) => Promise<T>,
  ): Promise<T> {
    const deadline = Date.now() + RETRY_FOR_MS;
    for (let attempt = 1; ; attempt++) {
      const announced: Announced[] = [];
      try {
        const result = await db.transaction().execute(async (trx) => {
          const value = await work(trx, (topic, key) => announced.push([topic, key]));
          const forAll = announced.filter(([topic]) => !topic.startsWith(OWN_PROCESS));
          if (forAll.length > 0) await this.broadcast(trx, forAll);
          return value;
        });
        for (const [topic, key] of announced) this.heard(topic, key);
        return result;
      } catch (error) {
        if (databaseFault(error) !== 'contention') {
          this.#writeFault = toWriteFault(error) ?? this.#writeFault;
          throw error;
        }
        if (Date.now() >= deadline) {
          throw new ApiError(
            503,
            'service_unavailable',
            'The database is busy. Try again in a moment.',
          );
        }
        await wait(Math.min(250, 2 ** attempt) * (0.5 + Math.random()));
      }
    }
  }

  onChange(topic: string, listener: ChangeListener): void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
  }

  async ping(): Promise<void> {
    await sql`select 1`.execute(this.db);
  }

  async findWriteFault(): Promise<WriteFault | undefined> {
    const seen = await this.lookForWriteFault();
    if (seen || !this.#writeFault) return seen;
    if (performance.now() - this.#triedAt > TRY_WRITING_MS) {
      this.#triedAt = performance.now();
      await this.#tryWriting();
    }
    return this.#writeFault;
  }

  async #tryWriting(): Promise<void> {
    try {
      await this.writeOnTrial();
      this.#writeFault = undefined;
    } catch (error) {
      this.#writeFault = toWriteFault(error) ?? this.#writeFault;
    }
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }

  /** Without writing anything: what can be seen of it. */
  protected abstract lookForWriteFault(): Promise<WriteFault | undefined>;

  /** Writes a mebibyte, of which nothing stays: less could succeed on the last free bytes. */
  protected abstract writeOnTrial(): Promise<void>;

  protected heard(topic: string, key: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(key);
  }

  protected anythingMayHaveChanged(): void {
    for (const listeners of this.#listeners.values()) {
      for (const listener of listeners) listener(undefined);
    }
  }

  tell(_topic: string, _key: string): void {}

  /** Leaves the announcements for other processes, as part of the transaction. */
  protected async broadcast(_trx: Trx, _announced: Announced[]): Promise<void> {}
}

/** The embedded database. Other processes' writes (the command line's) are noticed by SQLite's own counter. */
class SqliteDatastore extends BaseDatastore {
  readonly engine = 'sqlite';
  readonly reader: Db;
  readonly #watch: NodeJS.Timeout;
  readonly #path: string;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const connection = new SqliteConnection(path);
    super(new Kysely<Database>({ dialect: sqliteDialect(connection) }));
    this.#path = path;
    this.reader = new Kysely<Database>({ dialect: sqliteReadingDialect(new SqliteReader(path)) });
    let seen = connection.dataVersion();
    this.#watch = setInterval(() => {
      let version: string;
      try {
        version = connection.dataVersion();
      } catch {
        return; // Unavailable for now: queries report it.
      }
      if (version === seen) return;
      seen = version;
      this.anythingMayHaveChanged();
    }, SQLITE_WATCH_MS).unref();
  }

  purge(): Promise<void> {
    return purgeSqlite(this.#path);
  }

  protected override async lookForWriteFault(): Promise<WriteFault | undefined> {
    return (await isDiskFull(dirname(this.#path))) ? 'disk full' : undefined;
  }

  protected override async writeOnTrial(): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      await sql`create table pavis_write_trial as select zeroblob(1048576) as filler`.execute(trx);
      await sql`drop table pavis_write_trial`.execute(trx);
    });
  }

  async size(): Promise<number> {
    return (await stat(this.#path)).size;
  }

  override async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.reader.destroy();
    await super.close();
  }
}

class PostgresDatastore extends BaseDatastore {
  readonly engine = 'postgres';
  readonly reader = this.db;
  readonly #hot: Db;
  readonly #licences: Db;
  readonly #health: Db;
  /** Tells our own announcements, acted on at the commit already, from those of other nodes. */
  readonly #node = randomUUID();
  #unsubscribe: (() => Promise<void>) | undefined;
  #untold: Announced[] = [];
  #isTelling = false;

  static async open(url: string, log: Logger): Promise<PostgresDatastore> {
    const { createPool, subscribe } = await import('./postgres.ts');
    const connect = (name: PoolName) =>
      new Kysely<Database>({ dialect: new PostgresDialect({ pool: createPool(url, log, name) }) });
    const datastore = new PostgresDatastore(connect);
    const subscription = await subscribe(
      url,
      CHANNEL,
      log,
      (payload) => datastore.#hear(payload),
      () => datastore.anythingMayHaveChanged(),
    );
    datastore.#unsubscribe = () => subscription.close();
    return datastore;
  }

  private constructor(connect: (name: PoolName) => Db) {
    super(connect('main'));
    this.#hot = connect('hot');
    this.#licences = connect('licences');
    this.#health = connect('health');
  }

  override bulkhead(name: Bulkhead): Datastore {
    const db = name === 'hot' ? this.#hot : this.#licences;
    return {
      engine: this.engine,
      db,
      reader: db,
      transaction: (work) => this.transactOn(db, work),
      onChange: (topic, listener) => this.onChange(topic, listener),
      bulkhead: (other) => this.bulkhead(other),
      tell: (topic, key) => this.tell(topic, key),
      ping: () => this.ping(),
      findWriteFault: () => this.findWriteFault(),
      size: () => this.size(),
      purge: (tables) => this.purge(tables),
      close: () => this.close(),
    };
  }

  override async ping(): Promise<void> {
    await sql`select 1`.execute(this.#health);
  }

  async size(): Promise<number> {
    const { rows } = await sql<{
      bytes: number;
    }>`select pg_database_size(current_database()) as bytes`.execute(this.db);
    return rows[0]?.bytes ?? 0;
  }

  override async close(): Promise<void> {
    await this.#unsubscribe?.();
    this.#untold = [];
    await Promise.all([this.#hot, this.#licences, this.#health].map((db) => db.destroy()));
    await super.close();
  }

  protected override async lookForWriteFault(): Promise<WriteFault | undefined> {
    const { rows } = await sql<{
      transaction_read_only: string;
    }>`show transaction_read_only`.execute(this.#health);
    return rows[0]?.transaction_read_only === 'on' ? 'read-only' : undefined;
  }

  protected override async writeOnTrial(): Promise<void> {
    await this.#health.transaction().execute((trx) =>
      sql`create temporary table pavis_write_trial on commit drop as
        select repeat(md5(n::text), 32) as filler from generate_series(1, 1024) n`.execute(trx),
    );
  }

  /** Frees the space of dead rows for new ones; autovacuum would do it later. */
  async purge(tables: readonly string[]): Promise<void> {
    for (const table of tables) await sql`vacuum ${sql.table(table)}`.execute(this.db);
  }

  override tell(topic: string, key: string): void {
    if (this.#untold.length < UNTOLD_MAX) this.#untold.push([topic, key]);
    if (this.#isTelling) return;
    this.#isTelling = true;
    void this.#tellAll();
  }

  /** While one message is on its way the next fills up, so that few are sent where much is told. */
  async #tellAll(): Promise<void> {
    while (this.#untold.length > 0) {
      const payload = JSON.stringify({ node: this.#node, announced: this.#nextToTell() });
      // Without waiting for the disk: nobody misses it after a crash.
      await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${payload})`
        .execute(this.#hot)
        .catch(() => {});
    }
    this.#isTelling = false;
  }

  /** As much as fits into one message. */
  #nextToTell(): Announced[] {
    let bytes = 0;
    const tooMuch = this.#untold.findIndex((each) => {
      bytes += Buffer.byteLength(JSON.stringify(each)) + 1;
      return bytes > TOLD_MAX_BYTES;
    });
    return this.#untold.splice(0, tooMuch < 0 ? this.#untold.length : Math.max(1, tooMuch));
  }

  protected override async broadcast(trx: Trx, announced: Announced[]): Promise<void> {
    const payload = JSON.stringify({ node: this.#node, announced });
    const fits = Buffer.byteLength(payload) <= NOTIFY_MAX_BYTES;
    await sql`select pg_notify(${CHANNEL}, ${fits ? payload : EVERYTHING})`.execute(trx);
  }

  #hear(payload: string): void {
    if (payload === EVERYTHING) {
      this.anythingMayHaveChanged();
      return;
    }
    const { node, announced } = JSON.parse(payload) as { node: string; announced: Announced[] };
    if (node === this.#node) return;
    for (const [topic, key] of announced) this.heard(topic, key);
  }
}

/**
 * The same database for work that is a part of an open transaction: what it writes is committed with that.
 * @param announce as given to the work of the transaction
 */
export const joinTransaction = (datastore: Datastore, trx: Trx, announce: Announce): Datastore => ({
  engine: datastore.engine,
  db: trx,
  reader: trx,
  transaction: (work) => work(trx, announce),
  onChange: (topic, listener) => datastore.onChange(topic, listener),
  bulkhead: () => joinTransaction(datastore, trx, announce),
  tell: (topic, key) => datastore.tell(topic, key),
  ping: () => datastore.ping(),
  size: () => datastore.size(),
  findWriteFault: () => datastore.findWriteFault(),
  purge: (tables) => datastore.purge(tables),
  close: () => datastore.close(),
});

/** Opens the database that a URL names: `sqlite:/path/to/file.db` or `postgres://…`. */
export async function openDatastore(url: string, log: Logger): Promise<Datastore> {
  return url.startsWith('sqlite:')
    ? new SqliteDatastore(url.slice('sqlite:'.length))
    : PostgresDatastore.open(url, log);
}
