import { randomUUID } from 'node:crypto';
import { lockName, type Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError, NotFoundError } from '../../../platform/errors.ts';
import { Worker } from '../../../platform/jobs/worker.ts';
import { getScanCounts } from '../counts.ts';
import { assertStatus } from '../status.ts';
import { findScan, insertScan, lockScan, type Scan, type ScanCounts } from '../store.ts';
import { planRuns } from './rules.ts';
import {
  countQueued,
  deleteScan,
  hasRunnableScans,
  listLeases,
  listPlannedUrls,
  releaseScan,
  renewScanLease,
  setScanStatus,
  takeScan,
} from './store.ts';

/** The topic on which changes of scans are announced, by the scan's id. */
const SCAN_CHANGED = 'scan';
const QUEUE_MAX = 10;
const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 15_000;

/** What a run needs of the scanner. */
interface RunDependencies {
  siteUrl: () => string;
  /** Finds the pages of a scan and writes them down. @throws DomainError `site_unreachable` */
  plan(scan: Scan, signal: AbortSignal): Promise<void>;
  /** @throws NotFoundError; DomainError `conflict` when the scan is over */
  scanPage(scanId: number, url: string, signal: AbortSignal): Promise<unknown>;
  /** @throws NotFoundError; DomainError `conflict` */
  complete(scanId: number): Promise<unknown>;
  concurrency(): Promise<number>;
}

interface ScanState {
  scan: Scan;
  counts: ScanCounts;
}

/** Scans that a process runs from beginning to end, and the end of scans. */
export interface Runs {
  /**
   * Adds a scan to those that a server runs, one at a time for each site.
   * @throws DomainError `unavailable` when too many are queued
   */
  queue(depth: number): Promise<ScanState>;
  /**
   * Queues a scan that a client has left, that was cancelled, interrupted or failed: a server looks at
   * the pages that are left.
   * @throws NotFoundError; DomainError `conflict` `scan_completed`; DomainError `unavailable`
   */
  resume(scanId: number): Promise<ScanState>;
  /**
   * Ends a scan; what was seen is kept. Cancelling it again changes nothing.
   * @throws NotFoundError; DomainError `conflict` when it is over
   */
  cancel(scanId: number): Promise<ScanState>;
  /** Ends a scan that is not over, and deletes it with its findings. @throws NotFoundError */
  remove(scanId: number): Promise<ScanState>;
  /**
   * Runs a scan in this process, at once.
   * @param options.signal cancels it; what was seen is kept
   * @param options.onPage is told of the progress
   * @returns its id, also of one that was cancelled
   * @throws DomainError `site_unreachable`
   */
  runHere(
    depth: number,
    options: { signal: AbortSignal; onPage: (progress: Progress) => void },
  ): Promise<number>;
  /** Runs queued scans from now on. */
  start(): void;
  /** Gives up what runs; another process, or the next start, goes on with it. */
  stop(): Promise<void>;
}

interface Progress {
  done: number;
  total: number;
}

export function createRuns(platform: Platform, parts: RunDependencies): Runs {
  const { datastore, clock, log } = platform;
  const { db } = datastore;
  const holder = randomUUID();
  const stopping = new AbortController();
  /** The scans that this process is at. */
  const current = new Map<number, AbortController>();

  const stateOf = async (scan: Scan): Promise<ScanState> => ({
    scan,
    counts: await getScanCounts(db, scan.id),
  });
  const getScan = async (id: number): Promise<Scan> => {
    const scan = await findScan(db, id);
    if (!scan) throw new NotFoundError('The scan');
    return scan;
  };
  const newScan = (depth: number, runner: 'server' | 'command') => ({
    siteUrl: parts.siteUrl(),
    depth,
    engine: 'none',
    startedAt: clock.now(),
    robotsExcluded: 0,
    runner,
  });

  /** Changes a scan under its row lock and notifies all nodes. */
  const changeScan = (id: number, change: (scan: Scan, trx: Trx) => Promise<void>) =>
    datastore.transaction(async (trx, announce) => {
      const scan = await lockScan(trx, id);
      if (!scan) throw new NotFoundError('The scan');
      await change(scan, trx);
      announce(SCAN_CHANGED, String(id));
    });

  const assertRoom = async (trx: Trx) => {
    await lockName(trx, 'scan queue');
    if ((await countQueued(trx)) < QUEUE_MAX) return;
    throw new DomainError(
      'unavailable',
      'service_unavailable',
      `${QUEUE_MAX} scans are queued, which is the maximum. Wait until one ends, or cancel one.`,
    );
  };

  /** Aborts runs of scans that ended, were deleted or belong to another process. */
  const onChange = async (key: string | undefined) => {
    for (const [id, run] of current) {
      if (key !== undefined && key !== String(id)) continue;
      const scan = await findScan(db, id);
      if (scan?.status !== 'started') run.abort(new RunEndedError());
    }
  };
  datastore.onChange(SCAN_CHANGED, (key) => {
    worker.wake();
    onChange(key).catch((err) => log.warn({ err }, 'cannot read whether a scan was cancelled'));
  });

  /** Claims the next queued scan and marks abandoned scans as interrupted. */
  async function claim(): Promise<number | undefined> {
    // Avoids a write transaction if there is nothing to do.
    if (!(await hasRunnableScans(db))) return undefined;
    return datastore.transaction(async (trx, announce) => {
      await lockName(trx, 'scan queue');
      const now = clock.now();
      const { next, interrupted } = planRuns(await listLeases(trx), now);
      for (const { id } of interrupted) {
        await setScanStatus(trx, id, 'interrupted', INTERRUPTED);
        announce(SCAN_CHANGED, String(id));
      }
      if (next) await takeScan(trx, next, { holder, now, until: now + LEASE_MS });
      return next?.id;
    });
  }

  /** Does what is left of a scan that this process holds. @throws the signal's reason when that ends it */
  async function run(id: number, signal: AbortSignal, onPage: (progress: Progress) => void) {
    const scan = await getScan(id);
    if (scan.siteUrl !== parts.siteUrl()) throw new SiteChangedError(scan.siteUrl);
    if ((await getScanCounts(db, id)).pagesPlanned === 0) await parts.plan(scan, signal);
    const taken = new Set<string>();
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
          await parts.scanPage(id, url, signal);
          done += 1;
          onPage({ done, total });
        }
      };
      const workers = Array.from({ length: await parts.concurrency() }, work);
      const [failed] = (await Promise.allSettled(workers)).filter(
        ({ status }) => status === 'rejected',
      );
      if (failed?.status === 'rejected') throw failed.reason;
    }
    signal.throwIfAborted();
    await parts.complete(id);
  }

  /** Runs a scan under this process' lease. */
  async function runLeased(
    id: number,
    signal: AbortSignal,
    onPage: (progress: Progress) => void = () => {},
  ): Promise<void> {
    const ended = new AbortController();
    current.set(id, ended);
    const renewing = setInterval(() => {
      renewScanLease(db, id, { holder, until: clock.now() + LEASE_MS }).then(
        (isOurs) => isOurs || ended.abort(new RunEndedError()),
        (err) => log.warn({ err }, 'cannot renew the lease of a scan'),
      );
    }, RENEW_EVERY_MS).unref();
    try {
      await run(id, AbortSignal.any([signal, ended.signal]), onPage);
    } catch (error) {
      // Without a word here, the lease runs out, and the next process tries again.
      const isOver = ended.signal.aborted || signal.aborted || (await isEnded(id));
      if (!isOver) {
        if (!(error instanceof DomainError || error instanceof SiteChangedError)) throw error;
        await changeScan(id, (_scan, trx) => setScanStatus(trx, id, 'failed', error.message));
        throw error;
      }
    } finally {
      clearInterval(renewing);
      current.delete(id);
    }
    await releaseScan(db, id, holder);
  }

  const isEnded = async (id: number) => (await findScan(db, id))?.status !== 'started';

  const worker = new Worker({
    name: 'scans',
    log,
    async work(cutOff) {
      if (stopping.signal.aborted) return false;
      const id = await claim();
      if (id === undefined) return false;
      const signal = AbortSignal.any([cutOff, stopping.signal]);
      await runLeased(id, signal).catch((error) => {
        // Its owner reads it in the scan.
        if (!(error instanceof DomainError || error instanceof SiteChangedError)) throw error;
      });
      return true;
    },
  });

  const cancel = async (scanId: number): Promise<ScanState> => {
    await changeScan(scanId, async (scan, trx) => {
      assertStatus(scan, ['queued', 'started', 'cancelled']);
      await setScanStatus(trx, scanId, 'cancelled');
    });
    return stateOf(await getScan(scanId));
  };

  return {
    async queue(depth) {
      const id = await datastore.transaction(async (trx, announce) => {
        await assertRoom(trx);
        const id = await insertScan(trx, { ...newScan(depth, 'server'), status: 'queued' }, []);
        announce(SCAN_CHANGED, String(id));
        return id;
      });
      return stateOf(await getScan(id));
    },

    async resume(scanId) {
      await changeScan(scanId, async (scan, trx) => {
        assertStatus(scan, ['queued', 'started', 'cancelled', 'interrupted', 'failed']);
        const isRunning = scan.status === 'started' && scan.runner !== 'client';
        if (isRunning || scan.status === 'queued') return;
        await assertRoom(trx);
        await setScanStatus(trx, scanId, 'queued');
      });
      return stateOf(await getScan(scanId));
    },

    cancel,

    async remove(scanId) {
      const previous = await stateOf(await getScan(scanId));
      await changeScan(scanId, (_scan, trx) => deleteScan(trx, scanId));
      return previous;
    },

    async runHere(depth, { signal, onPage }) {
      const id = await datastore.transaction(async (trx) => {
        const id = await insertScan(trx, newScan(depth, 'command'), []);
        const [lease] = (await listLeases(trx)).filter((each) => each.id === id);
        const now = clock.now();
        if (lease) await takeScan(trx, lease, { holder, now, until: now + LEASE_MS });
        return id;
      });
      // Before its pages have ended, which takes a moment.
      const cancelled = Promise.withResolvers<void>();
      const onAbort = () => {
        // It may be over by now.
        const ignoreRefusal = (error: unknown) => {
          if (!(error instanceof DomainError)) throw error;
        };
        cancel(id)
          .then(() => {}, ignoreRefusal)
          .then(cancelled.resolve, cancelled.reject);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      await runLeased(id, signal, onPage);
      if (signal.aborted) await cancelled.promise;
      return id;
    },

    start() {
      worker.start();
    },

    async stop() {
      stopping.abort(new Error('the server is stopping'));
      await worker.stop();
    },
  };
}

const INTERRUPTED =
  'The process that ran this scan ended before the scan was complete. Its findings are kept. Resume the scan to scan the remaining pages.';

/** The scan was cancelled, deleted, or is another process' by now. */
class RunEndedError extends Error {}

/** The protected site is another one than when the scan was queued. */
class SiteChangedError extends Error {
  constructor(siteUrl: string) {
    super(`The scan belongs to ${siteUrl}, but the protected site has changed. Start a new scan.`);
  }
}
