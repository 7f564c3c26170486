import type { Static } from 'typebox';
import type { OutboxMailRecord } from '../../../../src/mail/schemas.ts';
import type { CaseEventRecord } from '../../../../src/privacy/dsar/cases/history/schemas.ts';
import type { UpdatedCase as UpdatedCaseRecord } from '../../../../src/privacy/dsar/cases/schemas.ts';
import type { DeletionRecord } from '../../../../src/privacy/dsar/deletions/schemas.ts';
import type * as tasks from '../../../../src/privacy/dsar/fulfilment/schemas.ts';
import type * as schemas from '../../../../src/privacy/dsar/schemas.ts';

/** Data subject requests, as `/dsar` returns them. */
export type Case = Static<typeof schemas.CaseRecord>;
export type UpdatedCase = Static<typeof UpdatedCaseRecord>;
export type Letter = UpdatedCase['letters'][number];
export type CaseEvent = Static<typeof CaseEventRecord>;
export type Task = Static<typeof tasks.TaskRecord>;
export type ErasurePreview = Static<typeof tasks.ErasurePreviewRecord>;
export type CompletionPreview = Static<typeof tasks.CompletionRecord>;
export type Decision = NonNullable<Static<typeof tasks.ApproveArgs>['decisions']>[number];
export type Mail = Static<typeof OutboxMailRecord>;
export type Deletion = Static<typeof DeletionRecord>;
export type CaseStatus = Case['status'];

/** A type without one of the server's values, or with another, does not compile. */
type Labels<Value extends string> = Readonly<Record<Value, string>>;

const toOptions = <Value extends string>(labels: Labels<Value>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }));

export const REQUEST_TYPES: Labels<Case['request_type']> = {
  access: 'Access',
  deletion: 'Deletion',
  rectification: 'Rectification',
  portability: 'Portability',
  objection: 'Objection',
};
export const REQUEST_TYPE_OPTIONS = toOptions(REQUEST_TYPES);

export const CHANNELS: Labels<Case['channel']> = {
  letter: 'Letter',
  phone: 'Phone',
  email: 'Email',
  in_person: 'In person',
  representative: 'Representative',
  web: 'Web form',
};
export const CHANNEL_OPTIONS = toOptions(CHANNELS);

export const CASE_STATUSES: Labels<CaseStatus> = {
  received: 'Received',
  in_progress: 'In progress',
  on_hold: 'On hold',
  completed: 'Completed',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
};
export const CASE_STATUS_OPTIONS = toOptions(CASE_STATUSES);
