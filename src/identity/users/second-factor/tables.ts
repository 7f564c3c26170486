import type { Generated } from 'kysely';

interface AuthenticatorAppTable {
  id: Generated<number>;
  user_id: number;
  /** The shared secret, encrypted with the server's secret. It cannot be hashed: codes are computed from it. */
  sealed_secret: string;
  /** The time step of the last code that was accepted. Its code and earlier ones are refused. */
  last_step: number;
  created_at: number;
}

/** Unused codes only: a code is deleted when it is used. */
interface RecoveryCodeTable {
  id: Generated<number>;
  user_id: number;
  code_hash: string;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    authenticator_apps: AuthenticatorAppTable;
    recovery_codes: RecoveryCodeTable;
  }
}
