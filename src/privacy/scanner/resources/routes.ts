import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { toListResponse, toOffsetAndLimit } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { SettingsCache } from '../../settings/index.ts';
import { getScanEvaluation } from '../decisions/service.ts';
import { listFindings } from '../results/store.ts';
import { groupFindings, matchesFilter, sortResources } from './rules.ts';
import { ResourceRecord, ResourcesArgs, toResourceRecord } from './schemas.ts';

/** The findings of a scan, one row per resource: `/scanner/scans/{id}/resources`. */
export function resourceRoutes(
  api: RestApi,
  { datastore: { db } }: Platform,
  settings: SettingsCache,
): void {
  api.add({
    method: 'GET',
    path: '/scanner/scans/{id}/resources',
    access: 'read_privacy',
    summary: 'List the resources of a scan',
    args: ResourcesArgs,
    answers: { 200: Type.Array(ResourceRecord) },
    async handle(request) {
      const { id, args } = request;
      const { evaluate } = await getScanEvaluation(db, id, await settings.read());
      const { findings } = await listFindings(db, id, {});
      const found = groupFindings(findings, evaluate).filter((resource) =>
        matchesFilter(resource, args),
      );
      const { offset, limit } = toOffsetAndLimit(args);
      const slice = sortResources(found, args.orderby, args.order).slice(offset, offset + limit);
      return toListResponse(request, slice.map(toResourceRecord), found.length);
    },
  });
}
