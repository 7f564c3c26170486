import { randomUUID } from 'node:crypto';
import type { Platform } from '../../../deps.ts';
import type { CheckedBasic } from '../../caller.ts';
import { randomAlphanumeric } from '../../random.ts';
import { identityKey } from '../rules.ts';
import { markSeen } from '../store.ts';
import { findAccountWithPassword, touchApplicationPassword } from './store.ts';

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
 * Whom a login (or email address) and an application password speak for. Asked of the database each time,
 * so that one that was revoked is refused from the next request on.
 */
export async function checkApplicationPassword(
  { datastore, secret, clock, log }: Platform,
  given: { login: string; password: string },
): Promise<CheckedBasic> {
  const key = identityKey(given.login);
  const hash = secret.hash('application-password', bare(given.password));
  const found = await findAccountWithPassword(datastore.db, key, hash);
  const checked = { account: found?.account, key };
  if (!found?.password) return { ...checked, user: undefined };
  const { user } = found.account;
  const { id, lastUsedAt } = found.password;
  const now = clock.now();
  if (lastUsedAt === null || now - lastUsedAt >= USE_NOTED_EVERY_MS) {
    try {
      await datastore.transaction(async (trx) => {
        await touchApplicationPassword(trx, id, now);
        await markSeen(trx, user.id, now);
      });
    } catch (err) {
      // A database that can only be read still lets its users in.
      log.warn({ err }, 'cannot note the use of an application password');
    }
  }
  return { ...checked, user };
}

/** People type the groups with blanks, with dashes, or without. */
const bare = (password: string): string => password.replace(/[^A-Za-z0-9]/g, '');
