import type { Generated } from 'kysely';

/** A consent record. Rows are only added: a withdrawal is a further record. */
export interface ConsentRecordTable {
  id: Generated<number>;
  visitor_id: string;
  /** JSON: list of category ids */
  categories_accepted: string;
  /** JSON: list of category ids */
  categories_rejected: string;
  /** JSON: slugs of vendors that were accepted although their category was not; null for none. */
  vendors_accepted: Generated<string | null>;
  /** JSON: slugs of vendors that were rejected although their category was accepted; null for none. */
  vendors_rejected: Generated<string | null>;
  consent_action: string;
  /** `YYYY-MM-DD` in the site's zone. */
  day: string;
  created_at: number;
  /** The banner version that was shown, of `consent_configs`; null if it was not stated. */
  config_version: number | null;
  expires_at: number;
  source: string | null;
  language: string | null;
  page_url: string | null;
  gpc: 0 | 1 | null;
  anonymised_at: Generated<number | null>;
  /** 16 random bytes that keep the personal data from being guessed from the consent log; null once anonymised. */
  salt: Generated<Uint8Array | null>;
  /** The hash of the personal data that anonymising removed, as the consent log has it. */
  personal_hash: Generated<Uint8Array | null>;
}

/** Records per day and action. */
interface ConsentDailyTable {
  day: string;
  consent_action: string;
  total: number;
  /** The number of these records that retention has deleted. */
  removed: Generated<number>;
}

/** In place of a day, for the totals of all records. */
export const ALL_DAYS = '';

/** Acceptances and rejections per category, for each day and for `ALL_DAYS`. */
interface ConsentCategoryDailyTable {
  day: string;
  category: string;
  accepted: number;
  rejected: number;
}

/** Idempotency keys of recent choices. */
interface ConsentRepeatTable {
  /** A hash of the body and the Idempotency-Key. */
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
