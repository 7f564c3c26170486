import type { User } from '../../platform/rest/caller.ts';

/** Why a user is not signed in; the sign-in page has a message for each. */
export type Reason =
  | 'provider_unavailable'
  | 'provider_refused'
  | 'sign_in_expired'
  | 'sign_in_failed'
  | 'too_many_attempts'
  | 'email_not_verified'
  | 'email_not_confirmed'
  | 'other_identity'
  | 'no_role'
  | 'no_account'
  | 'last_administrator';

export class SingleSignOnError extends Error {
  override readonly name = 'SingleSignOnError';
  readonly reason: Reason;
  /** The user who tried to sign in, if known. */
  readonly user: User | undefined;

  constructor(reason: Reason, { user, ...options }: ErrorOptions & { user?: User } = {}) {
    super(reason, options);
    this.reason = reason;
    this.user = user;
  }
}
