import type { Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { changeLocked, type Log } from '../accounts.ts';
import { endSessions } from '../store.ts';
import { deleteIdentities } from './store.ts';

/** Unlinks the identities of a user, and ends the sessions that they have opened. @returns false if there are none */
export async function unlinkIdentities(trx: Trx, id: number, log: Log): Promise<boolean> {
  if (!(await deleteIdentities(trx, id))) return false;
  await endSessions(trx, id);
  await log('single_sign_on_unlinked');
  return true;
}

/**
 * Unlinks the identity of the single sign-on provider from a user, and ends all sessions. The next sign-in with the
 * verified address of the user links the identity of that person, unless the user has entered the address and nobody has
 * confirmed it.
 * @param who an id, login or email address
 * @param actor who unlinks it, for the log
 * @throws DomainError not_found; conflict if no identity is linked
 */
export const unlinkSingleSignOn = (
  platform: Platform,
  who: number | string,
  actor: string,
): Promise<User> =>
  changeLocked(platform, who, actor, async (trx, { id, login }, log) => {
    if (await unlinkIdentities(trx, id, log)) return;
    const message = `${login} is not linked with single sign-on.`;
    throw new DomainError('conflict', 'no_single_sign_on', message);
  });
