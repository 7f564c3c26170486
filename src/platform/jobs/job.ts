import { randomUUID } from 'node:crypto';
import type { Platform } from '../deps.ts';
import { insertJob, isJobDue, leaseJob, releaseJobLease, renewJobLease } from './store.ts';

const LOOK_EVERY_MS = 60_000;
const LEASE_MS = 120_000;
const RENEW_EVERY_MS = 30_000;
const AGAIN_AFTER_MS = 15 * 60_000;

interface JobOptions {
  /** One for all nodes. */
  name: string;
  /** When it is due next, given the present moment; epoch milliseconds. */
  next: (now: number) => number;
  /** Does it; ends early, by rejecting, when the signal says so. */
  work: (signal: AbortSignal) => Promise<void>;
}

/**
 * Work that is done from time to time, on one node at a time: whichever looks first once it is due
 * takes a lease on it. A node that dies lets its lease run out, and another begins again; what was due
 * while no node was there is done when one is.
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

  /** Looks every minute from now on. */
  start(): void {
    this.#timer = setInterval(
      () => {
        this.#running ??= this.runIfDue()
          .catch((err) =>
            this.#platform.log.warn({ err, job: this.#options.name }, 'cannot look for work'),
          )
          .finally(() => {
            this.#running = undefined;
          });
      },
      LOOK_EVERY_MS * (0.9 + 0.2 * Math.random()),
    ).unref();
  }

  /** Ends what runs, in good order; another node takes it up. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new Error('the server is stopping'));
    await this.#running;
  }

  /**
   * Does the work if it is due and nobody else is at it.
   * @returns whether it was done by this call
   */
  async runIfDue(): Promise<boolean> {
    const { datastore, clock, log } = this.#platform;
    const { name, next, work } = this.#options;
    const holder = this.#holder;
    const { db } = datastore;
    const now = clock.now();
    await insertJob(db, name, next(now));
    if (!(await isJobDue(db, name, now))) return false;
    if (!(await leaseJob(db, name, { holder, now, until: now + LEASE_MS }))) return false;

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
      const nextAt = stopping.aborted ? now : clock.now() + AGAIN_AFTER_MS;
      await releaseJobLease(db, name, { holder, nextAt });
      return false;
    } finally {
      clearInterval(renewing);
    }
  }
}
