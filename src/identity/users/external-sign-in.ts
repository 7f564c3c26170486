import { lockName, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import type { User } from '../../platform/rest/caller.ts';
import type { Role } from '../../platform/rest/capabilities.ts';
import { setRole, USERS } from './accounts.ts';
import { appendUserEvent } from './events/store.ts';
import { issueDeviceTokens, readDevice } from './known-device.ts';
import { assertNotLastAdministrator } from './service.ts';
import { openSession, type Session } from './session.ts';
import type { Account } from './store.ts';

/** Serialises changes of users, as the console's do. */
export const lockUsers = (trx: Trx): Promise<void> => lockName(trx, USERS);

/**
 * Gives a user the role that an identity provider says. Needs the lock of users.
 * @param by `actor` as the log names it; `at` in epoch milliseconds
 * @throws DomainError `last_administrator`
 */
export async function assignRole(
  trx: Trx,
  user: User,
  role: Role,
  { actor, at }: { actor: string; at: number },
): Promise<void> {
  if (role === user.role) return;
  await assertNotLastAdministrator(trx, user, 'last_administrator');
  await setRole(trx, user.id, role);
  const details = { from: user.role, to: role };
  await appendUserEvent(trx, user, { at, actor, action: 'role_changed', details });
}

/** Opens a session for a user whom an identity provider has authenticated. */
export async function openExternalSession(
  platform: Platform,
  account: Account,
  deviceToken: string | undefined,
): Promise<{ token: string; deviceToken: string; session: Session }> {
  const { user } = account;
  const device = readDevice(platform, user.id, deviceToken);
  const opened = await openSession(platform, account, { method: 'single_sign_on' });
  platform.securityLog.record({
    event: 'sign_in',
    user,
    actor: user.login,
    details: { known_device: device !== undefined, method: 'single_sign_on' },
  });
  return { ...opened, deviceToken: issueDeviceTokens(platform, user.id, deviceToken) };
}
