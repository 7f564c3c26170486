import { lockName, type Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError } from '../../../platform/errors.ts';
import { assertOwnSite, assertStatus, getScan, getScanCounts, type ScanRequest } from '../scans.ts';
import { lockScan, type Scan } from '../store.ts';
import { newScan, queueScan, SCAN_CHANGED } from './queue.ts';
import { createRunner, type RunDependencies, type RunOptions, SCAN_QUEUE } from './runner.ts';
import { countQueued, deleteScan, setScanStatus } from './store.ts';

const QUEUE_MAX = 10;

export type Runs = ReturnType<typeof createRuns>;

/** Scans that a process runs from beginning to end, and the end of scans. */
export function createRuns(platform: Platform, scanner: RunDependencies) {
  const { datastore, clock } = platform;
  const { db } = datastore;
  const runner = createRunner(platform, scanner);

  const getState = async (id: number) => ({
    scan: await getScan(db, id),
    counts: await getScanCounts(db, id),
  });
  /** Changes a scan under its row lock and notifies all nodes. */
  const changeScan = (id: number, change: (scan: Scan, trx: Trx) => Promise<void>) =>
    datastore.transaction(async (trx, announce) => {
      await change(await lockScan(trx, id), trx);
      announce(SCAN_CHANGED, String(id));
    });

  const assertRoom = async (trx: Trx) => {
    await lockName(trx, SCAN_QUEUE);
    if ((await countQueued(trx)) < QUEUE_MAX) return;
    throw new DomainError(
      'unavailable',
      'service_unavailable',
      `${QUEUE_MAX} scans are queued, which is the maximum. Wait until one ends, or cancel one.`,
    );
  };

  /**
   * Ends a scan and keeps its findings. Cancelling it again changes nothing.
   * @throws NotFoundError; DomainError `conflict` when it is over
   */
  const cancel = async (scanId: number) => {
    await changeScan(scanId, async (scan, trx) => {
      assertStatus(scan, ['queued', 'started', 'cancelled']);
      await setScanStatus(trx, scanId, 'cancelled');
    });
    return getState(scanId);
  };

  return {
    start: runner.start,
    stop: runner.stop,
    cancel,

    /**
     * Queues a new scan. Servers run one scan at a time for each site.
     * @throws DomainError `unavailable` when too many are queued
     */
    async queue(request: ScanRequest) {
      const id = await datastore.transaction(async (trx, announce) => {
        await assertRoom(trx);
        return queueScan(trx, announce, { ...request, siteUrl: scanner.siteUrl() }, clock.now());
      });
      return getState(id);
    },

    /**
     * Queues a scan that a client has left, or that was cancelled, interrupted or failed. A server scans the
     * remaining pages.
     * @throws NotFoundError; DomainError `conflict` `scan_completed`, or `other_site` for a scan of another site; DomainError
     * `unavailable`
     */
    async resume(scanId: number) {
      await changeScan(scanId, async (scan, trx) => {
        assertStatus(scan, ['queued', 'started', 'cancelled', 'interrupted', 'failed']);
        assertOwnSite(scan, scanner.siteUrl());
        const isRunning = scan.status === 'started' && scan.runner !== 'client';
        if (isRunning || scan.status === 'queued') return;
        await assertRoom(trx);
        await setScanStatus(trx, scanId, 'queued');
      });
      return getState(scanId);
    },

    /** Deletes a scan with its findings, also one that runs. @throws NotFoundError */
    async remove(scanId: number) {
      const previous = await getState(scanId);
      await changeScan(scanId, (_scan, trx) => deleteScan(trx, scanId, clock.now()));
      return previous;
    },

    /**
     * Runs a scan in this process, at once. The signal cancels it and keeps its findings.
     * @returns its id, also of one that was cancelled
     * @throws DomainError `site_unreachable`
     */
    async runHere(request: Omit<ScanRequest, 'pages'>, options: RunOptions): Promise<number> {
      const id = await runner.insertOwn(
        newScan({ ...request, siteUrl: scanner.siteUrl() }, 'command', clock.now()),
      );
      const { signal } = options;
      // Before its pages have ended, which takes a moment.
      const cancelled = Promise.withResolvers<void>();
      const onAbort = () => {
        cancel(id).then(
          () => cancelled.resolve(),
          // The scan may have ended in the meantime.
          (error) => (error instanceof DomainError ? cancelled.resolve() : cancelled.reject(error)),
        );
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      await runner.run(id, options);
      if (signal.aborted) await cancelled.promise;
      return id;
    },
  };
}
