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
  /** Raised to forget the failed sign-ins before. */
  lockout_version: Generated<number>;
  created_at: number;
  /** When they last signed in or a program used a password of theirs, exact to a day. */
  last_seen_at: number | null;
}

/** What happened to a user, by whom. Rows are only ever added, and stay when the user goes. */
interface UserEventTable {
  id: Generated<number>;
  user_id: number;
  login: string;
  at: number;
  actor: string;
  /** The user who did it, also after they have gone; null of a command. */
  actor_id: number | null;
  action: string;
  /** JSON */
  details: string;
  anonymised_at: Generated<number | null>;
}

export interface ApplicationPasswordTable {
  id: Generated<number>;
  user_id: number;
  uuid: string;
  /** What the program that it was made for calls itself; empty if it does not. */
  app_id: Generated<string>;
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

declare module '../../platform/db/database.ts' {
  interface Database {
    users: UserTable;
    user_events: UserEventTable;
    application_passwords: ApplicationPasswordTable;
    sessions: SessionTable;
  }
}
