import type { Generated } from 'kysely';

/** Keeps a record, or without an id a whole category, from retention and erasure. */
export interface LegalHoldTable {
  id: Generated<number>;
  data_category: string;
  record_id: number | null;
  reason: string;
  /** A login. */
  placed_by: string;
  created_at: number;
  /** Null while the hold is in force. */
  lifted_at: Generated<number | null>;
  lifted_by: Generated<string | null>;
  lifted_reason: Generated<string | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    record_holds: LegalHoldTable;
  }
}
