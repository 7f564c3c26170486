import type { Db, Trx } from './database.ts';
import type { Engine } from './dialect.ts';
import type { WriteFault } from './write-fault.ts';

/** Publishes to every node, once the transaction is committed, that what a key stands for has changed. */
export type Announce = (topic: string, key: string) => void;

/** Prefix of topics that stay in this process. */
export const OWN_PROCESS = 'own:';

/** Called with the key that changed, or with undefined when anything may have changed. */
export type ChangeListener = (key: string | undefined) => void;

/** Connections that requests elsewhere cannot use up. */
export type Bulkhead = 'hot' | 'licences';

/** A statement that each connection prepares once. */
export interface PreparedStatement {
  /** Not that of another statement. */
  name: string;
  /** With `$1` … for the values. */
  text: string;
}

export interface Datastore {
  readonly engine: Engine;
  readonly db: Db;
  /** For long reads, which block no other request. */
  readonly reader: Db;
  /**
   * Runs work in one transaction and retries it while others hold locks that it needs, so it must have no effects but
   * those on `trx`. After the commit, listeners of this process hear the announced changes at once, those of other
   * processes within a second. If a commit fails, they also hear of it, except on topics of `OWN_PROCESS`: it may have
   * been made, or be made later.
   * @throws DomainError `service_unavailable` when others held the locks for too long
   */
  transaction<T>(work: (trx: Trx, announce: Announce) => Promise<T>): Promise<T>;
  /**
   * Runs a prepared statement as a transaction of its own, with one message to the server and one back. Retries it as
   * `transaction` does. Undefined where that is not possible: on SQLite, through a pooler and within a transaction.
   * @throws DomainError `service_unavailable` when others held the locks for too long
   */
  runPrepared?<R>(statement: PreparedStatement, values: readonly unknown[]): Promise<R[]>;
  onChange(topic: string, listener: ChangeListener): void;
  /** The same database through other connections. SQLite has only one, so there it is the same object. */
  bulkhead(name: Bulkhead): Datastore;
  /** Publishes to the listeners of other nodes at once, outside of a transaction. Messages may get lost. */
  tell(topic: string, key: string): void;
  /** Runs work on a connection for changes of the schema and the like, which may take long and hold locks of their session. */
  withMigrationDb<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Whether changes of other processes are heard of at once. Until then caches are up to 5 seconds old; up to about 15
   * after a silent loss of the connection, which takes up to 10 seconds to notice.
   */
  isListening(): boolean;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
  /** Bytes on disk, without the log. */
  size(): Promise<number>;
  /**
   * Why nothing can be written although the database answers; undefined if it can be written. After a failed write a
   * trial write is made, once a second at most.
   */
  findWriteFault(): Promise<WriteFault | undefined>;
  /**
   * Removes deleted and replaced rows of tables from the database files, as far as the engine can, without blocking
   * others.
   * @throws if others keep the database busy
   */
  purge(tables: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

type Connections = 'db' | 'reader' | 'transaction' | 'runPrepared' | 'bulkhead';

/** The members of a datastore that do not depend on the connection. */
export const shareNode = (datastore: Datastore): Omit<Datastore, Connections> => ({
  engine: datastore.engine,
  onChange: (topic, listener) => datastore.onChange(topic, listener),
  tell: (topic, key) => datastore.tell(topic, key),
  withMigrationDb: (work) => datastore.withMigrationDb(work),
  isListening: () => datastore.isListening(),
  ping: () => datastore.ping(),
  size: () => datastore.size(),
  findWriteFault: () => datastore.findWriteFault(),
  purge: (tables) => datastore.purge(tables),
  close: () => datastore.close(),
});

/**
 * The same database within an open transaction: everything is committed with it.
 * @param announce as given to the work of the transaction
 */
export const joinTransaction = (datastore: Datastore, trx: Trx, announce: Announce): Datastore => ({
  ...shareNode(datastore),
  db: trx,
  reader: trx,
  transaction: (work) => work(trx, announce),
  bulkhead: () => joinTransaction(datastore, trx, announce),
});
