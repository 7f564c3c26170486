import { CLOCKS_DIFFER_MS } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { getNextCronTime } from '../../../platform/jobs/cron.ts';
import { Job } from '../../../platform/jobs/job.ts';
import { listJobs } from '../../../platform/jobs/store.ts';
import type { SettingsCache } from '../../settings/index.ts';
import type { Runs } from '../runs/service.ts';
import { getScan, getScanCounts } from '../scans.ts';
import { findLastScheduled, hasScheduledScan } from './store.ts';

const JOB = 'scan_schedule';

export interface ScheduleScope {
  settings: SettingsCache;
  siteUrl: () => string;
  timeZone: string;
}

/** Queues the scans of the setting `scanner.schedule`, on one node. */
export const scanScheduleJob = (
  platform: Platform,
  runs: Pick<Runs, 'queue'>,
  scope: ScheduleScope,
): Job =>
  new Job(platform, {
    name: JOB,
    // The setting may change at any time, so each check reads it.
    next: (now) => now + MINUTE_MS,
    work: () => queueDueScan(platform, runs, scope),
  });

/** Queues one scan if one or more have fallen due since the last check, also while no node ran. */
async function queueDueScan(
  { datastore: { db }, clock }: Platform,
  runs: Pick<Runs, 'queue'>,
  { settings, siteUrl, timeZone }: ScheduleScope,
): Promise<void> {
  const { enabled, cron, states, depth } = (await settings.read()).settings.scanner.schedule;
  const checkedAt = (await listJobs(db)).find(({ name }) => name === JOB)?.last_finished_at;
  if (!enabled || checkedAt == null) return;
  const dueAt = getNextCronTime(cron, checkedAt, timeZone);
  const now = clock.now();
  if (dueAt === null || dueAt > now) return;
  const since = { since: dueAt, until: now + CLOCKS_DIFFER_MS };
  if (await hasScheduledScan(db, siteUrl(), since)) return;
  await runs.queue({ depth, states, startedBy: 'schedule' });
}

/** The schedule, its next run in epoch milliseconds (null if it is off), and its latest scan. */
export async function getSchedule(
  { datastore: { db }, clock }: Platform,
  { settings, siteUrl, timeZone }: ScheduleScope,
) {
  const { schedule } = (await settings.read()).settings.scanner;
  const lastId = await findLastScheduled(db, siteUrl());
  return {
    schedule,
    nextRunAt: schedule.enabled ? getNextCronTime(schedule.cron, clock.now(), timeZone) : null,
    last:
      lastId === undefined
        ? null
        : { scan: await getScan(db, lastId), counts: await getScanCounts(db, lastId) },
  };
}
