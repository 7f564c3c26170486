import type { Static } from 'typebox';
import type { OutboxMailRecord } from '../../../../src/mail/schemas.ts';
import type { DeletionRecord } from '../../../../src/privacy/dsar/deletions/schemas.ts';
import type * as tasks from '../../../../src/privacy/dsar/fulfilment/schemas.ts';
import type * as schemas from '../../../../src/privacy/dsar/schemas.ts';

/** Requests of data subjects, as `/dsar` has them. */
export type Case = Static<typeof schemas.CaseRecord>;
export type CaseEvent = Static<typeof schemas.CaseEventRecord>;
export type Task = Static<typeof tasks.TaskRecord>;
export type ErasurePreview = Static<typeof tasks.ErasurePreviewRecord>;
export type CompletionPreview = Static<typeof tasks.CompletionRecord>;
export type Decision = NonNullable<Static<typeof tasks.ApproveArgs>['decisions']>[number];
export type Mail = Static<typeof OutboxMailRecord>;
export type Deletion = Static<typeof DeletionRecord>;
export type CaseStatus = Case['status'];

/** What can be chosen: values stand here, as the console takes nothing but types from the server. */
export const REQUEST_TYPES = [
  'access',
  'deletion',
  'rectification',
  'portability',
  'objection',
] as const satisfies readonly Case['request_type'][];
export const CHANNELS = [
  'letter',
  'phone',
  'email',
  'in_person',
  'representative',
  'web',
] as const satisfies readonly Case['channel'][];
export const CASE_STATUSES = [
  'received',
  'in_progress',
  'on_hold',
  'completed',
  'rejected',
  'withdrawn',
] as const satisfies readonly CaseStatus[];
