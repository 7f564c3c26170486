import { forbidden } from '../../../platform/rest/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { SettingsUpdateHeaders } from '../schemas.ts';
import { loadImport } from './load.ts';
import { SettingsImport, SettingsImportRequest } from './schemas.ts';
import type { ImportScope } from './service.ts';

/** `/settings/import` */
export function importRoutes(api: RestApi, scope: ImportScope): void {
  api.add({
    method: 'POST',
    path: '/settings/import',
    access: 'edit_banner_texts',
    summary: 'Import the settings of another banner',
    args: SettingsImportRequest,
    requestHeaders: SettingsUpdateHeaders,
    answers: { 200: SettingsImport },
    answerHeaders: ['ETag'],
    refusals: { 412: 'rest_precondition_failed' },
    async handle({ args, user, headers }) {
      if (!user) throw forbidden(401);
      const ifMatch = headers['if-match'];
      const { importSettings } = await loadImport();
      const { result, etag } = await importSettings(scope, args, { user, ifMatch });
      return { body: result, headers: { etag } };
    },
  });
}
