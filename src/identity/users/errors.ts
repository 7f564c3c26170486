import { DomainError } from '../../platform/errors.ts';
import type { User } from '../../platform/rest/caller.ts';

export const createUserNotFoundError = (message = 'Invalid user ID.') =>
  new DomainError('not_found', 'rest_user_invalid_id', message);

/** What routes with the id of a user answer if there is none, for the API reference. */
export const UNKNOWN_USER = { 404: { rest_user_invalid_id: 'Invalid user ID.' } } as const;

/** What routes for the own account answer to a WordPress user, for the API reference. */
export const MANAGED_IN_WORDPRESS = {
  403: {
    rest_cannot_edit:
      'Your account is managed in WordPress. Change your password, email address, sessions and application passwords in your WordPress profile.',
  },
} as const;

/** The user was deleted during the sign-in. */
export class UserDeletedError extends Error {
  override readonly name = 'UserDeletedError';
}

/** The caller, on routes that require one. */
export function requireUser({ user }: { user: User | null }): User {
  if (!user) throw createUserNotFoundError();
  return user;
}

/**
 * The caller, on routes for the own account.
 * @throws DomainError `rest_cannot_edit` for a WordPress user, whose account is managed there
 */
export function requireOwnAccount(request: { user: User | null }): User {
  const user = requireUser(request);
  if (!user.wordPress) return user;
  throw new DomainError(
    'forbidden',
    'rest_cannot_edit',
    MANAGED_IN_WORDPRESS[403].rest_cannot_edit,
  );
}
