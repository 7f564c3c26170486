import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { type Datastore, databaseFault } from '../../../platform/db/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import { type IncomingConsent, type RecordedConsent, recordConsents } from './store.ts';

const BATCH_MAX = 500;
/** Those that are there wait no longer than this for those that come. */
const TURNS_MAX = 8;
const QUEUE_MAX = 10_000;

interface Waiting extends IncomingConsent {
  resolve: (recorded: RecordedConsent) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes decisions in groups: those that come one after the other, and while a commit runs. Each is answered
 * after its commit, so it is durable before it is acknowledged, and many share the cost of one.
 */
export class ConsentWriter {
  readonly #datastore: Datastore;
  readonly #queue: Waiting[] = [];
  #running = false;

  constructor(datastore: Datastore) {
    this.#datastore = datastore;
  }

  /**
   * Writes a decision, unless it was sent before.
   * @throws ApiError 503 `service_unavailable` when too many wait already
   */
  write(incoming: IncomingConsent): Promise<RecordedConsent> {
    if (this.#queue.length >= QUEUE_MAX) {
      throw new ApiError(
        503,
        'service_unavailable',
        'Too many decisions are waiting. Try again in a moment.',
      );
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...incoming, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#queue.length > 0) {
      await this.#untilNobodyCame();
      await this.#commit(this.#queue.splice(0, BATCH_MAX));
    }
    this.#running = false;
  }

  /** Waits while each turn of the event loop brings more: a fuller group costs each of them less. */
  async #untilNobodyCame(): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      const waiting = this.#queue.length;
      await turnOfTheLoop();
      if (this.#queue.length === waiting || this.#queue.length >= BATCH_MAX) return;
    }
  }

  async #commit(batch: Waiting[]): Promise<void> {
    try {
      const recorded = await this.#datastore.transaction((trx) => recordConsents(trx, batch));
      for (const [at, { resolve }] of batch.entries()) resolve(recorded[at] as RecordedConsent);
    } catch (error) {
      const isOurFault = databaseFault(error) === 'fault';
      if (batch.length === 1 || !isOurFault) for (const { reject } of batch) reject(error);
      // One that the database refuses must not take the others with it.
      else for (const each of batch) await this.#commit([each]);
    }
  }
}
