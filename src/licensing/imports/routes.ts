import type { Platform } from '../../platform/deps.ts';
import { parseMoment } from '../../platform/moments.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { formatConsoleActor } from '../licences/index.ts';
import { LicenceImport, LicenceImportReport } from './schemas.ts';
import { importLicences } from './service.ts';

/** `POST /import` of licence administration. */
export function importRoutes(api: RestApi, platform: Platform): void {
  api.add({
    method: 'POST',
    path: '/import',
    summary: 'Import licences of another system',
    args: LicenceImport,
    answers: { 200: LicenceImportReport },
    async handle({ args: { dry_run, plans = [], exchange_until, ...request }, user }) {
      const login = user?.login ?? '';
      const report = await importLicences(
        platform,
        {
          ...request,
          dryRun: dry_run,
          plans: Object.fromEntries(plans.map(({ name, ...plan }) => [name, plan])),
          exchangeUntil:
            exchange_until === undefined
              ? undefined
              : parseMoment('exchange_until', exchange_until),
        },
        { actor: formatConsoleActor(login), login },
      );
      return { body: report };
    },
  });
}
