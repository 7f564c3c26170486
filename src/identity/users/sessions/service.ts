import type { Platform } from '../../../platform/deps.ts';
import { DomainError } from '../../../platform/errors.ts';
import { changeLocked } from '../accounts.ts';
import { describeDevice } from './device.ts';
import {
  deleteOpenSession,
  endOtherSessions,
  listOpenSessions,
  type OpenSession,
} from './store.ts';

/**
 * Ends one session, effective from the next request.
 * @param actor who ends it, for the log
 * @throws DomainError not_found if the user has no such session
 */
export async function endSession(
  platform: Platform,
  { userId, id, actor }: { userId: number; id: number; actor: string },
): Promise<OpenSession> {
  let ended: OpenSession | undefined;
  await changeLocked(platform, userId, actor, async (trx, _user, log) => {
    ended = await deleteOpenSession(trx, { userId, id, now: platform.clock.now() });
    if (ended) await log('sessions_ended', { count: 1, device: describeDevice(ended.userAgent) });
  });
  if (ended) return ended;
  throw new DomainError('not_found', 'rest_session_not_found', 'The session has ended already.');
}

/**
 * Ends every session of a user except one.
 * @param actor who ends them, for the log
 * @returns how many were ended
 * @throws DomainError not_found
 */
export async function endOthers(
  platform: Platform,
  { userId, keptId, actor }: { userId: number; keptId: number; actor: string },
): Promise<number> {
  let count = 0;
  await changeLocked(platform, userId, actor, async (trx, _user, log) => {
    const open = await listOpenSessions(trx, userId, platform.clock.now());
    count = open.filter(({ id }) => id !== keptId).length;
    await endOtherSessions(trx, userId, keptId);
    await log('sessions_ended', { count });
  });
  return count;
}
