import type { Platform } from '../../platform/deps.ts';
import { Job } from '../../platform/jobs/job.ts';
import { listJobs } from '../../platform/jobs/store.ts';
import { nextNight } from './rules.ts';
import { type RetentionScope, runRetention } from './run.ts';

const JOB = 'retention';

/** Runs the active policies every night, on one node. */
export function retentionJob(platform: Platform, scope: RetentionScope): Job {
  return new Job(platform, {
    name: JOB,
    next: (now) => nextNight(now, scope.timeZone),
    async work(signal) {
      await runRetention(platform, scope, { dryRun: false, startedBy: 'schedule', signal });
    },
  });
}

/** The next scheduled run in epoch milliseconds; the present moment while a run is due or running. */
export async function getNextRun(
  { datastore, clock }: Pick<Platform, 'datastore' | 'clock'>,
  { timeZone }: RetentionScope,
): Promise<number> {
  const now = clock.now();
  const job = (await listJobs(datastore.db)).find(({ name }) => name === JOB);
  // The job is stored within a minute of the first start.
  return Math.max(now, job?.next_at ?? nextNight(now, timeZone));
}
