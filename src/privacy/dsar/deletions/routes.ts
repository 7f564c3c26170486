import { Type } from 'typebox';
import { deletionSchema } from '../../../platform/http/schemas.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { Dsar } from '../context.ts';
import { CaseRecord, toCaseRecord } from '../schemas.ts';
import { deleteRequest } from '../service.ts';
import { DeletionArgs, DeletionRecord, toDeletionRecord } from './schemas.ts';
import { listDeletions } from './store.ts';

/** `DELETE /dsar/cases/{id}` and `/dsar/deletions` */
export function deletionRoutes(api: RestApi, dsar: Dsar): void {
  api.add({
    method: 'DELETE',
    path: '/dsar/cases/{id}',
    summary: 'Delete a request with its events, tasks, links and package',
    args: DeletionArgs,
    answers: { 200: deletionSchema(CaseRecord) },
    refusals: {
      403: { delete_failed: 'The request is under a legal hold. Release the hold first.' },
    },
    async handle({ id, args: { reason }, user }) {
      const removed = await deleteRequest(dsar, id, { actor: user?.login ?? '', reason });
      return { body: { deleted: true, previous: toCaseRecord(removed, dsar) } };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/deletions',
    access: 'manage_privacy_requests',
    summary: 'List deleted requests, newest first',
    args: Type.Object(paginationArgs()),
    answers: { 200: Type.Array(DeletionRecord) },
    async handle(request) {
      const { db } = dsar.platform.datastore;
      const { deletions, total } = await listDeletions(db, toOffsetAndLimit(request.args));
      return toListResponse(request, deletions.map(toDeletionRecord), total);
    },
  });
}
