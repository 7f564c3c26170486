import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { ApiError } from '../../platform/errors.ts';
import type { User } from '../../platform/rest/caller.ts';
import { worded } from './errors.ts';
import { createUser, type NewUser } from './service.ts';
import { countRole } from './store.ts';

const PURPOSE = 'administrator set-up link';
const LIFETIME_MS = 24 * 60 * 60 * 1_000;

type Signing = Pick<Platform, 'secret' | 'clock'>;

export const hasAdministrator = async ({ datastore }: Pick<Platform, 'datastore'>) =>
  (await countRole(datastore.db, 'administrator')) > 0;

/**
 * Makes a token with which the first administrator can be created, on any node. Nothing is stored: it is of no use
 * once there is an administrator.
 * @returns it and when it expires, epoch milliseconds
 */
export function createSetupToken({ secret, clock }: Signing): { token: string; expiresAt: number } {
  const expiresAt = clock.now() + LIFETIME_MS;
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
 * Creates the first administrator. Of several attempts at once, on whatever nodes, one succeeds.
 * @throws ApiError 403 `invalid_setup_link` if the token is wrong or has expired; 409 `administrator_exists`
 * @throws RestError 400 `rest_invalid_param` if login, email or password cannot be
 */
export async function createFirstAdministrator(
  platform: Platform,
  token: string,
  user: Omit<NewUser, 'role'>,
): Promise<User> {
  if (!isSetupToken(platform, token)) {
    throw new ApiError(
      403,
      'invalid_setup_link',
      'The set-up link is wrong or has expired. Restart the server to get another one.',
    );
  }
  const administrator = { ...user, role: 'administrator' } as const;
  const made = await worded(() =>
    createUser(platform, administrator, 'set-up link', assertNoAdministrator),
  );
  return made.user;
}

async function assertNoAdministrator(trx: Trx): Promise<void> {
  if ((await countRole(trx, 'administrator')) === 0) return;
  throw new ApiError(409, 'administrator_exists', 'An administrator exists already. Sign in.');
}
