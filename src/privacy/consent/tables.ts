import type { Generated } from 'kysely';

/** A decision. Rows are only ever added: a withdrawal is a further one. */
export interface ConsentRecordTable {
  id: Generated<number>;
  visitor_id: string;
  /** JSON: list of category ids */
  categories_accepted: string;
  /** JSON: list of category ids */
  categories_rejected: string;
  consent_action: string;
  /** `YYYY-MM-DD` in the site's zone. */
  day: string;
  created_at: number;
  /** What was shown: a version of `consent_configs`; null if that was not stated. */
  config_version: number | null;
  expires_at: number;
  source: string | null;
  language: string | null;
  page_url: string | null;
  gpc: 0 | 1 | null;
  anonymised_at: Generated<number | null>;
}

/** How many decisions of each kind a day brought. */
interface ConsentDailyTable {
  day: string;
  consent_action: string;
  total: number;
  /** How many of them retention has deleted since. */
  removed: Generated<number>;
}

/** In place of a day, for the totals of all records. */
export const ALL_DAYS = '';

/** How often each category was accepted and rejected, on each day and on `ALL_DAYS`. */
interface ConsentCategoryDailyTable {
  day: string;
  category: string;
  accepted: number;
  rejected: number;
}

/** Decisions whose sender may send them again, for a moment. */
interface ConsentRepeatTable {
  /** A hash of what was sent and of its sender's key. */
  key: string;
  at: number;
  record_id: number | null;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    consent_records: ConsentRecordTable;
    consent_daily: ConsentDailyTable;
    consent_category_daily: ConsentCategoryDailyTable;
    consent_repeats: ConsentRepeatTable;
  }
}
