import type { Platform } from '../../platform/deps.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { LicenceStatistics, LicenceStatisticsArgs } from './schemas.ts';
import { getLicenceStatistics } from './service.ts';

/** `/stats` below the licence administration. */
export function statisticsRoutes(api: RestApi, platform: Platform): void {
  api.add({
    method: 'GET',
    path: '/stats',
    summary: 'Get licence statistics',
    args: LicenceStatisticsArgs,
    answers: { 200: LicenceStatistics },
    handle: async ({ args }) => ({ body: await getLicenceStatistics(platform, args) }),
  });
}
