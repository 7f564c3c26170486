import type { Generated } from 'kysely';

export interface UserTable {
  id: Generated<number>;
  /** As it was given. */
  login: string;
  /** In lower case: what identifies the user. */
  login_key: string;
  /** In lower case; one user an address. */
  email: string;
  role: string;
  password_hash: string;
  /** Raised to end every session that began before. */
  session_version: Generated<number>;
  created_at: number;
}

export interface ApplicationPasswordTable {
  id: Generated<number>;
  user_id: number;
  uuid: string;
  /** What its owner calls it; unique for a user, since it is revoked by it. */
  name: string;
  hash: string;
  created_at: number;
  /** Exact to a day. */
  last_used_at: number | null;
}

export interface SessionTable {
  id: Generated<number>;
  user_id: number;
  token_hash: string;
  /** The user's when their password was checked. */
  session_version: number;
  created_at: number;
  expires_at: number;
}

declare module '../../db/database.ts' {
  interface Database {
    users: UserTable;
    application_passwords: ApplicationPasswordTable;
    sessions: SessionTable;
  }
}
