import { Type } from 'typebox';
import { toIsoMomentOrNull } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import { Moment, nullable } from '../../../platform/http/schemas.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { ScanSchedule } from '../../settings/index.ts';
import { ScanRecord, toScanRecord } from '../schemas.ts';
import { getSchedule, type ScheduleScope } from './service.ts';

const ScheduleRecord = Type.Object(
  {
    ...ScanSchedule.properties,
    next_run_at: nullable(Moment('When the next scan is due; null if the schedule is off.')),
    last_scan: nullable(ScanRecord),
  },
  { title: 'ScanScheduleStatus', description: '`last_scan`: the latest scan of the schedule.' },
);

/** The schedule of scans: `/scanner/schedule`. */
export function scheduleRoutes(api: RestApi, platform: Platform, scope: ScheduleScope): void {
  api.add({
    method: 'GET',
    path: '/scanner/schedule',
    access: 'read_privacy',
    summary: 'Get the schedule of scans',
    answers: { 200: ScheduleRecord },
    async handle() {
      const { schedule, nextRunAt, last } = await getSchedule(platform, scope);
      return {
        body: {
          ...schedule,
          next_run_at: toIsoMomentOrNull(nextRunAt),
          last_scan: last && toScanRecord(last.scan, last.counts),
        },
      };
    },
  });
}
