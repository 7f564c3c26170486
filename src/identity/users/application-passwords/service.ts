import type { Platform } from '../../../platform/deps.ts';
import { CliError } from '../../../platform/errors.ts';
import { appendUserEvent } from '../events/store.ts';
import { InvalidUserError, normaliseName } from '../rules.ts';
import { getUser } from '../service.ts';
import { applicationPasswordRow, generateApplicationPassword } from './application-password.ts';
import {
  type ApplicationPassword,
  deleteApplicationPassword,
  insertApplicationPassword,
  listApplicationPasswords,
} from './store.ts';

/**
 * Creates an application password. The plain text is returned only here.
 * @param who an id, a login or an address
 * @param actor who does it, for the log
 * @param appId what the program calls itself, a UUID; empty if it does not
 * @throws InvalidUserError if the name cannot be or the user has one of this name; CliError if there is no such user
 */
export async function addApplicationPassword(
  platform: Platform,
  who: number | string,
  name: string,
  actor: string,
  appId = '',
): Promise<{ login: string; password: string } & ApplicationPassword> {
  const label = normaliseName(name);
  const { user } = await getUser(platform, who);
  const password = generateApplicationPassword();
  const row = { ...applicationPasswordRow(platform, user.id, label, password), app_id: appId };
  const added = await platform.datastore.transaction(async (trx) => {
    const made = await insertApplicationPassword(trx, row);
    const details = { name: label };
    const event = { at: row.created_at, actor, action: 'application_password_added', details };
    if (made) await appendUserEvent(trx, user, event);
    return made;
  });
  if (!added) {
    const message = `${user.login} has an application password named "${label}": choose another name, or revoke that one first`;
    throw new InvalidUserError('name', message, 1);
  }
  return { ...added, login: user.login, password };
}

/** A name that an application password of a user may have: the one that is wanted, with a number if it is taken. */
export async function freeApplicationPasswordName(
  { datastore }: Platform,
  userId: number,
  wanted: string,
): Promise<string> {
  const taken = new Set(
    (await listApplicationPasswords(datastore.db, userId)).map(({ name }) => name),
  );
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted.slice(0, 90)} ${number}`;
  return name;
}

/**
 * Ends an application password: it is refused from the next request on.
 * @returns what it was; undefined if the user has none of this name or uuid
 * @throws CliError if there is no such user
 */
export async function endApplicationPassword(
  platform: Platform,
  who: number | string,
  by: { name: string } | { uuid: string },
  actor: string,
): Promise<ApplicationPassword | undefined> {
  const { user } = await getUser(platform, who);
  return platform.datastore.transaction(async (trx) => {
    const gone = await deleteApplicationPassword(trx, user.id, by);
    if (!gone) return undefined;
    const details = { name: gone.name };
    const at = platform.clock.now();
    await appendUserEvent(trx, user, {
      at,
      actor,
      action: 'application_password_revoked',
      details,
    });
    return gone;
  });
}

/**
 * `endApplicationPassword` by its name.
 * @throws CliError if there is no such user or they have none of this name
 */
export async function revokeApplicationPassword(
  platform: Platform,
  login: string,
  name: string,
  actor: string,
): Promise<{ login: string; name: string }> {
  const label = normaliseName(name);
  const { user } = await getUser(platform, login);
  if (!(await endApplicationPassword(platform, user.id, { name: label }, actor))) {
    throw new CliError(
      `${user.login} has no application password named "${label}": "pavis user list" shows them`,
    );
  }
  return { login: user.login, name: label };
}
