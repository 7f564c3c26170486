import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import { type Datastore, databaseFault } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { WebhookSubscriptions } from '../../../webhooks/index.ts';
import { queueConsentEvents } from '../consent-webhooks.ts';
import { storeSharedChoices } from '../shared-choices/store.ts';
import { findFirstConsents } from '../store.ts';
import { recordAtOnce } from './at-once/store.ts';
import {
  deleteOldRepeats,
  type IncomingConsent,
  type RecordedConsent,
  recordConsents,
} from './store.ts';

const BATCH_MAX = 500;
/** A batch waits at most this many turns of the event loop for further choices. */
const TURNS_MAX = 8;
const QUEUE_MAX = 10_000;
const DELETE_REPEATS_EVERY_MS = 1_000;

interface Waiting extends IncomingConsent {
  resolve: (recorded: RecordedConsent) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes consent choices with group commit: those that arrive while a commit runs share the next one. Each is
 * acknowledged after its commit, so it is durable by then.
 */
export class ConsentWriter {
  readonly #datastore: Datastore;
  readonly #webhooks: WebhookSubscriptions;
  readonly #clock: Clock;
  readonly #queue: Waiting[] = [];
  #running = false;
  /** When old keys were last deleted, on the monotonic clock. */
  #deletedAt = Number.NEGATIVE_INFINITY;

  constructor({ datastore, webhooks, clock }: Pick<Platform, 'datastore' | 'webhooks' | 'clock'>) {
    this.#datastore = datastore;
    this.#clock = clock;
    this.#webhooks = webhooks;
  }

  /**
   * Writes a consent choice, unless it is a repetition.
   * @throws DomainError `service_unavailable` if the queue is full
   */
  write(incoming: IncomingConsent): Promise<RecordedConsent> {
    if (this.#queue.length >= QUEUE_MAX) {
      throw new DomainError(
        'unavailable',
        'service_unavailable',
        'Too many consent choices are queued. Try again in a moment.',
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
      await this.#collectBatch();
      await this.#commit(this.#queue.splice(0, BATCH_MAX));
    }
    this.#running = false;
  }

  /** Waits while each turn of the event loop adds choices: a larger batch costs less per choice. */
  async #collectBatch(): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      const waiting = this.#queue.length;
      await turnOfTheLoop();
      if (this.#queue.length === waiting || this.#queue.length >= BATCH_MAX) return;
    }
  }

  async #commit(batch: Waiting[]): Promise<void> {
    try {
      const recorded = await this.#record(batch);
      // The next batch need not wait for it.
      void this.#acknowledge(batch, recorded);
    } catch (error) {
      const isOurFault = databaseFault(error) === 'fault';
      if (batch.length === 1 || !isOurFault) for (const { reject } of batch) reject(error);
      // One choice that the database rejects must not fail the others.
      else for (const each of batch) await this.#commit([each]);
    }
  }

  /** One search for a batch: one for each choice would cost more than to write it. */
  async #acknowledge(batch: Waiting[], recorded: RecordedConsent[]): Promise<void> {
    const visitors = batch.flatMap(({ needsFirst, consent }) =>
      needsFirst ? consent.visitor_id : [],
    );
    // The choices are recorded, whether or not the search succeeds.
    const firstIds =
      visitors.length === 0
        ? undefined
        : await findFirstConsents(this.#datastore.db, visitors).catch(() => undefined);
    for (const [at, { resolve, consent }] of batch.entries())
      resolve({
        ...(recorded[at] as RecordedConsent),
        firstId: firstIds?.get(consent.visitor_id),
      });
  }

  async #record(batch: Waiting[]): Promise<RecordedConsent[]> {
    if (batch.some(({ repeatKey }) => repeatKey)) await this.#deleteOldRepeats();
    // In memory, so that the events cost nothing while nobody receives them.
    const hasReceivers = await this.#webhooks.has('consent.recorded');
    const hasMore = hasReceivers || batch.some(({ owner }) => owner);
    const recorded = hasMore ? undefined : await recordAtOnce(this.#datastore, batch);
    return recorded ?? this.#transact(batch, hasReceivers);
  }

  /** Not with each batch: it reads all keys of the last seconds. */
  async #deleteOldRepeats(): Promise<void> {
    const now = this.#clock.monotonic();
    if (now - this.#deletedAt < DELETE_REPEATS_EVERY_MS) return;
    this.#deletedAt = now;
    await this.#datastore.transaction((trx) => deleteOldRepeats(trx, this.#clock.now()));
  }

  #transact(batch: Waiting[], hasReceivers: boolean): Promise<RecordedConsent[]> {
    return this.#datastore.transaction(async (trx, announce) => {
      const records = await recordConsents(trx, batch);
      if (batch.some(({ owner }) => owner)) {
        const owned = batch.flatMap(({ owner, consent }, at) =>
          owner ? [{ owner, consent, recordId: records[at]?.id as number }] : [],
        );
        await storeSharedChoices(trx, owned);
      }
      if (hasReceivers) {
        const fresh = batch.flatMap(({ consent }, at) =>
          records[at]?.isRepeat === false ? [{ id: records[at].id, consent }] : [],
        );
        await queueConsentEvents(trx, announce, fresh);
      }
      return records;
    });
  }
}
