import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isRecent } from '../../../../platform/clock.ts';
import { lockName } from '../../../../platform/db/index.ts';
import type { Platform } from '../../../../platform/deps.ts';
import { DomainError } from '../../../../platform/errors.ts';
import { toOrder, type VerifiedInstallation } from '../service.ts';
import type { Progress } from '../verify.ts';
import type { RunMessage } from './run-worker.ts';
import { PROBLEMS_KEPT, SILENCE_MS, VERIFICATIONS_KEPT } from './schemas.ts';
import {
  deleteOldVerifications,
  findUnfinishedVerification,
  insertVerification,
  updateVerification,
  type VerificationRow,
} from './store.ts';

const REPORT_EVERY_MS = 1_000;
/** Sources run as .ts, the package as .js. */
const WORKER = new URL(`./run-worker${extname(import.meta.url)}`, import.meta.url);
/** In MB. Pages of rows are garbage soon. */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

export type Verifications = ReturnType<typeof createVerifications>;

/** Verifications in the background, one at a time on all nodes together. */
export function createVerifications(platform: Platform, installation: VerifiedInstallation) {
  const { datastore, clock, log } = platform;
  const { db } = datastore;
  let worker: Worker | undefined;
  let isClosed = false;

  const save = (id: number, changes: Parameters<typeof updateVerification>[2]) =>
    updateVerification(db, id, { ...changes, last_seen_at: clock.now() }).catch((err) => {
      // After the end of the server nobody can be told, and the verification counts as interrupted.
      if (!isClosed)
        log.warn({ err }, 'cannot save the state of a verification of the consent log');
    });

  function run({ id, deep }: VerificationRow): void {
    const order = toOrder(platform, installation, { isDeep: deep === 1 });
    const thread = new Worker(WORKER, { workerData: order, resourceLimits: MEMORY });
    thread.unref();
    worker = thread;
    let progress: Progress = { done: 0, total: 0 };
    let isSaving = false;
    const reporting = setInterval(async () => {
      if (isSaving) return;
      isSaving = true;
      await save(id, progress);
      isSaving = false;
    }, REPORT_EVERY_MS).unref();
    let hasEnded = false;
    function end(changes: { report: string } | { error: string }): void {
      if (hasEnded || isClosed) return;
      hasEnded = true;
      clearInterval(reporting);
      if ('error' in changes) log.error({ cause: changes.error }, 'cannot verify the consent log');
      void save(id, { ...progress, ...changes, finished_at: clock.now() });
    }
    thread.on('message', (message: RunMessage) => {
      if ('progress' in message) progress = message.progress;
      else if ('error' in message) end(message);
      else {
        const { problems, ...rest } = message.report;
        end({ report: JSON.stringify({ ...rest, problems: problems.slice(0, PROBLEMS_KEPT) }) });
      }
    });
    thread.on('error', (error) => end({ error: (error as Error).message }));
    thread.on('exit', () => {
      clearInterval(reporting);
      end({ error: 'The thread ended before the verification was complete.' });
    });
  }

  return {
    /**
     * Starts a verification in a worker thread of this node.
     * @throws DomainError `verification_running` while one runs, on whichever node
     */
    async start(isDeep: boolean): Promise<VerificationRow> {
      const row = await datastore.transaction(async (trx) => {
        await lockName(trx, 'verification of the consent log');
        const now = clock.now();
        const running = await findUnfinishedVerification(trx);
        if (running && isRecent(running.last_seen_at, SILENCE_MS, now)) {
          throw new DomainError(
            'conflict',
            'verification_running',
            `The log is being verified (verification ${running.id}). Wait until it ends, then start another.`,
          );
        }
        const added = await insertVerification(trx, { deep: isDeep, now });
        await deleteOldVerifications(trx, VERIFICATIONS_KEPT);
        return added;
      });
      if (!isClosed) run(row);
      return row;
    },
    /** Ends the thread. No query is begun here: a database that does not respond would delay the exit. */
    async close(): Promise<void> {
      isClosed = true;
      await worker?.terminate();
    },
  };
}
