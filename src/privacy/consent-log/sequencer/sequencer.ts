import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isRecent } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import type { ConsentLog } from '../log/open.ts';
import type { LogLoss } from '../lost-log/schemas.ts';
import { noteHead } from '../noted-head/service.ts';
import type { AppenderOrder } from './open.ts';
import { getLateDelay } from './rules.ts';
import type { ThreadMessage } from './sequencer-worker.ts';
import { findHighestIds } from './store.ts';

/** How often it looks for rows that are not logged. */
const CHECK_EVERY_MS = 1_000;
/** After a failure; the database or the disk may be away for long. */
const RETRY_MS = 5_000;
/** Before it exits, the server waits this long for the thread, and this long after the last report of the thread. */
const FINISH_MS = 5_000;
const SILENCE_MS = 1_500;
/** Sources run as .ts, the package as .js. */
const WORKER = new URL(`./sequencer-worker${extname(import.meta.url)}`, import.meta.url);

/** The last failure of the thread. */
export interface SequencerFailure {
  /** Epoch milliseconds. */
  at: number;
  message: string;
}

/**
 * Starts the thread that writes the log when there are rows without an entry, and once a day for a new checkpoint. A
 * failing thread affects nothing else: the rows stay in the database and are logged later.
 */
export class Sequencer {
  readonly #platform: Pick<Platform, 'datastore' | 'clock' | 'log'>;
  readonly #log: ConsentLog;
  readonly #order: () => AppenderOrder;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #isStarted = false;
  /** Whether the main database has noted how long the log is. */
  #isNoted = false;
  /** Whether a thread of this process has read all entries and found no changed one. */
  #isChecked = false;
  /** Why the thread does not write the log. Only the thread finds a changed entry. */
  #loss: LogLoss | undefined;
  #retryAt = 0;
  /**
   * When the thread is started to look for rows that were committed late, and how long after the last look. PostgreSQL
   * can commit a row after rows with higher ids. Without newer rows, only the thread sees it.
   */
  #lookAt = 0;
  #lookAfterMs: number | undefined;
  /** Undefined until the thread has reported that it is there. */
  #reportedAt: number | undefined;
  /** Undefined after a success. */
  #failure: SequencerFailure | undefined;

  /** @param order called when the thread is started, because the address of the site is known only then */
  constructor(
    platform: Pick<Platform, 'datastore' | 'clock' | 'log'>,
    log: ConsentLog,
    order: () => AppenderOrder,
  ) {
    this.#platform = platform;
    this.#log = log;
    this.#order = order;
  }

  get failure(): SequencerFailure | undefined {
    return this.#failure;
  }

  get loss(): LogLoss | undefined {
    return this.#loss;
  }

  start(): void {
    this.#isStarted = true;
    const check = () => {
      this.#checking ??= this.#check()
        .catch((error: Error) => this.#fail(error.message))
        .finally(() => {
          this.#checking = undefined;
        });
    };
    this.#timer = setInterval(check, CHECK_EVERY_MS).unref();
    // What a killed server committed last is not logged.
    check();
  }

  /** Requests that are still answered may commit rows: `close` ends the thread. */
  async stop(): Promise<void> {
    const { datastore } = this.#platform;
    clearInterval(this.#timer);
    // A query of this process that PostgreSQL does not answer would delay the exit. The thread can be ended.
    if (datastore.engine === 'postgres' && !this.#failure) this.#startThread();
  }

  /**
   * Logs what is committed, and ends the thread. What is left when the database does not respond or there is too much,
   * and what a killed server committed last, is logged after the next start.
   */
  async close(): Promise<void> {
    const { datastore, clock, log } = this.#platform;
    if (datastore.engine === 'sqlite' && this.#isStarted && !this.#failure) {
      await this.#check().catch((err) => log.error({ err }, 'cannot read the consent log'));
    }
    this.#isStarted = false;
    const worker = this.#worker;
    if (!worker) return;
    worker.postMessage('finish');
    const endsAt = clock.monotonic() + FINISH_MS;
    const timer = setInterval(() => {
      const now = clock.monotonic();
      const isSilent = this.#reportedAt !== undefined && now - this.#reportedAt > SILENCE_MS;
      if (isSilent || now > endsAt) void worker.terminate();
    }, 50);
    await this.#ended;
    clearInterval(timer);
    // Else the log could be replaced by one without the last entries before the next start.
    if (datastore.engine === 'sqlite' && !this.#failure) {
      await noteHead(datastore, this.#log).catch((err) =>
        log.error({ err }, 'cannot note the head of the consent log'),
      );
    }
  }

  async #check(): Promise<void> {
    if (!this.#isNoted) {
      this.#isNoted = true;
      await noteHead(this.#platform.datastore, this.#log).catch((error: Error) => {
        this.#isNoted = false;
        throw error;
      });
    }
    if (this.#worker || this.#platform.clock.monotonic() < this.#retryAt) return;
    if (await this.#hasWork()) this.#startThread();
    // Every row has its entry: the last failure is over, for example that of a database that was away.
    else this.#failure = undefined;
  }

  async #hasWork(): Promise<boolean> {
    const { datastore, clock } = this.#platform;
    if (datastore.engine === 'postgres' && clock.monotonic() >= this.#lookAt) return true;
    const [head, logged, there] = [
      await this.#log.readHead(),
      await this.#log.readLastIds(),
      await findHighestIds(datastore.db),
    ];
    if (there[1] > logged[1] || there[2] > logged[2]) return true;
    if (head && !this.#isChecked) return true;
    return head !== undefined && !isRecent(head.signedAt, DAY_MS, clock.now());
  }

  #startThread(): void {
    if (this.#worker || !this.#isStarted) return;
    const worker = new Worker(WORKER, {
      workerData: { ...this.#order(), checksEntries: !this.#isChecked },
    });
    const ended = Promise.withResolvers<void>();
    this.#worker = worker;
    this.#reportedAt = undefined;
    this.#ended = ended.promise;
    worker.unref();
    worker.on('message', (message: ThreadMessage) => {
      const now = this.#platform.clock.monotonic();
      const took = now - (this.#reportedAt ?? now);
      this.#reportedAt = now;
      if ('error' in message) this.#failThread(message, took);
      if (!('logged' in message)) return;
      this.#failure = undefined;
      this.#loss = undefined;
      this.#isChecked = true;
      if (message.logged === 0) return;
      this.#isNoted = false;
      this.#lookAfterMs = undefined;
    });
    worker.on('error', (error) => this.#fail((error as Error).message));
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#lookAfterMs = getLateDelay(this.#lookAfterMs);
      this.#lookAt = this.#platform.clock.monotonic() + this.#lookAfterMs;
      ended.resolve();
    });
  }

  /** @param took milliseconds since the last report */
  #failThread({ error, loss }: { error: string; loss?: LogLoss }, took: number): void {
    // A failure for another reason does not end a loss.
    this.#loss = loss ?? this.#loss;
    // The copy that is put back can have changed entries as well. All entries are read again, which takes long.
    if (loss) this.#isChecked = false;
    this.#fail(error, loss ? Math.max(RETRY_MS, took * 10) : RETRY_MS);
  }

  #fail(message: string, retryAfterMs = RETRY_MS): void {
    const { clock, log } = this.#platform;
    this.#retryAt = clock.monotonic() + retryAfterMs;
    // Once per cause: a full disk would fill the server's log as well.
    if (this.#failure?.message !== message) {
      log.error({ cause: message }, 'cannot write the consent log; it is tried again');
    }
    this.#failure = { at: clock.now(), message };
  }
}
