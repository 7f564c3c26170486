import { randomUUID } from 'node:crypto';
import { isRecent } from '../../../platform/clock.ts';
import { randomAlphanumeric } from '../../../platform/crypto/random.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import type { User } from '../../../platform/rest/caller.ts';
import type { Scope } from '../../../platform/rest/scopes.ts';
import { identityKey } from '../rules.ts';
import { updateUser } from '../store.ts';
import { findByApplicationPassword, touchApplicationPassword } from './store.ts';

/** 143 bits, as in WordPress: a fast hash is enough. */
const LENGTH = 24;
const PURPOSE = 'application-password';
/** Version 0.2.0 reads no limits. During an update, its nodes must not find passwords that have some. */
const LIMITED_PURPOSE = 'limited-application-password';

/** Six groups of four characters. */
export const generateApplicationPassword = (): string =>
  (randomAlphanumeric(LENGTH).match(/.{4}/g) ?? []).join(' ');

export const applicationPasswordRow = (
  { secret, clock }: Platform,
  userId: number,
  name: string,
  password: string,
  { expiresAt, scopes }: { expiresAt: number | null; scopes: readonly Scope[] | null },
) => ({
  user_id: userId,
  uuid: randomUUID(),
  name,
  hash: secret.hash(expiresAt === null && !scopes ? PURPOSE : LIMITED_PURPOSE, bare(password)),
  created_at: clock.now(),
  last_used_at: null,
  expires_at: expiresAt,
  scopes: scopes && JSON.stringify(scopes),
});

/**
 * Reads the database each time, so that a revoked or expired password is refused from the next request.
 * @returns the user, or when the password expired; undefined if it is wrong
 */
export async function findUserByApplicationPassword(
  { datastore, secret, clock, log }: Platform,
  loginOrEmail: string,
  password: string,
): Promise<{ user: User } | { user: null; expiredAt: number } | undefined> {
  const stripped = bare(password);
  if (stripped.length !== LENGTH) return undefined;
  const hashes = [PURPOSE, LIMITED_PURPOSE].map((purpose) => secret.hash(purpose, stripped));
  const found = await findByApplicationPassword(datastore.db, identityKey(loginOrEmail), hashes);
  if (!found) return undefined;
  const now = clock.now();
  const { expiresAt } = found.user;
  if (expiresAt !== undefined && expiresAt <= now) return { user: null, expiredAt: expiresAt };
  if (found.lastUsedAt === null || !isRecent(found.lastUsedAt, DAY_MS, now)) {
    try {
      await datastore.transaction(async (trx) => {
        await touchApplicationPassword(trx, found.passwordId, now);
        await updateUser(trx, found.user.id, { last_seen_at: now });
      });
    } catch (err) {
      // Users can sign in while the database is read-only.
      log.warn({ err }, 'cannot record the use of an application password');
    }
  }
  return { user: found.user };
}

/** Without the blanks or dashes between the groups. */
const bare = (password: string): string => password.replace(/[^A-Za-z0-9]/g, '');
