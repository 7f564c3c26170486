import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { DomainError } from '../errors.ts';
import type { Db, Trx } from './database.ts';
import { databaseFault } from './database-fault.ts';
import {
  type Announce,
  type Bulkhead,
  type ChangeListener,
  type Datastore,
  OWN_PROCESS,
} from './datastore.ts';
import type { Engine } from './dialect.ts';
import { toDatabaseWriteFault, type WriteFault } from './write-fault.ts';

const RETRY_FOR_MS = 8_000;
const TRIAL_WRITE_EVERY_MS = 1_000;

export type Announcement = [topic: string, key: string];

/** What both engines share: transactions with retries, listeners, and the memory of a failed write. */
export abstract class BaseDatastore implements Datastore {
  abstract readonly engine: Engine;
  abstract readonly reader: Db;
  abstract purge(tables: readonly string[]): Promise<void>;
  abstract size(): Promise<number>;
  /** A fault that shows without writing anything. */
  protected abstract checkWriteFault(): Promise<WriteFault | undefined>;
  /** Writes and discards a mebibyte: a smaller write could succeed on the last free bytes. */
  protected abstract writeTrial(): Promise<void>;
  readonly db: Db;
  readonly #listeners = new Map<string, Set<ChangeListener>>();
  /** The fault of the last failed write. Only a trial write clears it, because small writes can still succeed. */
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

  withMigrationDb<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return work(this.db);
  }

  protected async transactOn<T>(
    db: Db,
    work: (trx: Trx, announce: Announce) => Promise<T>,
  ): Promise<T> {
    return this.retry(async () => {
      const announced: Announcement[] = [];
      let forAll: Announcement[] | undefined;
      const transaction = db.transaction().execute(async (trx) => {
        const value = await work(trx, (topic, key) => announced.push([topic, key]));
        const others = announced.filter(([topic]) => !topic.startsWith(OWN_PROCESS));
        if (others.length > 0) await this.broadcast(trx, others);
        forAll = others;
        return value;
      });
      const result = await transaction.catch((error) => {
        throw forAll ? this.handleFailedCommit(error, forAll) : error;
      });
      this.notifyListeners(announced);
      return result;
    });
  }

  /**
   * The change may have been made nevertheless, so caches must not keep what was before.
   * @returns the error to throw
   */
  protected handleFailedCommit(error: unknown, announced: readonly Announcement[]): unknown {
    this.notifyListeners(announced);
    return error;
  }

  /** Runs a transaction, and runs it again while others hold locks that it needs. */
  protected async retry<T>(transact: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + RETRY_FOR_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        return await transact();
      } catch (error) {
        if (databaseFault(error) !== 'contention') {
          this.#writeFault = toDatabaseWriteFault(error) ?? this.#writeFault;
          throw error;
        }
        if (performance.now() >= deadline) {
          throw new DomainError(
            'unavailable',
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

  protected notifyListeners(announced: readonly Announcement[]): void {
    for (const [topic, key] of announced)
      for (const listener of this.#listeners.get(topic) ?? []) listener(key);
  }

  /** After messages of other processes may have been missed. */
  protected notifyAllListeners(): void {
    for (const listeners of this.#listeners.values())
      for (const listener of listeners) listener(undefined);
  }

  tell(_topic: string, _key: string): void {}

  /** Publishes to other processes as part of the transaction. */
  protected async broadcast(_trx: Trx, _announced: Announcement[]): Promise<void> {}

  isListening(): boolean {
    return true;
  }

  async ping(): Promise<void> {
    await sql`select 1`.execute(this.db);
  }

  async findWriteFault(): Promise<WriteFault | undefined> {
    const fault = await this.checkWriteFault();
    if (fault || !this.#writeFault) return fault;
    if (performance.now() - this.#triedAt > TRIAL_WRITE_EVERY_MS) {
      this.#triedAt = performance.now();
      this.#writeFault = await this.writeTrial().then(
        () => undefined,
        (error) => toDatabaseWriteFault(error) ?? this.#writeFault,
      );
    }
    return this.#writeFault;
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }
}
