import { Type } from 'typebox';
import { listLegalHolds, type PersonalDataDeclaration } from '../../../personal-data/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { deletionSchema } from '../../../platform/http/schemas.ts';
import { toListResponse, toOffsetAndLimit } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { placeHold, releaseHold } from '../service.ts';
import { HoldQuery, HoldRecord, holdCreation, LiftArgs, toHoldRecord } from './schemas.ts';

/** `/retention/holds` */
export function holdRoutes(
  api: RestApi,
  platform: Platform,
  types: readonly PersonalDataDeclaration[],
): void {
  const byCategory = new Map(types.map((type) => [type.category, type]));
  api.add({
    method: 'GET',
    path: '/retention/holds',
    summary: 'List legal holds, newest first',
    args: HoldQuery,
    answers: { 200: Type.Array(HoldRecord) },
    async handle(request) {
      const { args } = request;
      const filter = { isLifted: args.status === 'lifted' };
      const { holds, total } = await listLegalHolds(
        platform.datastore.db,
        filter,
        toOffsetAndLimit(args),
      );
      return toListResponse(request, holds.map(toHoldRecord), total);
    },
  });
  api.add({
    method: 'POST',
    path: '/retention/holds',
    summary: 'Place a legal hold on a record or a category',
    args: holdCreation([...byCategory.keys()]),
    answers: { 201: HoldRecord },
    async handle({ args: { data_category, record_id = null, reason }, user }) {
      const placedBy = user?.login ?? '';
      const type = byCategory.get(data_category) as PersonalDataDeclaration;
      const hold = await placeHold(platform, type, { recordId: record_id, reason, placedBy });
      return { status: 201, body: toHoldRecord(hold) };
    },
  });
  api.add({
    method: 'DELETE',
    path: '/retention/holds/{id}',
    summary: 'Release a legal hold',
    args: LiftArgs,
    answers: { 200: deletionSchema(HoldRecord) },
    async handle({ id, args: { reason }, user }) {
      const hold = await releaseHold(platform, id, { by: user?.login ?? '', reason });
      return { body: { deleted: true, previous: toHoldRecord(hold) } };
    },
  });
}
