import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { notFound } from '../../../platform/rest/errors.ts';
import { toListResponse, toOffsetAndLimit } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { Dsar } from '../context.ts';
import { openPackage } from '../export/download.ts';
import { approveErasure, changeTask, listTasks, previewErasure } from '../fulfilment/index.ts';
import {
  ApproveArgs,
  CompletionArgs,
  CompletionRecord,
  ErasurePreviewRecord,
  TaskRecord,
  TaskUpdateArgs,
  toCompletionRecord,
  toErasurePreview,
  toTaskRecord,
} from '../fulfilment/schemas.ts';
import { enterRequest } from '../intake/manual-entry.ts';
import { packageAnswer } from '../intake/routes.ts';
import {
  CaseCreation,
  CaseEventRecord,
  CaseQuery,
  CaseRecord,
  CaseUpdateArgs,
  Metrics,
  MetricsQuery,
  NewLinkArgs,
  NoteArgs,
  SentLink,
  toCaseRecord,
  toEventRecord,
  Zip,
} from '../schemas.ts';
import { addNote, changeCase } from '../service.ts';
import { findCase } from '../store.ts';
import { assigneeRoutes } from './assignee-routes.ts';
import { previewCompletion } from './completion.ts';
import { listEvents } from './history/store.ts';
import { sendNewLink } from './links.ts';
import { getMetrics } from './metrics.ts';
import { listCases } from './queue/store.ts';

/** Privacy requests: `/dsar/cases`, `/dsar/tasks`, `/dsar/assignees` and `/dsar/metrics`. */
export function caseRoutes(api: RestApi, dsar: Dsar): void {
  const { datastore, clock } = dsar.platform;
  const { db } = datastore;
  assigneeRoutes(api, dsar);

  async function existing(id: number) {
    const dsarCase = await findCase(db, id);
    if (!dsarCase) throw notFound('The request');
    return dsarCase;
  }

  api.add({
    method: 'GET',
    path: '/dsar/cases',
    access: 'manage_privacy_requests',
    summary: 'List privacy requests',
    args: CaseQuery,
    answers: { 200: Type.Array(CaseRecord) },
    async handle(request) {
      const { status, request_type, overdue, search, assignee } = request.args;
      const today = dsar.dayOf(clock.now());
      const filter = {
        ...{ status, requestType: request_type, overdue, search, today },
        assignee: assignee === '' ? null : assignee,
      };
      const { cases, total } = await listCases(
        db,
        filter,
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
      const location = api.addressOf(`/dsar/cases/${entered.id}`);
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
      return { body: toCaseRecord(await existing(id), dsar) };
    },
  });
  api.add({
    method: 'PUT',
    path: '/dsar/cases/{id}',
    access: 'manage_privacy_requests',
    summary: 'Update the status, assignee or deadline of a request',
    args: CaseUpdateArgs,
    answers: { 200: CaseRecord },
    refusals: { 409: 'invalid_transition' },
    async handle({ id, args, user }) {
      const changed = await changeCase(dsar, id, args, user?.login ?? '');
      return { body: toCaseRecord(changed, dsar) };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}/events',
    access: 'manage_privacy_requests',
    summary: 'List the activity of a request, oldest first',
    answers: { 200: Type.Array(CaseEventRecord) },
    async handle({ id }) {
      await existing(id);
      return { body: (await listEvents(db, id)).map(toEventRecord) };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/cases/{id}/events',
    access: 'manage_privacy_requests',
    summary: 'Add a note to a request',
    args: NoteArgs,
    answers: { 201: CaseEventRecord },
    async handle({ id, args, user }) {
      const event = await addNote(dsar, id, args.note, user?.login ?? '');
      return { status: 201, body: toEventRecord(event) };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}/tasks',
    access: 'manage_privacy_requests',
    summary: 'List the tasks of a request',
    answers: { 200: Type.Array(TaskRecord) },
    async handle({ id }) {
      await existing(id);
      return { body: (await listTasks(db, id)).map(toTaskRecord) };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}/erasure',
    access: 'manage_privacy_requests',
    summary: 'Preview the erasure of a deletion request',
    answers: { 200: Type.Array(ErasurePreviewRecord) },
    async handle({ id }) {
      const previews = await previewErasure(dsar, await existing(id));
      return { body: previews.map(toErasurePreview) };
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/cases/{id}/approve',
    access: 'manage_privacy_requests',
    summary: 'Approve or refuse the erasure of a deletion request',
    args: ApproveArgs,
    answers: { 200: Type.Array(TaskRecord) },
    refusals: { 409: 'invalid_transition' },
    async handle({ id, args, user }) {
      const tasks = await approveErasure(dsar, id, args.decisions, user?.login ?? '');
      return { body: tasks.map(toTaskRecord) };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}/completion',
    access: 'manage_privacy_requests',
    summary: 'Preview the email that completes a request',
    args: CompletionArgs,
    answers: { 200: CompletionRecord },
    refusals: { 409: 'invalid_transition' },
    async handle({ id, args }) {
      return { body: toCompletionRecord(await previewCompletion(dsar, id, args.reason)) };
    },
  });
  api.add({
    method: 'PUT',
    path: '/dsar/tasks/{id}',
    access: 'manage_privacy_requests',
    summary: 'Retry, complete or skip a task',
    args: TaskUpdateArgs,
    answers: { 200: TaskRecord },
    refusals: { 409: 'invalid_transition' },
    async handle({ id, args, user }) {
      return { body: toTaskRecord(await changeTask(dsar, id, args, user?.login ?? '')) };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}/package',
    access: 'manage_privacy_requests',
    summary: 'Download the package of a request as a ZIP file',
    answers: { 200: Zip },
    async handle({ id, user }) {
      return packageAnswer(await openPackage(dsar, id, user?.login ?? ''));
    },
  });
  api.add({
    method: 'POST',
    path: '/dsar/cases/{id}/links',
    access: 'manage_privacy_requests',
    summary: 'Send the requester a new confirmation or download link',
    args: NewLinkArgs,
    answers: { 201: SentLink },
    refusals: { 409: 'invalid_transition' },
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
