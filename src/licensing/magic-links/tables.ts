import type { Generated } from 'kysely';

/** A link that was mailed to an address. One that nobody has the address of is kept alike, and opens nothing. */
export interface MagicLinkTable {
  id: Generated<number>;
  address_hash: string;
  /** Of the client that asked for it; null for links of before. */
  client_hash: string | null;
  token_hash: string;
  /** Null: no customer has the address. */
  customer_id: number | null;
  created_at: number;
  expires_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    magic_links: MagicLinkTable;
  }
}
