import { invalidParam, RestError } from '../../rest/errors.ts';
import type { User } from '../caller.ts';
import { UserRefusal } from './rules.ts';
import { NoSuchUser } from './service.ts';

export const noSuchUser = () => new RestError(404, 'rest_user_invalid_id', 'Invalid user ID.');

/** Who asks, on routes that nobody else comes to. */
export function callerOf({ user }: { user: User | null }): User {
  if (!user) throw noSuchUser();
  return user;
}

/** Does what concerns a user, and words its refusals as WordPress does. */
export async function worded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoSuchUser) throw noSuchUser();
    if (error instanceof UserRefusal) throw invalidParam(error.param, error.message);
    throw error;
  }
}
