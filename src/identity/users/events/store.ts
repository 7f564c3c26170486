import { countRows, type Db } from '../../../platform/db/index.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { appendSecurityEvent, type SecurityEventName } from '../../security-log/index.ts';
import { findUserId } from '../store.ts';

export interface UserEvent {
  id: number;
  userId: number;
  /** The login of the affected user. */
  login: string;
  at: number;
  actor: string;
  action: string;
  details: Record<string, unknown>;
}

/** What of it stands in the security log as well, and under which name. */
const SECURITY_EVENTS: Readonly<Record<string, SecurityEventName>> = {
  created: 'user_created',
  deleted: 'user_deleted',
  role_changed: 'role_changed',
  address_changed: 'email_changed',
  password_changed: 'password_changed',
  password_reset: 'password_reset',
  signed_out: 'signed_out_everywhere',
  sessions_ended: 'sessions_ended',
  application_password_added: 'application_password_added',
  application_password_revoked: 'application_password_revoked',
  unlocked: 'account_unlocked',
  second_factor_changed: 'second_factor_changed',
  single_sign_on_unlinked: 'single_sign_on_unlinked',
};

export async function appendUserEvent(
  db: Db,
  { id, login }: Pick<User, 'id' | 'login'>,
  { details = {}, ...event }: { at: number; actor: string; action: string; details?: object },
): Promise<void> {
  await db
    .insertInto('user_events')
    .values({
      ...event,
      user_id: id,
      login,
      actor_id: findUserId(event.actor),
      details: JSON.stringify(details),
    })
    .execute();
  const { at, actor, action } = event;
  const name = SECURITY_EVENTS[action];
  if (!name) return;
  await appendSecurityEvent(
    db,
    { event: name, user: { id, login }, actor, details: { ...details } },
    at,
  );
}

/** The user activity log, newest first, with its total. */
export async function listUserEvents(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ events: UserEvent[]; total: number }> {
  const rows = await db
    .selectFrom('user_events')
    .select(['id', 'user_id', 'login', 'at', 'actor', 'action', 'details'])
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  const total = await countRows(db.selectFrom('user_events'));
  const events = rows.map(({ user_id, details, ...row }) => ({
    ...row,
    userId: user_id,
    details: JSON.parse(details),
  }));
  return { events, total };
}
