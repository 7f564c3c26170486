import type { Generated } from 'kysely';
import type { PeriodUnit, RetentionAction } from '../../personal-data/index.ts';

export interface RetentionPolicyTable {
  id: Generated<number>;
  name: string;
  data_category: string;
  period_value: number;
  period_unit: PeriodUnit;
  action: RetentionAction;
  is_active: 0 | 1;
  last_run_at: number | null;
  created_at: number;
  updated_at: number;
}

/** Dry runs are not stored. Moments are epoch milliseconds. */
export interface RetentionRunTable {
  id: Generated<number>;
  /** A login, `schedule`, the command line, or `anonymised` by a policy of the change history. */
  started_by: string;
  as_of: number;
  started_at: number;
  /** When it last made progress: a run without progress was interrupted. */
  last_seen_at: number;
  finished_at: number | null;
}

/** The result of a run for one policy, which may have been changed or deleted since. */
export interface RetentionRunDetailTable {
  id: Generated<number>;
  run_id: number;
  policy_id: number;
  policy_name: string;
  data_category: string;
  action: RetentionAction;
  due_before: number;
  records_affected: number;
  records_held: number;
  error: string | null;
}

export const CHANGE_SUBJECTS = ['policy', 'hold'] as const;
export type ChangeSubject = (typeof CHANGE_SUBJECTS)[number];

export const CHANGE_ACTIONS = ['created', 'updated', 'deleted', 'placed', 'lifted'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** A change of a policy or of a hold. Rows are only added. */
export interface RetentionChangeTable {
  id: Generated<number>;
  at: number;
  /** A login, or the command line. */
  actor: string;
  subject: ChangeSubject;
  /** The row may have been deleted. */
  subject_id: number;
  action: ChangeAction;
  /** JSON */
  before: string | null;
  /** JSON */
  after: string | null;
  reason: string | null;
  anonymised_at: Generated<number | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    retention_policies: RetentionPolicyTable;
    retention_runs: RetentionRunTable;
    retention_run_details: RetentionRunDetailTable;
    retention_changes: RetentionChangeTable;
  }
}
