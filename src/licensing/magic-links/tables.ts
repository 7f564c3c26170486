import type { Generated } from 'kysely';

/** A sign-in link. Links to unknown addresses are stored as well, and do not work. */
export interface MagicLinkTable {
  id: Generated<number>;
  address_hash: string;
  /** The hash of the client that requested the link; null for links of earlier releases. */
  client_hash: string | null;
  token_hash: string;
  /** Null if no customer has the address. */
  customer_id: number | null;
  created_at: number;
  expires_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    magic_links: MagicLinkTable;
  }
}
