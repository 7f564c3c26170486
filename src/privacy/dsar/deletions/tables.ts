import type { Generated } from 'kysely';
import type { CaseStatus, RequestType } from '../rules.ts';

/** A deleted request, without data about the person. Rows are only added. Moments are epoch milliseconds. */
export interface CaseDeletionTable {
  id: Generated<number>;
  reference: string;
  request_type: RequestType;
  /** When it was deleted. */
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
