import { CLOCKS_DIFFER_MS } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { GRACE_MS, Worker } from '../../platform/jobs/worker.ts';
import { settleWithin } from '../../platform/settle-within.ts';
import { DEACTIVATED, FAILING_FOR_MS } from '../endpoints/rules.ts';
import { deactivateEndpoint } from '../endpoints/service.ts';
import { clearFailing, findEndpoint, lockEndpoint, markFailing } from '../endpoints/store.ts';
import { WEBHOOKS_QUEUED } from '../events/service.ts';
import { ENDPOINTS_CHANGED } from '../events/subscriptions.ts';
import { ATTEMPT_MS, attemptDelivery, REMOVED, type SentAttempt } from './attempt.ts';
import { endDeliveries } from './bulk/store.ts';
import { DeliveryCounters } from './counters.ts';
import { getNextAttempt } from './rules.ts';
import {
  countWaiting,
  findDelivery,
  type LeasedDelivery,
  leaseDeliveries,
  listDueEndpoints,
  makeLateDeliveriesDue,
  markDelivered,
  markFailed,
  releaseDelivery,
} from './store.ts';

/** At once on this node: in all, and to one endpoint. One without an attempt may always start one, so that slow ones do not stop it. */
const AT_ONCE = 32;
const PER_ENDPOINT = 4;
/** Longer than an attempt and what is written after it. */
const LEASE_MS = 2 * ATTEMPT_MS;
const ABORT_MS = 1_000;
const COUNT_EVERY_MS = 10_000;
const INACTIVE = 'The endpoint is inactive.';

/** Sends the events of webhooks in the background, on all nodes. */
export class WebhookSender {
  readonly counters = new DeliveryCounters();
  readonly #platform: Platform;
  readonly #allowsPrivate: boolean;
  readonly #worker: Worker;
  readonly #stopping = new AbortController();
  /** The endpoint of each attempt that runs. */
  readonly #running = new Map<Promise<void>, number>();
  #countedAt = Number.NEGATIVE_INFINITY;
  /** The wall clock at the last count. The first one finds it set back, as it may have been before the start. */
  #seenAt = Number.POSITIVE_INFINITY;

  /** @param allowsPrivate whether endpoints may be in private networks and on this machine */
  constructor(platform: Platform, allowsPrivate: boolean) {
    this.#platform = platform;
    this.#allowsPrivate = allowsPrivate;
    this.#worker = new Worker({
      name: 'webhooks',
      log: platform.log,
      work: () => this.#startDue(),
    });
    for (const topic of [WEBHOOKS_QUEUED, ENDPOINTS_CHANGED])
      platform.datastore.onChange(topic, () => this.#worker.wake());
  }

  start(): void {
    this.#worker.start();
  }

  /** Lets the current attempts end, or aborts them. The next start or another node continues. */
  async stop(): Promise<void> {
    await this.#worker.stop();
    await settleWithin(GRACE_MS, this.settle());
    this.#stopping.abort(new Error('the server is stopping'));
    await settleWithin(ABORT_MS, this.settle());
  }

  /** Sends what is due and waits for it, instead of in the background. */
  async sendDue(): Promise<void> {
    do await this.settle();
    while (await this.#startDue());
    await this.settle();
  }

  /** Waits for the attempts that run. */
  async settle(): Promise<void> {
    await Promise.all(this.#running.keys());
  }

  /** Starts attempts as far as there is room. @returns whether there may be more */
  async #startDue(): Promise<boolean> {
    await this.#count();
    const { datastore, clock } = this.#platform;
    const now = clock.now();
    let started = 0;
    for (const endpointId of await listDueEndpoints(datastore.db, now)) {
      const busy = [...this.#running.values()].filter((id) => id === endpointId).length;
      const room = Math.max(AT_ONCE - this.#running.size, busy === 0 ? 1 : 0);
      const limit = Math.min(PER_ENDPOINT - busy, room);
      if (limit <= 0) continue;
      const lease = { endpointId, limit, now, leaseUntil: now + LEASE_MS };
      const leased = await datastore.transaction((trx) => leaseDeliveries(trx, lease));
      for (const each of leased) this.#run(each);
      started += leased.length;
    }
    return started > 0;
  }

  #run(leased: LeasedDelivery): void {
    const { log } = this.#platform;
    const running = this.#deliver(leased)
      .catch((err) => log.warn({ err, delivery: leased.id }, 'a webhook could not be recorded'))
      .finally(() => {
        this.#running.delete(running);
        // There may be more for this endpoint, which had no room.
        this.#worker.wake();
      });
    this.#running.set(running, leased.endpointId);
  }

  async #deliver(leased: LeasedDelivery): Promise<void> {
    const { datastore, clock } = this.#platform;
    const delivery = await findDelivery(datastore.db, leased.id);
    // Deleted in the meantime.
    if (!delivery) return;
    if (delivery.isRemoved) {
      // This says nothing about the endpoint.
      await datastore.transaction((trx) => markFailed(trx, leased, REMOVED, undefined));
      this.counters.add('failed');
      return;
    }
    const options = { allowsPrivate: this.#allowsPrivate, signal: this.#stopping.signal };
    let sent: SentAttempt;
    try {
      sent = await attemptDelivery(this.#platform, delivery, options);
    } catch (error) {
      // After another error, the delivery is tried again when its lease has expired.
      if (!this.#stopping.signal.aborted) throw error;
      await datastore.transaction((trx) => releaseDelivery(trx, leased, clock.now()));
      return;
    }
    if (sent.error === null) await this.#succeed(leased, sent);
    else await this.#fail(leased, sent, delivery.url);
  }

  async #succeed(leased: LeasedDelivery, sent: SentAttempt): Promise<void> {
    const { datastore, clock } = this.#platform;
    await datastore.transaction(async (trx) => {
      await clearFailing(trx, leased.endpointId);
      await markDelivered(trx, leased, sent, clock.now());
    });
    this.counters.add('delivered');
  }

  /** @param url to which the event was sent */
  async #fail(leased: LeasedDelivery, sent: SentAttempt, url: string): Promise<void> {
    const { datastore, clock, log } = this.#platform;
    const { endpointId, attempts, id } = leased;
    const now = clock.now();
    const isGone = sent.status === 410;
    const { nextAt, reason } = await datastore.transaction(async (trx, announce) => {
      // Another attempt may be deactivating the endpoint.
      const locked = await lockEndpoint(trx, endpointId);
      if (locked?.isActive && locked.url !== url) {
        // The new address has not been tried.
        await releaseDelivery(trx, leased, now);
        return { nextAt: now };
      }
      const failingSince = await markFailing(trx, endpointId, now);
      const retryAt = sent.isFinal
        ? undefined
        : getNextAttempt({ attempts, retryAfterMs: sent.retryAfterMs }, now, Math.random());
      // Not before the last attempt: after weeks without events, a new event must not be lost with its first one.
      const isFailing = retryAt === undefined && now - failingSince >= FAILING_FOR_MS;
      const cause = isGone ? ('gone' as const) : isFailing ? ('failing' as const) : undefined;
      if (cause) await deactivateEndpoint(trx, announce, endpointId, { reason: cause, now });
      const endpoint = await findEndpoint(trx, endpointId);
      const next = endpoint?.isActive ? retryAt : undefined;
      await markFailed(trx, leased, sent, next);
      return { nextAt: next, reason: cause };
    });
    if (reason) await endDeliveries(datastore, { endpointId, error: DEACTIVATED[reason], now });
    const about = { delivery: id, endpoint: endpointId, attempts, reason: sent.error };
    if (nextAt === undefined) log.warn(about, 'a webhook has failed');
    else log.info(about, 'a webhook could not be delivered yet');
    this.counters.add(nextAt === undefined ? 'failed' : 'retried');
  }

  async #count(): Promise<void> {
    const { datastore, clock } = this.#platform;
    if (clock.monotonic() - this.#countedAt < COUNT_EVERY_MS) return;
    this.#countedAt = clock.monotonic();
    this.counters.waiting = await countWaiting(datastore.db);
    const now = clock.now();
    for (const endpointId of await listDueEndpoints(datastore.db, now, false))
      await endDeliveries(datastore, { endpointId, error: INACTIVE, now });
    if (now < this.#seenAt - CLOCKS_DIFFER_MS) {
      const after = now + CLOCKS_DIFFER_MS;
      await datastore.transaction((trx) => makeLateDeliveriesDue(trx, { now, after }));
    }
    this.#seenAt = now;
  }
}
