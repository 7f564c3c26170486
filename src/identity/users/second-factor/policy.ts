import { DomainError } from '../../../platform/errors.ts';
import type { User } from '../../../platform/rest/caller.ts';

/** The users who need a second factor to sign in with a password. */
export type SecondFactorPolicy = 'off' | 'administrators' | 'all';

export const isSecondFactorRequired = (policy: SecondFactorPolicy, role: string): boolean =>
  policy === 'all' || (policy === 'administrators' && role === 'administrator');

/** The refusal of `assertNotRequired`, as an example for the API reference. */
export const LAST_SECOND_FACTOR = {
  last_second_factor:
    'Your role (administrator) requires a second factor, and this is your last one.',
} as const;

/** @throws DomainError conflict: the user would have to set up another one at once */
export function assertNotRequired(policy: SecondFactorPolicy, { role }: User): void {
  if (!isSecondFactorRequired(policy, role)) return;
  const message = `Your role (${role}) requires a second factor, and this is your last one. Add another authenticator app or passkey before you remove it.`;
  throw new DomainError('conflict', 'last_second_factor', message);
}
