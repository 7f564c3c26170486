import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { Job } from '../../platform/jobs/job.ts';
import { deleteOldTrials } from './service.ts';

/** Every day (UTC) on one node: deletes the hashes of trials that no longer count. */
export const trialJob = (platform: Platform): Job =>
  new Job(platform, {
    name: 'trials',
    next: (now) => (Math.floor(now / DAY_MS) + 1) * DAY_MS,
    work: () => deleteOldTrials(platform),
  });
