import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from '../log.ts';
import { type Announcement, BaseDatastore } from './base-datastore.ts';
import type { Database, Db, Trx } from './database.ts';
import { toUnconfirmed } from './database-fault.ts';
import { type Bulkhead, type Datastore, type PreparedStatement, shareNode } from './datastore.ts';
import { PoolerDialect } from './pooler-dialect.ts';
import { createPool, type PoolName } from './postgres.ts';
import { type Subscription, subscribe } from './postgres-subscription.ts';
import type { WriteFault } from './write-fault.ts';

const CHANNEL = 'pavis_changes';
/** PostgreSQL refuses a NOTIFY of 8,000 bytes. */
const NOTIFY_MAX_BYTES = 7_000;
/** Leaves room for the id of the node. */
const ANNOUNCEMENTS_MAX_BYTES = 6_800;
/** The message for more changes than fit. */
const EVERYTHING = '*';
/** Only reached while the database does not answer. */
const QUEUE_MAX_LENGTH = 10_000;

interface Connections {
  db: Db;
  /** Undefined where connections belong to a pooler, which may not keep prepared statements. */
  direct?: Pool;
}

export class PostgresDatastore extends BaseDatastore {
  readonly engine = 'postgres';
  readonly reader = this.db;
  readonly #hot: Connections;
  readonly #licences: Connections;
  readonly #health: Db;
  readonly #connect: (name: PoolName) => Connections;
  /** Tells our own messages from those of other nodes. */
  readonly #node = randomUUID();
  /** The same for messages of transactions, handled at the commit already. Replaced when a commit fails. */
  #committer = randomUUID();
  /** Connections for what may take long, while they are in use. */
  readonly #longRunning = new Set<Db>();
  #subscription: Subscription | undefined;
  #queue: Announcement[] = [];
  #isSending = false;

  /**
   * @param directUrl of the same database without the pooler that `url` goes through: for notifications, and for the
   * lock while the schema is changed, which belong to a session
   */
  static async open(url: string, log: Logger, directUrl = url): Promise<PostgresDatastore> {
    const hasPooler = directUrl !== url;
    const datastore = new PostgresDatastore((name) => {
      if (!hasPooler || name === 'migrations') {
        const pool = createPool(directUrl, log, name);
        return {
          db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
          direct: pool,
        };
      }
      const pool = createPool(url, log, name, true);
      return { db: new Kysely<Database>({ dialect: new PoolerDialect({ pool }) }) };
    });
    const subscription = await subscribe(
      directUrl,
      CHANNEL,
      log,
      (payload) => datastore.#receive(payload),
      () => datastore.notifyAllListeners(),
      () => datastore.#clearCaches(),
    );
    datastore.#subscription = subscription;
    return datastore;
  }

  private constructor(connect: (name: PoolName) => Connections) {
    super(connect('main').db);
    this.#connect = connect;
    this.#hot = connect('hot');
    this.#licences = connect('licences');
    this.#health = connect('health').db;
  }

  override bulkhead(name: Bulkhead): Datastore {
    const { db, direct } = name === 'hot' ? this.#hot : this.#licences;
    return {
      ...shareNode(this),
      db,
      reader: db,
      transaction: (work) => this.transactOn(db, work),
      ...(direct && {
        runPrepared: (statement, values) => this.retry(() => run(direct, statement, values)),
      }),
      bulkhead: (other) => this.bulkhead(other),
    };
  }

  override async withMigrationDb<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const { db } = this.#connect('migrations');
    this.#longRunning.add(db);
    try {
      return await work(db);
    } finally {
      this.#longRunning.delete(db);
      await db.destroy();
    }
  }

  override isListening(): boolean {
    return this.#subscription?.isListening() ?? false;
  }

  /** While the database does not respond either, caches stay: they are all that there is. */
  async #clearCaches(): Promise<void> {
    await this.ping().then(
      () => this.notifyAllListeners(),
      () => {},
    );
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

  protected override async checkWriteFault(): Promise<WriteFault | undefined> {
    const { rows } = await sql<{
      transaction_read_only: string;
    }>`show transaction_read_only`.execute(this.#health);
    return rows[0]?.transaction_read_only === 'on' ? 'read-only' : undefined;
  }

  protected override async writeTrial(): Promise<void> {
    await this.#health.transaction().execute((trx) =>
      sql`create temporary table pavis_write_trial on commit drop as
        select repeat(md5(n::text), 32) as filler from generate_series(1, 1024) n`.execute(trx),
    );
  }

  /** Frees the space of dead rows for new ones; autovacuum would do it later. */
  async purge(tables: readonly string[]): Promise<void> {
    // Of a large table, this takes longer than a query of a request may.
    await this.withMigrationDb(async (db) => {
      for (const table of tables) await sql`vacuum ${sql.table(table)}`.execute(db);
    });
  }

  override tell(topic: string, key: string): void {
    if (this.#queue.length < QUEUE_MAX_LENGTH) this.#queue.push([topic, key]);
    if (!this.#isSending) void this.#sendQueue();
  }

  /** While one message is under way, the next fills up, so that heavy use sends few. */
  async #sendQueue(): Promise<void> {
    this.#isSending = true;
    while (this.#queue.length > 0) {
      const payload = JSON.stringify({ node: this.#node, announced: this.#takeMessage() });
      // Does not wait for the disk: these messages need not survive a crash.
      await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${payload})`
        .execute(this.#hot.db)
        .catch(() => {});
    }
    this.#isSending = false;
  }

  /** Takes as much of the queue as fits into one message. */
  #takeMessage(): Announcement[] {
    let bytes = 0;
    const end = this.#queue.findIndex((each) => {
      bytes += Buffer.byteLength(JSON.stringify(each)) + 1;
      return bytes > ANNOUNCEMENTS_MAX_BYTES;
    });
    return this.#queue.splice(0, end < 0 ? this.#queue.length : Math.max(1, end));
  }

  protected override async broadcast(trx: Trx, announced: Announcement[]): Promise<void> {
    const payload = JSON.stringify({ node: this.#committer, announced });
    const fits = Buffer.byteLength(payload) <= NOTIFY_MAX_BYTES;
    await sql`select pg_notify(${CHANNEL}, ${fits ? payload : EVERYTHING})`.execute(trx);
  }

  /** A commit that waits for a standby can be made later than we wait for it. Then its message is heard like those of other nodes. */
  protected override handleFailedCommit(
    error: unknown,
    announced: readonly Announcement[],
  ): unknown {
    this.#committer = randomUUID();
    super.handleFailedCommit(error, announced);
    return toUnconfirmed(error);
  }

  #receive(payload: string): void {
    if (payload === EVERYTHING) {
      this.notifyAllListeners();
      return;
    }
    const { node, announced } = JSON.parse(payload) as { node: string; announced: Announcement[] };
    if (node !== this.#node && node !== this.#committer) this.notifyListeners(announced);
  }

  override async close(): Promise<void> {
    this.#queue = [];
    // At once: a database that does not respond holds up each of them for its whole timeout.
    await Promise.all([
      this.#subscription?.close(),
      disconnect(this.#hot),
      disconnect(this.#licences),
      this.#health.destroy(),
      ...[...this.#longRunning].map((db) => db.destroy()),
      super.close(),
    ]);
  }
}

/** Kysely ends a pool only if a query of its own has used it; an idle connection would keep the process alive. */
async function disconnect({ db, direct }: Connections): Promise<void> {
  await db.destroy();
  if (direct && !direct.ending) await direct.end();
}

async function run<R>(
  pool: Pool,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<R[]> {
  const client = await pool.connect();
  try {
    return (await client.query({ name, text, values: [...values] })).rows;
  } catch (error) {
    throw toUnconfirmed(error);
  } finally {
    client.release();
  }
}
