import { queueMail } from '../../../mail/index.ts';
import type { Announce, Trx } from '../../../platform/db/index.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { changeLocked } from '../accounts.ts';
import { type Notice, renderNotice, type SecondFactorAction } from './notices.ts';
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

/** Queues an email that tells a user what happened to their second factor. */
export async function queueNotice(
  { platform, timeZone, consoleOrigin }: SignInScope,
  { fromName, language }: Awaited<ReturnType<SignInScope['sender']>>,
  { trx, announce }: { trx: Trx; announce: Announce },
  { login, email }: User,
  notice: Omit<Notice, 'login' | 'at'>,
): Promise<void> {
  const at = platform.clock.now();
  const accountUrl = `${consoleOrigin()}/admin/profile`;
  const mail = renderNotice({ ...notice, login, at }, { language, timeZone, accountUrl });
  await queueMail(trx, announce, { ...mail, to: email, kind: 'second_factor', fromName }, at);
}
