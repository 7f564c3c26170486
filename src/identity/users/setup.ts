import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { DomainError } from '../../platform/errors.ts';
import type { User } from '../../platform/rest/caller.ts';
import { createUser, type NewUser } from './service.ts';
import { countRole } from './store.ts';

const PURPOSE = 'administrator set-up link';

type Signing = Pick<Platform, 'secret' | 'clock'>;

export const hasAdministrator = async ({ datastore }: Pick<Platform, 'datastore'>) =>
  (await countRole(datastore.db, 'administrator')) > 0;

/**
 * A token that allows creating the first administrator, on any node. It is not stored, and invalid once there is an
 * administrator.
 * @returns it and when it expires, in epoch milliseconds
 */
export function createSetupToken({ secret, clock }: Signing): { token: string; expiresAt: number } {
  const expiresAt = clock.now() + DAY_MS;
  return { token: `${expiresAt}.${secret.hash(PURPOSE, String(expiresAt))}`, expiresAt };
}

function isSetupToken({ secret, clock }: Signing, token: string): boolean {
  const [expiresAt = '', signature = ''] = token.split('.');
  return (
    equalInConstantTime(signature, secret.hash(PURPOSE, expiresAt)) &&
    clock.now() < Number(expiresAt)
  );
}

/**
 * Creates the first administrator. Of concurrent attempts, on any nodes, one succeeds.
 * @throws DomainError `invalid_setup_link` if the token is wrong or has expired; `administrator_exists`;
 * InvalidFieldError
 */
export async function createFirstAdministrator(
  platform: Platform,
  token: string,
  user: Omit<NewUser, 'role'>,
): Promise<User> {
  if (!isSetupToken(platform, token)) {
    throw new DomainError(
      'forbidden',
      'invalid_setup_link',
      'The set-up link is wrong or has expired. Restart the server to get another one.',
    );
  }
  const administrator = { ...user, role: 'administrator' } as const;
  return (await createUser(platform, administrator, 'set-up link', assertNoAdministrator)).user;
}

async function assertNoAdministrator(trx: Trx): Promise<void> {
  if ((await countRole(trx, 'administrator')) === 0) return;
  const message = 'An administrator exists already. Sign in.';
  throw new DomainError('conflict', 'administrator_exists', message);
}
