import { Type } from 'typebox';
import { toWholeListResponse, wholeListArgs } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { previewCompletion } from '../cases/completion.ts';
import type { Dsar } from '../context.ts';
import { openPackage } from '../export/download.ts';
import { toPackageResponse } from '../intake/link-routes.ts';
import { Zip } from '../intake/schemas.ts';
import { getCase } from '../store.ts';
import { approveErasure, previewErasure } from './approval.ts';
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
} from './schemas.ts';
import { changeTask } from './service.ts';
import { listTasks } from './store.ts';

/** The tasks of a request, the approval of erasures, and what completing it sends. */
export function taskRoutes(api: RestApi, dsar: Dsar): void {
  const { db } = dsar.platform.datastore;
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}/tasks',
    access: 'manage_privacy_requests',
    summary: 'List the tasks of a request',
    args: wholeListArgs,
    answers: { 200: Type.Array(TaskRecord) },
    async handle(request) {
      const { id } = request;
      await getCase(db, id);
      return toWholeListResponse(request, (await listTasks(db, id)).map(toTaskRecord));
    },
  });
  api.add({
    method: 'PUT',
    path: '/dsar/tasks/{id}',
    access: 'manage_privacy_requests',
    summary: 'Retry, complete or skip a task',
    args: TaskUpdateArgs,
    answers: { 200: TaskRecord },
    refusals: { 409: { invalid_transition: 'This package task is done and cannot be made done.' } },
    async handle({ id, args, user }) {
      return { body: toTaskRecord(await changeTask(dsar, id, args, user?.login ?? '')) };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}/erasure',
    access: 'manage_privacy_requests',
    summary: 'Preview the erasure of a deletion request',
    answers: { 200: Type.Array(ErasurePreviewRecord) },
    async handle({ id }) {
      const previews = await previewErasure(dsar, await getCase(db, id));
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
    refusals: { 409: { invalid_transition: 'No erasure of this request needs approval.' } },
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
    refusals: { 409: { invalid_transition: 'A request that is received cannot be completed.' } },
    async handle({ id, args }) {
      return { body: toCompletionRecord(await previewCompletion(dsar, id, args.reason)) };
    },
  });
  api.add({
    method: 'GET',
    path: '/dsar/cases/{id}/package',
    access: 'manage_privacy_requests',
    summary: 'Download the package of a request as a ZIP file',
    answers: { 200: Zip },
    async handle({ id, user }) {
      return toPackageResponse(await openPackage(dsar, id, user?.login ?? ''));
    },
  });
}
