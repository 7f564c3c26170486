import { randomUUID } from 'node:crypto';
import { randomAlphanumeric } from '../../../platform/crypto/random.ts';
import type { Platform } from '../../../platform/deps.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { identityKey } from '../rules.ts';
import { markSeen } from '../store.ts';
import { findByApplicationPassword, touchApplicationPassword } from './store.ts';

/** 143 bits, as WordPress makes them: a fast hash is enough. */
const LENGTH = 24;
const USE_NOTED_EVERY_MS = 86_400_000;

/** A new application password as its owner sees it, once: six groups of four. */
export const generateApplicationPassword = (): string =>
  (randomAlphanumeric(LENGTH).match(/.{4}/g) ?? []).join(' ');

/** The row of an application password. */
export const applicationPasswordRow = (
  { secret, clock }: Platform,
  userId: number,
  name: string,
  password: string,
) => ({
  user_id: userId,
  uuid: randomUUID(),
  name,
  hash: secret.hash('application-password', bare(password)),
  created_at: clock.now(),
  last_used_at: null,
});

/**
 * Whom a login (or address) and an application password speak for. Asked of the database each time,
 * so that one that was revoked is refused from the next request on.
 */
export async function findUserByApplicationPassword(
  { datastore, secret, clock, log }: Platform,
  loginOrEmail: string,
  password: string,
): Promise<User | undefined> {
  const stripped = bare(password);
  if (stripped.length !== LENGTH) return undefined;
  const hash = secret.hash('application-password', stripped);
  const found = await findByApplicationPassword(datastore.db, identityKey(loginOrEmail), hash);
  if (!found) return undefined;
  const now = clock.now();
  if (found.lastUsedAt === null || now - found.lastUsedAt >= USE_NOTED_EVERY_MS) {
    try {
      await datastore.transaction(async (trx) => {
        await touchApplicationPassword(trx, found.passwordId, now);
        await markSeen(trx, found.user.id, now);
      });
    } catch (err) {
      // A database that can only be read still lets its users in.
      log.warn({ err }, 'cannot note the use of an application password');
    }
  }
  return found.user;
}

/** People type the groups with blanks, with dashes, or without. */
const bare = (password: string): string => password.replace(/[^A-Za-z0-9]/g, '');
