import type { Generated } from 'kysely';

export interface SigningKeyTable {
  id: Generated<number>;
  kid: string;
  /** 32 bytes in base64url, `x` of a JSON Web Key. */
  public_key: string;
  /** The encrypted private key; null for the first key, which is derived from the secret. */
  sealed_key: string | null;
  /** The JWT with which the key before vouches for this one. */
  endorsement: string | null;
  /** Null for the first key. */
  created_at: number | null;
  retired_at: number | null;
  revoked_at: number | null;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    signing_keys: SigningKeyTable;
  }
}
