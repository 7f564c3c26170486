import type { Generated } from 'kysely';

export interface CustomerTable {
  id: Generated<number>;
  /** In lower case; one customer an address. */
  email: string;
  /** Raised to end every token issued before. */
  session_version: Generated<number>;
  created_at: number;
  /** When the last of their licences ends or ended; may lie ahead. Kept by the store of licences. */
  active_until: number | null;
  anonymised_at: Generated<number | null>;
}

/** A bearer token that was ended by signing out. */
interface EndedTokenTable {
  token_id: string;
  /** When it would not be taken any more anyway. */
  expires_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    customers: CustomerTable;
    ended_tokens: EndedTokenTable;
  }
}
