import type { Generated } from 'kysely';

export const TASK_STATUSES = [
  'pending',
  'running',
  'waiting',
  'done',
  'skipped',
  'failed',
] as const;
/** `waiting`: for a person, or for other tasks of the case. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** `manual` is for a person; `package` puts together what was collected. */
export type TaskKind = 'collect' | 'erase' | 'manual' | 'package';

/** What is to be done for a case in one source. */
export interface TaskTable {
  id: Generated<number>;
  case_id: number;
  kind: TaskKind;
  /** The id of a source. */
  source: string;
  label: string;
  status: TaskStatus;
  attempts: Generated<number>;
  /** When it may be tried; of a running task, the end of its lease. */
  due_at: number;
  /** Where collecting goes on. */
  next_page: string | null;
  /** How many records were found. */
  records: Generated<number>;
  /** JSON: what became of them. */
  outcome: string;
  last_error: string | null;
  /** Why it was left undone. */
  reason: string | null;
  /** The ground on which it was skipped. */
  ground: Generated<string | null>;
  /** What a person did. */
  result: Generated<string | null>;
  finished_at: number | null;
}

/** A page of what was collected, until it is in a package. */
interface PageTable {
  id: Generated<number>;
  case_id: number;
  task_id: number;
  /** JSON: list of objects */
  records: string;
}

/** What a person is given: a file in the data folder. */
interface PackageTable {
  id: Generated<number>;
  case_id: number;
  /** Null when it is anonymised: a file that no row names is removed. */
  file_name: string | null;
  sha256: string;
  bytes: number;
  created_at: number;
  /** As in its case; null while that is open. */
  case_closed_at: number | null;
  anonymised_at: Generated<number | null>;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    dsar_tasks: TaskTable;
    dsar_pages: PageTable;
    dsar_packages: PackageTable;
  }
}
