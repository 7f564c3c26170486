import type { Trx } from '../../../platform/db/index.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { changeLocked } from '../accounts.ts';
import { queueNotice, type SecondFactorAction } from '../notices.ts';
import type { SignInScope } from './scope.ts';

export interface Change {
  action: SecondFactorAction;
  /** The name of the passkey. */
  name?: string | undefined;
}

/**
 * Changes the second factor of a user, logs it and sends the user an email, in one transaction.
 * @param who an id, login or email address
 * @param actor who changes it, for the log
 * @param change makes the change and says which it was
 * @throws DomainError not_found
 */
export async function changeSecondFactor(
  scope: SignInScope,
  who: number | string,
  actor: string,
  change: (trx: Trx, user: User) => Promise<Change>,
): Promise<User> {
  const sender = await scope.sender();
  return changeLocked(scope.platform, who, actor, async (trx, user, log, announce) => {
    const { action, name } = await change(trx, user);
    await log('second_factor_changed', { action, ...(name !== undefined && { name }) });
    if (action === 'passkey_renamed') return;
    const notice = { kind: action, actor, name };
    await queueNotice(scope, sender, { trx, announce }, user, notice);
  });
}
