import type { Generated } from 'kysely';
import type { Ground } from '../rules.ts';

export const TASK_STATUSES = [
  'pending',
  'running',
  'waiting',
  'done',
  'skipped',
  'failed',
] as const;
/** `waiting`: for a person, or for other tasks of the case. */
type TaskStatus = (typeof TASK_STATUSES)[number];

/** `manual` is done by a person; `package` combines what was collected. */
export const TASK_KINDS = ['collect', 'erase', 'manual', 'package'] as const;

/** The work for a case in one source. Moments are epoch milliseconds. */
export interface TaskTable {
  id: Generated<number>;
  case_id: number;
  kind: (typeof TASK_KINDS)[number];
  source: string;
  label: string;
  status: TaskStatus;
  attempts: Generated<number>;
  /** When it may start; for a running task, the end of its lease. */
  due_at: number;
  /** The cursor from which collecting continues. */
  next_page: string | null;
  records: Generated<number>;
  /** JSON, see `Outcome`. */
  outcome: string;
  last_error: string | null;
  reason: string | null;
  ground: Generated<Ground | null>;
  result: Generated<string | null>;
  finished_at: number | null;
}

/** Collected records, until they are in a package. */
interface PageTable {
  id: Generated<number>;
  case_id: number;
  task_id: number;
  /** JSON: an array of objects. */
  records: string;
}

/** A ZIP file in the data folder. */
export interface PackageTable {
  id: Generated<number>;
  case_id: number;
  /** Null once anonymised: files without a row are deleted. */
  file_name: string | null;
  sha256: string;
  bytes: number;
  created_at: number;
  /** Copied from the case; null while it is open. */
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
