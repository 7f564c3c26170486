import { type Static, Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { notFound } from '../../platform/rest/errors.ts';
import { addItemRoutes } from '../../platform/rest/items.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { listChanges } from './changes/store.ts';
import { holdRoutes } from './holds/routes.ts';
import { previewPolicy } from './preview.ts';
import { type RetentionScope, runRetention } from './run.ts';
import { findRun, listRuns } from './runs/store.ts';
import {
  CategoryRecord,
  ChangeFilterArgs,
  ChangeRecord,
  PolicyFilterArgs,
  PolicyRecord,
  PreviewRecord,
  policyCreation,
  policyUpdate,
  RunAnswer,
  RunArgs,
  RunRecord,
  toCategoryRecord,
  toChangeRecord,
  toPolicyRecord,
  toPreviewRecord,
  toRunAnswer,
  toRunRecord,
} from './schemas.ts';
import { changePolicy, createPolicy, getPolicy, listDatedTypes, removePolicy } from './service.ts';
import { countPolicies, findPolicy, listPolicies, type PolicyFields } from './store.ts';

/** Retention policies and runs: `/retention`. */
export function retentionRoutes(api: RestApi, platform: Platform, scope: RetentionScope): void {
  const { clock } = platform;
  const { db } = platform.datastore;
  const types = listDatedTypes(scope.personalData);
  const categories = types.map(({ category }) => category);

  api.add({
    method: 'GET',
    path: '/retention/categories',
    access: 'read_privacy',
    summary: 'List data categories',
    answers: { 200: Type.Array(CategoryRecord) },
    async handle() {
      return { body: types.map(toCategoryRecord) };
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
      const { active_only, data_category } = request.args;
      const filter = {
        ...(active_only && { isActive: true as const }),
        ...(data_category !== undefined && { dataCategory: data_category }),
      };
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
    async handle({ args, user }) {
      const { name, data_category, period_value, period_unit, action, is_active = 1 } = args;
      const fields = {
        name,
        dataCategory: data_category,
        periodValue: period_value,
        periodUnit: period_unit,
        action,
        isActive: Boolean(is_active),
      };
      const policy = await createPolicy(platform, types, fields, user?.login ?? '');
      const location = api.addressOf(`/retention/policies/${policy.id}`);
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
    change: (id, args, user) =>
      changePolicy(platform, types, id, toChanges(args), user?.login ?? ''),
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
  api.add({
    method: 'POST',
    path: '/retention/run',
    summary: 'Run retention policies, or preview a run',
    args: RunArgs,
    answers: { 200: RunAnswer },
    refusals: { 404: 'not_found' },
    async handle({ args: { dry_run, policy_id }, user }) {
      const result = await runRetention(platform, scope, {
        dryRun: dry_run,
        policyId: policy_id,
        startedBy: user?.login ?? '',
      });
      return { body: toRunAnswer(result) };
    },
  });
  api.add({
    method: 'GET',
    path: '/retention/runs',
    access: 'read_privacy',
    summary: 'List retention runs, newest first',
    args: Type.Object(paginationArgs()),
    answers: { 200: Type.Array(RunRecord) },
    async handle(request) {
      const { runs, total } = await listRuns(db, toOffsetAndLimit(request.args));
      const records = runs.map((run) => toRunRecord(run, clock.now()));
      return toListResponse(request, records, total);
    },
  });
  api.add({
    method: 'GET',
    path: '/retention/runs/{id}',
    access: 'read_privacy',
    summary: 'Get a retention run',
    answers: { 200: RunRecord },
    async handle({ id }) {
      const run = await findRun(db, id);
      if (!run) throw notFound('The retention run');
      return { body: toRunRecord(run, clock.now()) };
    },
  });
  api.add({
    method: 'GET',
    path: '/retention/changes',
    access: 'read_privacy',
    summary: 'List changes to policies and legal holds, newest first',
    args: ChangeFilterArgs,
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

/** The fields that are given. */
function toChanges(args: Static<ReturnType<typeof policyUpdate>>): Partial<PolicyFields> {
  const { name, data_category, period_value, period_unit, action, is_active } = args;
  return {
    ...(name !== undefined && { name }),
    ...(data_category !== undefined && { dataCategory: data_category }),
    ...(period_value !== undefined && { periodValue: period_value }),
    ...(period_unit !== undefined && { periodUnit: period_unit }),
    ...(action !== undefined && { action }),
    ...(is_active !== undefined && { isActive: Boolean(is_active) }),
  };
}
