import type { User, WordPressPerson } from '../../platform/rest/caller.ts';

const TEXT_MAX_LENGTH = 100;

/** The user that `users/me` of a WordPress describes in the context `edit`; undefined if it is none. */
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

/**
 * Who a person of a WordPress is here. They have no account of ours, hence the id 0, and no login of
 * ours either: logs name them by id, login and name, of which retention keeps the id alone.
 */
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
