import { type Static, Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { toCamelCase } from '../../platform/key-case.ts';
import { addItemRoutes } from '../../platform/rest/items.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
  toWholeListResponse,
  wholeListArgs,
} from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { ChangeQuery, ChangeRecord, toChangeRecord } from './changes/schemas.ts';
import { listChanges } from './changes/store.ts';
import { holdRoutes } from './holds/routes.ts';
import { previewPolicy } from './preview.ts';
import type { RetentionScope } from './run.ts';
import { runRoutes } from './runs/routes.ts';
import {
  CategoryRecord,
  PolicyFilterArgs,
  PolicyRecord,
  PreviewRecord,
  policyCreation,
  policyUpdate,
  toCategoryRecord,
  toPolicyRecord,
  toPreviewRecord,
} from './schemas.ts';
import { changePolicy, createPolicy, getPolicy, listDatedTypes, removePolicy } from './service.ts';
import { countPolicies, findPolicy, listPolicies, type PolicyFields } from './store.ts';

/** `/retention` */
export function retentionRoutes(api: RestApi, platform: Platform, scope: RetentionScope): void {
  const { db } = platform.datastore;
  const types = listDatedTypes(scope.personalData);
  const categories = types.map(({ category }) => category);

  api.add({
    method: 'GET',
    path: '/retention/categories',
    access: 'read_privacy',
    summary: 'List data categories',
    args: wholeListArgs,
    answers: { 200: Type.Array(CategoryRecord) },
    async handle(request) {
      return toWholeListResponse(request, types.map(toCategoryRecord));
    },
  });
  api.add({
    method: 'GET',
    path: '/retention/policies',
    access: 'read_privacy',
    summary: 'List retention policies',
    args: Type.Object({ ...PolicyFilterArgs, ...paginationArgs() }),
    answers: { 200: Type.Array(PolicyRecord) },
    async handle(request) {
      const { active_only, data_category: dataCategory } = request.args;
      const filter = { ...(active_only && { isActive: true as const }), dataCategory };
      const policies = await listPolicies(db, filter, toOffsetAndLimit(request.args));
      return toListResponse(request, policies.map(toPolicyRecord), await countPolicies(db, filter));
    },
  });
  api.add({
    method: 'POST',
    path: '/retention/policies',
    summary: 'Create a retention policy',
    args: policyCreation(categories),
    answers: { 201: PolicyRecord },
    answerHeaders: ['Location'],
    async handle({ args: { is_active = 1, ...args }, user }) {
      const fields = { ...toCamelCase(args), isActive: Boolean(is_active) };
      const policy = await createPolicy(platform, types, fields, user?.login ?? '');
      const location = api.getUrl(`/retention/policies/${policy.id}`);
      return { status: 201, body: toPolicyRecord(policy), headers: { location } };
    },
  });
  addItemRoutes(api, {
    path: '/retention/policies',
    noun: 'retention policy',
    record: PolicyRecord,
    toRecord: toPolicyRecord,
    update: policyUpdate(categories),
    find: (id) => findPolicy(db, id),
    change: (id, args, user, assertUnchanged) =>
      changePolicy(platform, types, id, {
        fields: toChanges(args),
        actor: user?.login ?? '',
        assertUnchanged,
      }),
    remove: (id, user) => removePolicy(platform, id, user?.login ?? ''),
  });
  api.add({
    method: 'GET',
    path: '/retention/policies/{id}/preview',
    access: 'read_privacy',
    summary: 'Preview a retention policy',
    answers: { 200: PreviewRecord },
    async handle({ id }) {
      const policy = await getPolicy(platform, id);
      return { body: toPreviewRecord(policy, await previewPolicy(platform, scope, policy)) };
    },
  });
  runRoutes(api, platform, scope);
  api.add({
    method: 'GET',
    path: '/retention/changes',
    access: 'read_privacy',
    summary: 'List changes to policies and legal holds, newest first',
    args: ChangeQuery,
    answers: { 200: Type.Array(ChangeRecord) },
    async handle(request) {
      const { subject, subject_id: subjectId } = request.args;
      const filter = { subject, subjectId };
      const { changes, total } = await listChanges(db, filter, toOffsetAndLimit(request.args));
      return toListResponse(request, changes.map(toChangeRecord), total);
    },
  });
  holdRoutes(api, platform, types);
}

const toChanges = ({
  is_active,
  ...args
}: Static<ReturnType<typeof policyUpdate>>): Partial<PolicyFields> => ({
  ...toCamelCase(args),
  ...(is_active !== undefined && { isActive: Boolean(is_active) }),
});
