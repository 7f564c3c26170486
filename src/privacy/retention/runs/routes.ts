import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { type RetentionScope, runRetention } from '../run.ts';
import { getNextRun } from '../schedule.ts';
import {
  RunAnswer,
  RunArgs,
  RunRecord,
  StatusRecord,
  toRunAnswer,
  toRunRecord,
} from './schemas.ts';
import { findRun, listRuns } from './store.ts';

/** `/retention/run`, `/retention/runs` and `/retention/status` */
export function runRoutes(api: RestApi, platform: Platform, scope: RetentionScope): void {
  const { clock } = platform;
  const { db } = platform.datastore;
  api.add({
    method: 'GET',
    path: '/retention/status',
    access: 'read_privacy',
    summary: 'Get the time of the next scheduled run',
    answers: { 200: StatusRecord },
    async handle() {
      return { body: { next_run_at: toIsoMoment(await getNextRun(platform, scope)) } };
    },
  });
  api.add({
    method: 'POST',
    path: '/retention/run',
    summary: 'Run retention policies, or preview a run',
    args: RunArgs,
    answers: { 200: RunAnswer },
    refusals: { 404: 'not_found' },
    async handle({ args: { dry_run: dryRun, policy_id: policyId }, user }) {
      const startedBy = user?.login ?? '';
      const result = await runRetention(platform, scope, { dryRun, policyId, startedBy });
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
      if (!run) throw new NotFoundError('The retention run');
      return { body: toRunRecord(run, clock.now()) };
    },
  });
}
