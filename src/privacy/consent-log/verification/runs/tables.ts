import type { Generated } from 'kysely';

export interface ConsentLogVerificationTable {
  id: Generated<number>;
  deep: 0 | 1;
  started_at: number;
  /** When the node that runs it has last reported. */
  last_seen_at: number;
  /** Null while it runs, and if its node has ended before it. */
  finished_at: number | null;
  /** Entries and records that were checked. */
  done: number;
  /** 0 until they are counted. */
  total: number;
  /** Why it failed, for people. */
  error: string | null;
  /** JSON of a `VerificationReport`. */
  report: string | null;
}

declare module '../../../../platform/db/database.ts' {
  interface Database {
    consent_log_verifications: ConsentLogVerificationTable;
  }
}
