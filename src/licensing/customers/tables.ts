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

declare module '../../platform/db/database.ts' {
  interface Database {
    customers: CustomerTable;
  }
}
