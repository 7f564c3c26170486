import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { deletionSchema } from '../../platform/http/schemas.ts';
import { paginationArgs, toWholeListResponse } from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { RefusedOriginRecord, toRefusedOriginRecord } from './schemas.ts';
import type { AllowedOrigins } from './service.ts';
import { dismissRefusedOrigin } from './store.ts';

/** Refused origins. To allow one, add it to `origins.allowed` of `/settings`. */
export function originRoutes(
  api: RestApi,
  { datastore, clock }: Platform,
  origins: AllowedOrigins,
): void {
  api.add({
    method: 'GET',
    path: '/consent/refused-origins',
    access: 'read_privacy',
    summary: 'List refused origins',
    args: Type.Object(paginationArgs()),
    answers: { 200: Type.Array(RefusedOriginRecord) },
    async handle(request) {
      const refused = await origins.listRefused();
      return toWholeListResponse(request, refused.map(toRefusedOriginRecord));
    },
  });
  api.add({
    method: 'DELETE',
    path: '/consent/refused-origins/{id}',
    summary: 'Dismiss a refused origin',
    answers: { 200: deletionSchema(RefusedOriginRecord) },
    async handle({ id }) {
      const dismissed = await datastore.transaction((trx) =>
        dismissRefusedOrigin(trx, id, clock.now()),
      );
      if (!dismissed) throw new NotFoundError('The refused origin');
      return { body: { deleted: true, previous: toRefusedOriginRecord(dismissed) } };
    },
  });
}
