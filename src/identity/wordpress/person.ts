import type { User, WordPressPerson } from '../../platform/rest/caller.ts';

const TEXT_MAX_LENGTH = 100;

/** A user from `users/me` in the context `edit`; undefined if it is invalid. */
export function readPerson(json: Record<string, unknown>): WordPressPerson | undefined {
  const { id, username, name, email, roles, registered_date: registered } = json;
  if (!Number.isSafeInteger(id) || typeof username !== 'string') return undefined;
  const registeredAt = Date.parse(String(registered));
  return {
    id: id as number,
    login: clean(username),
    name: clean(typeof name === 'string' ? name : username),
    email: typeof email === 'string' ? email : '',
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    registeredAt: Number.isNaN(registeredAt) ? 0 : registeredAt,
  };
}

const clean = (text: string): string =>
  text.replace(/\p{C}/gu, '').trim().slice(0, TEXT_MAX_LENGTH);

/** WordPress users have no account here, hence the id 0. Logs name them by id, login and name; retention keeps the id. */
export function toUser(person: WordPressPerson | undefined, isAdministrator: boolean): User {
  return {
    id: 0,
    login: person ? formatActor(person) : 'WordPress',
    email: person?.email ?? '',
    role: isAdministrator ? 'administrator' : 'subscriber',
    capabilities: isAdministrator ? ['manage_options'] : [],
    ...(person && { wordPress: person }),
  };
}

const formatActor = ({ id, login, name }: WordPressPerson): string =>
  `WordPress user ${id} (${name === login ? login : `${login}, ${name}`})`;
