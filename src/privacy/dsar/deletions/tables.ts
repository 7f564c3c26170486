import type { Generated } from 'kysely';
import type { CaseStatus, RequestType } from '../rules.ts';

/** A request that was deleted, by whom and why. Rows are only ever added. */
export interface CaseDeletionTable {
  id: Generated<number>;
  reference: string;
  request_type: RequestType;
  /** As it was then. */
  status: CaseStatus;
  received_at: number;
  /** `YYYY-MM-DD` in the site's zone. */
  received_on: string;
  closed_at: number | null;
  deleted_at: number;
  actor: string;
  reason: string | null;
  anonymised_at: Generated<number | null>;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    dsar_deletions: CaseDeletionTable;
  }
}
