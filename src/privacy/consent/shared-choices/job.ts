import type { Platform } from '../../../platform/deps.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { Job } from '../../../platform/jobs/job.ts';
import { deleteExpired } from './store.ts';

/** Deletes shared choices and used tokens that have expired, once an hour on one node. */
export const sharedChoicesJob = (platform: Pick<Platform, 'datastore' | 'clock' | 'log'>): Job =>
  new Job(platform, {
    name: 'consent_subjects',
    next: (now) => now + HOUR_MS,
    work: () => platform.datastore.transaction((trx) => deleteExpired(trx, platform.clock.now())),
  });
