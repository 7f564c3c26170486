import type { Platform } from '../../platform/deps.ts';
import { Job } from '../../platform/jobs/job.ts';
import { checkLicence, type LicenceScope, sendPendingDeactivations } from './service.ts';

const LOOK_EVERY_MS = 5 * 60_000;

/** Checks the site's licence when that is due, and tells the licence server what it has missed. */
export function licenceJob(platform: Platform, scope: LicenceScope): Job {
  return new Job(platform, {
    name: 'licence',
    next: (now) => now + LOOK_EVERY_MS,
    async work(signal) {
      await checkLicence(platform, scope, signal);
      await sendPendingDeactivations(platform, scope, signal);
    },
  });
}
