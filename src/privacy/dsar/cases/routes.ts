import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { toListResponse, toOffsetAndLimit } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { Dsar } from '../context.ts';
import { enterRequest } from '../intake/manual-entry.ts';
import { CaseRecord, toCaseRecord } from '../schemas.ts';
import { changeCase } from '../service.ts';
import { getCase } from '../store.ts';
import { NO_PACKAGE, sendNewLink } from './links.ts';
import { getMetrics } from './metrics.ts';
import { listCases } from './queue/store.ts';
import {
  CaseCreation,
  CaseQuery,
  CaseUpdateArgs,
  Metrics,
  MetricsQuery,
  NewLinkArgs,
  SentLink,
  UpdatedCase,
} from './schemas.ts';
import { describeOpenTasks, describeTransitionProblem } from './transitions.ts';

export function caseRoutes(api: RestApi, dsar: Dsar): void {
  const { datastore, clock } = dsar.platform;
  api.add({
    method: 'GET',
    path: '/dsar/cases',
    access: 'manage_privacy_requests',
    summary: 'List privacy requests',
    args: CaseQuery,
    answers: { 200: Type.Array(CaseRecord) },
    async handle(request) {
      const { status, request_type: requestType, overdue, search, assignee } = request.args;
      const { cases, total } = await listCases(
        datastore.db,
        {
          ...{ status, requestType, overdue, search },
          assignee: assignee === '' ? null : assignee,
          today: dsar.formatDay(clock.now()),
        },
        toOffsetAndLimit(request.args),
        request.args,
      );
      const records = cases.map((each) => toCaseRecord(each, dsar));
      return toListResponse(request, records, total);
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/cases',
    access: 'manage_privacy_requests',
    summary: 'Create a request that was received by letter, telephone or another way',
    args: CaseCreation,
    answers: { 201: CaseRecord },
    answerHeaders: ['Location'],
    async handle({ args, user }) {
      const entered = await enterRequest(dsar, args, user?.login ?? '');
      const location = api.getUrl(`/dsar/cases/${entered.id}`);
      return { status: 201, body: toCaseRecord(entered, dsar), headers: { location } };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}',
    access: 'manage_privacy_requests',
    summary: 'Get a privacy request',
    answers: { 200: CaseRecord },
    async handle({ id }) {
      return { body: toCaseRecord(await getCase(datastore.db, id), dsar) };
    },
  });
  api.add({
    method: 'PUT',
    path: '/dsar/cases/{id}',
    access: 'manage_privacy_requests',
    summary: 'Update the status, assignee or deadline of a request',
    args: CaseUpdateArgs,
    answers: { 200: UpdatedCase },
    refusals: {
      409: {
        invalid_transition: describeTransitionProblem('received', 'completed'),
        sources_unresolved: describeOpenTasks([{ label: 'Your orders', status: 'waiting' }]),
      },
    },
    async handle({ id, args, user }) {
      const { dsarCase, letters } = await changeCase(dsar, id, args, user?.login ?? '');
      return { body: { ...toCaseRecord(dsarCase, dsar), letters } };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/cases/{id}/links',
    access: 'manage_privacy_requests',
    summary: 'Send the requester a new confirmation or download link',
    args: NewLinkArgs,
    answers: { 201: SentLink },
    refusals: { 409: { invalid_transition: NO_PACKAGE } },
    async handle({ id, args: { purpose }, user }) {
      const expiresAt = await sendNewLink(dsar, id, purpose, user?.login ?? '');
      return { status: 201, body: { purpose, expires_at: toIsoMoment(expiresAt) } };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/metrics',
    access: 'read_settings',
    summary: 'Get request statistics',
    args: MetricsQuery,
    answers: { 200: Metrics },
    async handle({ args: { date_from: from, date_to: to } }) {
      return { body: await getMetrics(dsar, { from, to }) };
    },
  });
}
