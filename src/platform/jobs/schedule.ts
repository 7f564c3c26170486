import type { Platform } from '../deps.ts';
import { isDue, takeTurn } from './store.ts';
import { Worker } from './worker.ts';

/**
 * What is done again and again. A turn belongs to the node that takes it; if that dies, the next turn
 * makes up for it, so a job does whatever is not done yet, however often it is called.
 */
export interface Job {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

/** Does the jobs that are due; of several nodes one does each. */
export async function runDueJobs(
  { datastore, clock, log }: Pick<Platform, 'datastore' | 'clock' | 'log'>,
  jobs: readonly Job[],
): Promise<void> {
  for (const { name, everyMs, run } of jobs) {
    const now = clock.now();
    if (!(await isDue(datastore.db, name, now))) continue;
    const isOurs = await datastore.transaction((trx) => takeTurn(trx, name, now, now + everyMs));
    if (!isOurs) continue;
    try {
      await run();
    } catch (err) {
      log.error({ err, job: name }, 'a job failed, and is tried again at its next turn');
    }
  }
}

/** Does jobs in the background. */
export function jobRunner(platform: Platform, jobs: readonly Job[]): Worker {
  return new Worker({
    name: 'jobs',
    log: platform.log,
    async work() {
      await runDueJobs(platform, jobs);
      return false;
    },
  });
}
