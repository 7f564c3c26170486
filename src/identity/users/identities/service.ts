import type { Trx } from '../../../platform/db/index.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { changeLocked, type Log } from '../accounts.ts';
import { queueNotice } from '../notices.ts';
import type { SignInScope } from '../second-factor/scope.ts';
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
 * Unlinks the identity of the single sign-on provider from a user, ends all sessions, and tells the user by email. The
 * next sign-in with the verified address of the user links the identity of that person, unless the user has entered the
 * address and nobody has confirmed it.
 * @param who an id, login or email address
 * @param actor who unlinks it, for the log
 * @throws DomainError not_found; conflict if no identity is linked
 */
export async function unlinkSingleSignOn(
  scope: SignInScope,
  who: number | string,
  actor: string,
): Promise<User> {
  const sender = await scope.sender();
  return changeLocked(scope.platform, who, actor, async (trx, user, log, announce) => {
    if (!(await unlinkIdentities(trx, user.id, log))) {
      const message = `${user.login} is not linked with single sign-on.`;
      throw new DomainError('conflict', 'no_single_sign_on', message);
    }
    const notice = { kind: 'single_sign_on_unlinked', actor } as const;
    await queueNotice(scope, sender, { trx, announce }, user, notice);
  });
}
