import type { Generated } from 'kysely';

/** What the log commits to beside consent records. Rows are only added. */
interface ConsentLogRecordTable {
  id: Generated<number>;
  /** One of `ENTRY_KINDS`. */
  kind: number;
  /** Canonical JSON (RFC 8785). */
  facts: string;
  created_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    consent_log_records: ConsentLogRecordTable;
  }
}
