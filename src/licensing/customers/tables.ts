import type { Generated } from 'kysely';

export interface CustomerTable {
  id: Generated<number>;
  /** In lower case; unique. */
  email: string;
  /** Increased to revoke all tokens. */
  session_version: Generated<number>;
  created_at: number;
  /** When their last licence ends or ended. Updated by the store of licences. */
  active_until: number | null;
  /** When a licence was last transferred away from them. */
  transferred_at: number | null;
  anonymised_at: Generated<number | null>;
}

/** A bearer token that was revoked by signing out. */
interface EndedTokenTable {
  token_id: string;
  /** When it would have expired. */
  expires_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    customers: CustomerTable;
    ended_tokens: EndedTokenTable;
  }
}
