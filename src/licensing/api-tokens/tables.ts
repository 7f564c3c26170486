import type { Generated } from 'kysely';

/** Rows are kept after a revocation: licences and the security log name them. */
export interface ApiTokenTable {
  id: Generated<number>;
  name: string;
  token_hash: string;
  masked_token: string;
  /** JSON: names of scopes. */
  scopes: string;
  /** Null: all products. */
  product_id: number | null;
  /** The user of the console; null if it was made on the command line. */
  created_by_id: number | null;
  created_at: number;
  expires_at: number | null;
  /** To the hour. */
  last_used_at: number | null;
  revoked_at: number | null;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    api_tokens: ApiTokenTable;
  }
}
