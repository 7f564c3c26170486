import type { Generated } from 'kysely';

export interface DataMapEntryTable {
  id: Generated<number>;
  vendor_id: number;
  purpose: string;
  legal_basis: string;
  /** JSON: list of texts */
  data_categories: string;
  /** In the spelling of the request. */
  retention_period: string;
  /** Parsed from `retention_period`; null if that is not a duration. */
  retention_days: number | null;
  status: string;
  data_subjects: string | null;
  recipients: string | null;
  third_countries: string | null;
  safeguards: string | null;
  security_measures: string | null;
  controller: string | null;
  data_source: string | null;
  automated_decisions: string | null;
  /** `YYYY-MM-DD` */
  review_date: string | null;
  created_at: number;
  updated_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    data_map_entries: DataMapEntryTable;
  }
}
