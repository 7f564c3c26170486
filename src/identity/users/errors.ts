import type { User } from '../../platform/rest/caller.ts';
import { invalidParam, RestError } from '../../platform/rest/errors.ts';
import { InvalidUserError } from './rules.ts';
import { UserNotFoundError } from './service.ts';

export const userNotFound = () => new RestError(404, 'rest_user_invalid_id', 'Invalid user ID.');

/** Who asks, on routes that nobody else comes to. */
export function requireUser({ user }: { user: User | null }): User {
  if (!user) throw userNotFound();
  return user;
}

/**
 * Who asks, on routes for what is one's own here.
 * @throws RestError 403 `rest_cannot_edit` for a user of WordPress, whose account is kept there
 */
export function requireOwnAccount(request: { user: User | null }): User {
  const user = requireUser(request);
  if (!user.wordPress) return user;
  const message =
    'Your account is managed in WordPress. Change your password, email address, sessions and application passwords in your WordPress profile.';
  throw new RestError(403, 'rest_cannot_edit', message);
}

/** Does what concerns a user, and words its refusals as WordPress does. */
export async function worded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserNotFoundError) throw userNotFound();
    if (error instanceof InvalidUserError) throw invalidParam(error.param, error.message);
    throw error;
  }
}
