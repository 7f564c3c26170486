import { randomUUID } from 'node:crypto';
import { lockName } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError, InvalidFieldError } from '../../../platform/errors.ts';
import { Worker } from '../../../platform/jobs/worker.ts';
import { assertStatus, getScan, getScanCounts } from '../scans.ts';
import { findScan, insertScan, lockScan, replacePage, type Scan } from '../store.ts';
import { SCAN_CHANGED } from './queue.ts';
import { LEASE_MS, planRuns } from './rules.ts';
import {
  hasRunnableScans,
  listLeases,
  listPlannedUrls,
  releaseScan,
  renewScanLease,
  setScanStatus,
  takeScan,
} from './store.ts';

/** The name of the lock on the queue. */
export const SCAN_QUEUE = 'scan queue';
const RENEW_EVERY_MS = 15_000;
/**
 * Pages that a proof scan visits again, one at a time, because the first visit ended early: on a busy machine several
 * at once run out of time, which proves nothing.
 */
const SECOND_VISITS_MAX = 10;

/** What a run needs of the scanner. */
export interface RunDependencies {
  siteUrl: () => string;
  /** Crawls the site and saves the plan of a scan. @throws DomainError `site_unreachable` */
  plan(scan: Scan, signal: AbortSignal): Promise<void>;
  /** @throws NotFoundError; InvalidFieldError for a page of another site; DomainError `conflict` when the scan is over */
  scanPage(scanId: number, url: string, signal: AbortSignal): Promise<{ isComplete: boolean }>;
  /** @throws NotFoundError; DomainError `conflict` */
  complete(scanId: number): Promise<unknown>;
  concurrency(): Promise<number>;
}

export interface RunOptions {
  /** Ends the run. */
  signal: AbortSignal;
  onPage?: (progress: { done: number; total: number }) => void;
}

/** Runs scans in this process, each under a lease. */
export function createRunner(platform: Platform, scanner: RunDependencies) {
  const { datastore, clock, log } = platform;
  const { db } = datastore;
  const holder = randomUUID();
  const stopping = new AbortController();
  /** The scans that this process runs. */
  const current = new Map<number, AbortController>();
  const newLease = () => {
    const now = clock.now();
    return { holder, now, until: now + LEASE_MS };
  };

  const isEnded = async (id: number) => (await findScan(db, id))?.status !== 'started';

  /** Aborts runs of scans that ended, were deleted or belong to another process. */
  const abortEnded = async (key: string | undefined) => {
    for (const [id, run] of current) {
      if (key !== undefined && key !== String(id)) continue;
      if (await isEnded(id)) run.abort(new RunEndedError());
    }
  };
  datastore.onChange(SCAN_CHANGED, (key) => {
    worker.wake();
    abortEnded(key).catch((err) => log.warn({ err }, 'cannot read whether a scan was cancelled'));
  });

  /** Claims the next queued scan and marks abandoned scans as interrupted. */
  async function claim(): Promise<number | undefined> {
    // Avoids a write transaction if there is nothing to do.
    if (!(await hasRunnableScans(db))) return undefined;
    return datastore.transaction(async (trx, announce) => {
      await lockName(trx, SCAN_QUEUE);
      const lease = newLease();
      const { next, interrupted } = planRuns(await listLeases(trx), lease.now);
      for (const { id } of interrupted) {
        await setScanStatus(trx, id, 'interrupted', INTERRUPTED);
        announce(SCAN_CHANGED, String(id));
      }
      if (next) await takeScan(trx, next, lease);
      return next?.id;
    });
  }

  /** Scans a page of the plan. One that is no page of the site, for example because it moved, fails alone. */
  async function scanPlanned(id: number, url: string, signal: AbortSignal) {
    try {
      return await scanner.scanPage(id, url, signal);
    } catch (error) {
      if (!(error instanceof InvalidFieldError)) throw error;
      const page = { url, state: 'failed', partial: true, error: error.reason } as const;
      await datastore.transaction(async (trx) => {
        const scan = await lockScan(trx, id);
        assertStatus(scan, ['started']);
        const nothing = { findings: [], visits: [], now: clock.now() };
        await replacePage(trx, scan, { ...page, httpStatus: null, banner: null }, nothing);
      });
      return { isComplete: false };
    }
  }

  /** Scans the remaining pages and completes the scan. @throws the signal's reason */
  async function scanPages(id: number, { signal, onPage = () => {} }: RunOptions) {
    const scan = await getScan(db, id);
    if (scan.siteUrl !== scanner.siteUrl()) throw new SiteChangedError(scan.siteUrl);
    if ((await getScanCounts(db, id)).pagesPlanned === 0) await scanner.plan(scan, signal);
    const taken = new Set<string>();
    const incomplete: string[] = [];
    let done = 0;
    for (;;) {
      // Scripts of the pages of one round may have added others.
      const urls = (await listPlannedUrls(db, id)).filter((url) => !taken.has(url));
      if (urls.length === 0) break;
      const total = done + urls.length;
      onPage({ done, total });
      const next = urls.values();
      const work = async () => {
        for (const url of next) {
          signal.throwIfAborted();
          taken.add(url);
          const { isComplete } = await scanPlanned(id, url, signal);
          if (!isComplete) incomplete.push(url);
          done += 1;
          onPage({ done, total });
        }
      };
      const workers = Array.from({ length: await scanner.concurrency() }, work);
      const failed = (await Promise.allSettled(workers)).find(isRejected);
      if (failed) throw failed.reason;
    }
    if (scan.startedBy === 'proof') {
      for (const url of incomplete.slice(0, SECOND_VISITS_MAX)) await scanPlanned(id, url, signal);
    }
    signal.throwIfAborted();
    await scanner.complete(id);
  }

  /** Runs a scan that this process holds. @throws DomainError; SiteChangedError */
  async function run(id: number, { signal, onPage }: RunOptions): Promise<void> {
    const ended = new AbortController();
    current.set(id, ended);
    const renewing = setInterval(() => {
      renewScanLease(db, id, newLease()).then(
        (isOurs) => isOurs || ended.abort(new RunEndedError()),
        (err) => log.warn({ err }, 'cannot renew the lease of a scan'),
      );
    }, RENEW_EVERY_MS).unref();
    try {
      const either = AbortSignal.any([signal, ended.signal]);
      await scanPages(id, { signal: either, ...(onPage && { onPage }) });
    } catch (error) {
      const isOver = ended.signal.aborted || signal.aborted || (await isEnded(id));
      if (!isOver) {
        // After other errors the lease expires, and the next process tries again.
        if (!isExpected(error)) throw error;
        await datastore.transaction(async (trx, announce) => {
          await lockScan(trx, id);
          await setScanStatus(trx, id, 'failed', error.message);
          announce(SCAN_CHANGED, String(id));
        });
        throw error;
      }
    } finally {
      clearInterval(renewing);
      current.delete(id);
    }
    await releaseScan(db, id, holder);
  }

  const worker = new Worker({
    name: 'scans',
    log,
    async work(cutOff) {
      if (stopping.signal.aborted) return false;
      const id = await claim();
      if (id === undefined) return false;
      const signal = AbortSignal.any([cutOff, stopping.signal]);
      await run(id, { signal }).catch((error) => {
        // The scan has the message for its owner.
        if (!isExpected(error)) throw error;
      });
      return true;
    },
  });

  return {
    /** Runs queued scans from now on. */
    start: () => worker.start(),
    /** Stops what runs. Another process, or the next start, continues it. */
    async stop() {
      stopping.abort(new Error('the server is stopping'));
      await worker.stop();
    },
    /** Adds a scan that this process runs at once. */
    insertOwn: (scan: Parameters<typeof insertScan>[1]): Promise<number> =>
      datastore.transaction(async (trx) => {
        const id = await insertScan(trx, scan, []);
        const lease = (await listLeases(trx)).find((each) => each.id === id);
        if (lease) await takeScan(trx, lease, newLease());
        return id;
      }),
    run,
  };
}

const INTERRUPTED =
  'The process that ran this scan ended before the scan was complete. Its findings are kept. Resume the scan to scan the remaining pages.';

/** The scan was cancelled or deleted, or another process has taken it over. */
class RunEndedError extends Error {}

/** The protected site has changed since the scan was queued. */
class SiteChangedError extends Error {
  constructor(siteUrl: string) {
    super(`The scan belongs to ${siteUrl}, but the protected site has changed. Start a new scan.`);
  }
}

/** Whether the message of an error is for the owner of the site. A scanner or database that is busy passes by itself. */
const isExpected = (error: unknown): error is DomainError | SiteChangedError =>
  (error instanceof DomainError && error.kind !== 'unavailable') ||
  error instanceof SiteChangedError;

const isRejected = (result: PromiseSettledResult<unknown>): result is PromiseRejectedResult =>
  result.status === 'rejected';
