import type { Static } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { createUserNotFoundError } from './errors.ts';
import type { SignInLimits } from './limits/sign-in-limits.ts';
import { toUserRecord, type UserRecord } from './schemas.ts';
import { findListedUser, type ListedUser } from './store.ts';

export type UserRecords = ReturnType<typeof createUserRecords>;

/** Users as the API returns them, with the end of their lockout. */
export function createUserRecords({ datastore, clock }: Platform, limits: SignInLimits) {
  function toRecords(users: ListedUser[]): Static<typeof UserRecord>[] {
    const getWait = limits.readWaits();
    return users.map((user) => {
      const wait = getWait(user);
      return toUserRecord(user, wait > 0 ? clock.now() + wait : undefined);
    });
  }

  return {
    toRecords,
    /** @throws DomainError not_found */
    async get(id: number): Promise<Static<typeof UserRecord>> {
      const user = await findListedUser(datastore.db, id, clock.now());
      const [record] = user ? toRecords([user]) : [];
      if (!record) throw createUserNotFoundError();
      return record;
    },
  };
}
