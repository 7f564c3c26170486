import type { Platform } from '../../platform/deps.ts';
import { Job } from '../../platform/jobs/job.ts';
import { checkLicence, type LicenceScope, sendPendingDeactivations } from './service.ts';

const EVERY_MS = 5 * 60_000;

/** Checks the licence of the site when due, and sends pending deactivations. */
export function licenceJob(platform: Platform, scope: LicenceScope): Job {
  return new Job(platform, {
    name: 'licence',
    next: (now) => now + EVERY_MS,
    async work(signal) {
      await checkLicence(platform, scope, signal);
      await sendPendingDeactivations(platform, scope, signal);
    },
  });
}
