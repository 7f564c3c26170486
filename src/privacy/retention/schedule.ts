import type { Platform } from '../../platform/deps.ts';
import { Job } from '../../platform/jobs/job.ts';
import { nextNight } from './rules.ts';
import { type RetentionScope, runRetention } from './run.ts';

/** Runs the active policies every night, on one node. */
export function retentionJob(platform: Platform, scope: RetentionScope): Job {
  return new Job(platform, {
    name: 'retention',
    next: (now) => nextNight(now, scope.timeZone),
    async work(signal) {
      await runRetention(platform, scope, { dryRun: false, startedBy: 'schedule', signal });
    },
  });
}
