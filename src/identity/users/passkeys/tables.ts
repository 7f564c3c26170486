import type { Generated } from 'kysely';

interface PasskeyTable {
  id: Generated<number>;
  user_id: number;
  /** From the authenticator, in base64url. */
  credential_id: string;
  /** COSE, in base64url. */
  public_key: string;
  /** Signatures that the authenticator has made. Many authenticators always say 0. */
  counter: number;
  /** JSON: how browsers reach the authenticator. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** Challenges that were answered, until they expire. */
interface UsedChallengeTable {
  challenge_hash: string;
  expires_at: number;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    passkeys: PasskeyTable;
    used_challenges: UsedChallengeTable;
  }
}
