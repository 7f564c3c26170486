import { readMoment, toIsoMoment } from '../../../platform/clock.ts';
import { lockName } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { DomainError, InvalidFieldError, TakenError } from '../../../platform/errors.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { listUsableScopes, type Scope } from '../../../platform/rest/scopes.ts';
import { getAccount, getUser, USERS } from '../accounts.ts';
import { appendUserEvent } from '../events/store.ts';
import { parseName } from '../rules.ts';
import { applicationPasswordRow, generateApplicationPassword } from './application-password.ts';
import { assertWithin, type Limits } from './rules.ts';
import {
  type ApplicationPassword,
  deleteApplicationPassword,
  insertApplicationPassword,
  listApplicationPasswords,
} from './store.ts';

const MAX_LIFE_MS = 3_653 * DAY_MS;

/**
 * Creates an application password. The plain text is returned only here.
 * @param who an id, login or email address
 * @param actor who creates it, for the log
 * @param options `appId`: UUID of the application, empty for none; `expiresAt`: an ISO date, or a time with its offset; null for never;
 * `scopes`: what it is limited to, null for all rights of the user; `by`: the limits of the application password that
 * creates it, which it must not exceed
 * @throws DomainError not_found, `rest_cannot_create_application_passwords`; InvalidFieldError; TakenError if the user has
 * one of this name
 */
export async function addApplicationPassword(
  platform: Platform,
  who: number | string,
  name: string,
  actor: string,
  {
    appId = '',
    expiresAt = null,
    scopes = null,
    by,
  }: {
    appId?: string;
    expiresAt?: string | null;
    scopes?: readonly Scope[] | null;
    by?: Limits;
  } = {},
): Promise<{ login: string; password: string } & ApplicationPassword> {
  const label = parseName(name);
  const password = generateApplicationPassword();
  return platform.datastore.transaction(async (trx) => {
    // Nobody can delete the user meanwhile.
    await lockName(trx, USERS);
    const { user } = await getAccount(trx, who);
    const expiry = expiresAt === null ? null : parseExpiry(expiresAt, platform.clock.now());
    const limits = { expiresAt: expiry, scopes: scopes && parseScopes(user, scopes) };
    if (by) assertWithin(by, limits);
    const row = applicationPasswordRow(platform, user.id, label, password, limits);
    const added = await insertApplicationPassword(trx, { ...row, app_id: appId });
    if (!added) {
      const message = `${user.login} has an application password named "${label}". Choose another name, or revoke that one first.`;
      throw new TakenError('name', message);
    }
    const details = {
      name: label,
      ...(expiry !== null && { expires_at: toIsoMoment(expiry) }),
      ...(limits.scopes && { scopes: limits.scopes }),
    };
    const event = { at: row.created_at, actor, action: 'application_password_added', details };
    await appendUserEvent(trx, user, event);
    return { ...added, login: user.login, password };
  });
}

/** @throws InvalidFieldError if it is no moment of the next ten years */
function parseExpiry(text: string, now: number): number {
  const moment = readMoment(text);
  if (moment !== undefined && moment > now && moment <= now + MAX_LIFE_MS) return moment;
  const message =
    'Enter a date in the next ten years, or a time with its offset, for example 2027-11-21, or leave it out.';
  throw new InvalidFieldError('expires_at', message);
}

/** @throws InvalidFieldError if there is none, or one of which the user cannot make use */
function parseScopes(user: User, scopes: readonly Scope[]): Scope[] {
  const usable = listUsableScopes(user);
  if (scopes.length === 0) {
    const message = 'Choose at least one scope, or leave it out for all rights of the user.';
    throw new InvalidFieldError('scopes', message);
  }
  const useless = scopes.find((scope) => !usable.includes(scope));
  if (useless !== undefined) {
    const message = `${useless} is of no use to the role ${user.role}. It can have: ${usable.join(', ')}.`;
    throw new InvalidFieldError('scopes', message);
  }
  return usable.filter((scope) => scopes.includes(scope));
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

const createNotFoundError = (message = 'Application password not found.'): DomainError =>
  new DomainError('not_found', 'rest_application_password_not_found', message);

/** @throws DomainError not_found if the user has none with this UUID */
export async function getApplicationPassword(
  platform: Platform,
  userId: number,
  uuid: string,
): Promise<ApplicationPassword> {
  const { user } = await getUser(platform, userId);
  const all = await listApplicationPasswords(platform.datastore.db, user.id);
  const found = all.find((each) => each.uuid === uuid);
  if (!found) throw createNotFoundError();
  return found;
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
      throw createNotFoundError(
        'name' in key
          ? `${login} has no application password named "${key.name}". "pavis user list" shows them.`
          : undefined,
      );
    }
    const details = { name: revoked.name };
    const event = { actor, action: 'application_password_revoked', details };
    await appendUserEvent(trx, user, { ...event, at: platform.clock.now() });
    return { ...revoked, login };
  });
}
