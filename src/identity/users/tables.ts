import type { Generated } from 'kysely';

export interface UserTable {
  id: Generated<number>;
  login: string;
  /** In lower case; unique. */
  login_key: string;
  /** In lower case; unique. */
  email: string;
  role: string;
  password_hash: string;
  /** Raised to end all sessions. */
  session_version: Generated<number>;
  /** Raised to forget all failed sign-ins. */
  lockout_version: Generated<number>;
  /** 1 if the user has entered the email address, which nobody has verified. */
  own_email_entry: Generated<number>;
  /** 1 if the user became an administrator, whose password has stricter rules, and has not signed in with it since. */
  check_password: Generated<number>;
  created_at: number;
  /** The last sign-in or use of an application password, with a precision of one day. */
  last_seen_at: number | null;
}

/** A link that resets a password. Links for unknown logins are stored as well, and do not work. */
export interface PasswordResetTable {
  id: Generated<number>;
  /** The hash of the user, or of the unknown login. */
  account_hash: string;
  token_hash: string;
  /** Null if no user has the login or email address. */
  user_id: number | null;
  created_at: number;
  expires_at: number;
}

/** The user activity log: append-only, and kept after the user is deleted. */
interface UserEventTable {
  id: Generated<number>;
  user_id: number;
  login: string;
  at: number;
  actor: string;
  /** Kept after the actor is deleted; null for the command line. */
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
  /** UUID of the application; may be empty. */
  app_id: Generated<string>;
  /** Unique per user. */
  name: string;
  hash: string;
  created_at: number;
  /** With a precision of one day. */
  last_used_at: number | null;
  /** Until when it works; null: until it is revoked. */
  expires_at: number | null;
  /** JSON: names of scopes; null: all rights of the user. */
  scopes: string | null;
}

export type SignInMethod = 'password' | 'passkey' | 'single_sign_on';

export interface SessionTable {
  id: Generated<number>;
  user_id: number;
  token_hash: string;
  /** The version of the user when the password was checked. */
  session_version: number;
  created_at: number;
  expires_at: number;
  /** An IPv4 address, or the /64 of an IPv6 address. Null for sessions of earlier releases. */
  address: string | null;
  user_agent: string | null;
  /** With a precision of five minutes. Null for sessions of earlier releases. */
  last_used_at: number | null;
  /** How the user signed in. */
  method: Generated<SignInMethod>;
}

/** A user as an OpenID Connect provider knows them. */
interface UserIdentityTable {
  id: Generated<number>;
  user_id: number;
  issuer: string;
  /** Unique and never reassigned within the issuer (OpenID Connect Core 1.0, section 2). */
  subject: string;
  created_at: number;
  last_used_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    users: UserTable;
    user_events: UserEventTable;
    application_passwords: ApplicationPasswordTable;
    sessions: SessionTable;
    user_identities: UserIdentityTable;
    password_resets: PasswordResetTable;
  }
}
