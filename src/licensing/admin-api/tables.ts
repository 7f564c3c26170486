import type { Generated } from 'kysely';

/** The idempotency key with which a program has issued a licence. It is kept as long as the licence. */
interface ApiIssueTable {
  id: Generated<number>;
  token_id: number;
  /** The hash of the idempotency key; unique per token. */
  key_hash: string;
  /** The hash of the request body; empty after the customer was deleted. */
  body_hash: string;
  licence_id: number;
  created_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    api_issues: ApiIssueTable;
  }
}
