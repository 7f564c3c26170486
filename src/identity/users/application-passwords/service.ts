import type { Platform } from '../../../platform/deps.ts';
import { DomainError, TakenError } from '../../../platform/errors.ts';
import { getUser } from '../accounts.ts';
import { appendUserEvent } from '../events/store.ts';
import { parseName } from '../rules.ts';
import { applicationPasswordRow, generateApplicationPassword } from './application-password.ts';
import {
  type ApplicationPassword,
  deleteApplicationPassword,
  insertApplicationPassword,
  listApplicationPasswords,
} from './store.ts';

/**
 * Creates an application password. The plain text is returned only here.
 * @param who an id, login or email address
 * @param actor who creates it, for the log
 * @param appId UUID of the application; empty for none
 * @throws DomainError not_found; InvalidFieldError; TakenError if the user has one of this name
 */
export async function addApplicationPassword(
  platform: Platform,
  who: number | string,
  name: string,
  actor: string,
  appId = '',
): Promise<{ login: string; password: string } & ApplicationPassword> {
  const label = parseName(name);
  const { user } = await getUser(platform, who);
  const password = generateApplicationPassword();
  const row = { ...applicationPasswordRow(platform, user.id, label, password), app_id: appId };
  const added = await platform.datastore.transaction(async (trx) => {
    const inserted = await insertApplicationPassword(trx, row);
    const details = { name: label };
    const event = { at: row.created_at, actor, action: 'application_password_added', details };
    if (inserted) await appendUserEvent(trx, user, event);
    return inserted;
  });
  if (!added) {
    const message = `${user.login} has an application password named "${label}": choose another name, or revoke that one first`;
    throw new TakenError('name', message);
  }
  return { ...added, login: user.login, password };
}

/** The name for a new application password: the wanted one, with a number if it is taken. */
export async function findFreeName(
  { datastore }: Platform,
  userId: number,
  wanted: string,
): Promise<string> {
  const passwords = await listApplicationPasswords(datastore.db, userId);
  const taken = new Set(passwords.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted.slice(0, 90)} ${number}`;
  return name;
}

/**
 * Revokes an application password, effective from the next request.
 * @param who an id, login or email address
 * @param actor who revokes it, for the log
 * @throws DomainError not_found
 */
export async function revokeApplicationPassword(
  platform: Platform,
  who: number | string,
  by: { name: string } | { uuid: string },
  actor: string,
): Promise<{ login: string } & ApplicationPassword> {
  const key = 'name' in by ? { name: parseName(by.name) } : by;
  const { user } = await getUser(platform, who);
  const { login } = user;
  return platform.datastore.transaction(async (trx) => {
    const revoked = await deleteApplicationPassword(trx, user.id, key);
    if (!revoked) {
      const message =
        'name' in key
          ? `${login} has no application password named "${key.name}": "pavis user list" shows them`
          : 'Application password not found.';
      throw new DomainError('not_found', 'rest_application_password_not_found', message);
    }
    const details = { name: revoked.name };
    const event = { actor, action: 'application_password_revoked', details };
    await appendUserEvent(trx, user, { ...event, at: platform.clock.now() });
    return { ...revoked, login };
  });
}
