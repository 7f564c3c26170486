import { randomUUID } from 'node:crypto';
import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { Platform } from '../deps.ts';
import { settleWithin } from '../settle-within.ts';
import {
  insertJob,
  isJobDue,
  isJobFromFuture,
  leaseJob,
  makeJobDue,
  releaseJobLease,
  renewJobLease,
  repeatRunningJob,
} from './store.ts';
import { GRACE_MS } from './worker.ts';

const CHECK_EVERY_MS = 60_000;
const LEASE_MS = 120_000;
const RENEW_EVERY_MS = 30_000;
const RETRY_AFTER_MS = 15 * 60_000;

interface JobOptions {
  name: string;
  /** When it is due next; epoch milliseconds. */
  next: (now: number) => number;
  /** Rejects early when the signal aborts. */
  work: (signal: AbortSignal) => Promise<void>;
}

/**
 * Periodic work, on one node at a time: the first node to check when it is due leases it. If a node dies, its lease expires
 * and another starts again. Work that fell due while no node ran is done when one does.
 */
export class Job {
  readonly #platform: Pick<Platform, 'datastore' | 'clock' | 'log'>;
  readonly #options: JobOptions;
  readonly #holder = randomUUID();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> | undefined;

  constructor(platform: Pick<Platform, 'datastore' | 'clock' | 'log'>, options: JobOptions) {
    this.#platform = platform;
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(
      () => {
        this.#running ??= this.runIfDue()
          .catch((err) =>
            this.#platform.log.warn({ err, job: this.#options.name }, 'cannot check for work'),
          )
          .finally(() => {
            this.#running = undefined;
          });
      },
      CHECK_EVERY_MS * (0.9 + 0.2 * Math.random()),
    ).unref();
  }

  /** Makes it due now, again if it is running. A node starts it with its next check, within about a minute. */
  async makeDue(): Promise<void> {
    const { datastore, clock } = this.#platform;
    const { name } = this.#options;
    const now = clock.now();
    if (await repeatRunningJob(datastore.db, name, now + CLOCKS_DIFFER_MS)) return;
    await makeJobDue(datastore.db, name, now);
  }

  /** Aborts the running work; another node takes it over. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new Error('the server is stopping'));
    if (this.#running) await settleWithin(GRACE_MS, this.#running);
  }

  /** @returns whether this call did the work */
  async runIfDue(): Promise<boolean> {
    const { datastore, clock, log } = this.#platform;
    const { name, next, work } = this.#options;
    const holder = this.#holder;
    const { db } = datastore;
    const now = clock.now();
    // In transactions, which wait for another process's lock without blocking the event loop.
    const nextAt = next(now);
    await datastore.transaction((trx) => insertJob(trx, name, nextAt));
    const limits = { latest: now + CLOCKS_DIFFER_MS, nextAt: nextAt + CLOCKS_DIFFER_MS };
    if (await isJobFromFuture(db, name, limits)) {
      await datastore.transaction((trx) => makeJobDue(trx, name, nextAt));
    }
    const until = now + LEASE_MS;
    // No lease of now ends later than this.
    const latest = until + CLOCKS_DIFFER_MS;
    if (!(await isJobDue(db, name, { now, latest }))) return false;
    const isLeased = await datastore.transaction((trx) =>
      leaseJob(trx, name, { holder, now, until, latest }),
    );
    if (!isLeased) return false;

    const lost = new AbortController();
    const renewing = setInterval(() => {
      renewJobLease(db, name, { holder, until: clock.now() + LEASE_MS }).then(
        (isOurs) => isOurs || lost.abort(new Error('another node has taken the work over')),
        (err) => log.warn({ err, job: name }, 'cannot renew the lease'),
      );
    }, RENEW_EVERY_MS).unref();
    const { signal: stopping } = this.#stopping;
    try {
      await work(AbortSignal.any([stopping, lost.signal]));
      const finishedAt = clock.now();
      await releaseJobLease(db, name, { holder, nextAt: next(finishedAt), finishedAt });
      return true;
    } catch (err) {
      if (!stopping.aborted) log.error({ err, job: name }, 'work failed, and is tried again');
      const nextAt = stopping.aborted ? now : clock.now() + RETRY_AFTER_MS;
      await releaseJobLease(db, name, { holder, nextAt });
      return false;
    } finally {
      clearInterval(renewing);
    }
  }
}
