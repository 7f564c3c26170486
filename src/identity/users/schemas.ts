import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { deletionSchema, Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import type { User, WordPressPerson } from '../../platform/rest/caller.ts';
import { ROLE_NAMES } from '../../platform/rest/capabilities.ts';
import type { ApplicationPassword } from './application-passwords/store.ts';
import type { UserEvent } from './events/store.ts';
import {
  ADMINISTRATOR_PASSWORD_MIN_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from './rules.ts';
import type { ListedUser } from './store.ts';

export type { Capability } from '../../platform/rest/capabilities.ts';

/*
 * In the names of WordPress (`/wp/v2/users`): a login is a `username`, and a user has `roles`, here one.
 */

const EXAMPLE = '2026-11-21T09:30:00.000Z';
const EMAIL_MAX_LENGTH = 254;

const username = Text(60, { description: 'Letters, digits, `.`, `_` and `-`; it stays as it is.' });
const email = Text(EMAIL_MAX_LENGTH, { description: 'Signs in as well as the login; unique.' });
const roles = Type.Array(OneOf(ROLE_NAMES), {
  maxItems: 1,
  description:
    'One role. `administrator` may do everything (`manage_options`), `editor` handles requests of data subjects and the texts of the banner, `viewer` reads what identifies nobody, `subscriber` has only their own account.',
});
const passwordWith = (more = '') =>
  Type.String({
    maxLength: PASSWORD_MAX_LENGTH,
    description: `${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters; for an administrator at least ${ADMINISTRATOR_PASSWORD_MIN_LENGTH}, and not easy to guess.${more}`,
  });
const currentPassword = Type.String({
  maxLength: PASSWORD_MAX_LENGTH,
  description: 'The password so far, for another password of one’s own.',
});

export const UserFilter = {
  search: Type.Optional(Text(100, { minLength: 0, description: 'Part of a login or address.' })),
  roles: Type.Optional(Type.Array(OneOf(ROLE_NAMES), { description: 'Only these.' })),
};

export const UserCreation = Type.Object(
  {
    username,
    email,
    roles: Type.Optional(roles),
    password: Type.Optional(passwordWith(' Made up if absent.')),
  },
  {
    title: 'UserCreation',
    examples: [{ username: 'ada', email: 'ada@example.com', roles: ['administrator'] }],
  },
);

/** Absent leaves alone. */
export const UserUpdate = Type.Object(
  {
    email: Type.Optional(email),
    roles: Type.Optional(roles),
    password: Type.Optional(passwordWith()),
    current_password: Type.Optional(currentPassword),
  },
  { title: 'UserUpdate', examples: [{ email: 'ada@example.org' }] },
);

export const UserRecord = Type.Object(
  {
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String({
      description: 'The display name of a user of WordPress; the login of any other.',
    }),
    email: Type.String(),
    roles: Type.Array(Type.String()),
    capabilities: Type.Record(Type.String(), Type.Boolean(), {
      description: 'What the role allows.',
    }),
    registered_date: Moment('When the user was made.', EXAMPLE),
    last_seen: nullable(
      Moment('The last sign-in, or use of an application password, to a day.', EXAMPLE),
    ),
    locked_until: nullable(
      Moment(
        'Until when failed sign-ins keep an address or device out, the latest of them. Null if none is.',
        EXAMPLE,
      ),
    ),
    sessions: Type.Integer({ description: 'Where they are signed in now.' }),
    application_passwords: Type.Integer({ description: 'How many they have.' }),
    source: OneOf(['pavis', 'wordpress'], {
      description:
        'Where the account is kept. Users of a WordPress (`PAVIS_WORDPRESS_URL`) have its id, login, name and roles, and change their account there.',
    }),
  },
  { title: 'User', description: 'A user of the console and of this interface.' },
);

const shownOnce = Type.String({ description: 'In clear, shown this once.' });

export const CreatedUser = Type.Object(
  {
    ...UserRecord.properties,
    password: Type.Optional(shownOnce),
  },
  { title: 'CreatedUser' },
);

export const PasswordReset = Type.Object(
  { ...UserRecord.properties, password: shownOnce },
  { title: 'PasswordReset' },
);

export const UserDeletion = deletionSchema(UserRecord);

export const SignedOut = Type.Object(
  {
    deleted: Type.Literal(true),
    count: Type.Integer({ description: 'How many sessions were ended.' }),
  },
  { title: 'EndedSessions' },
);

/** @param lockedUntil epoch milliseconds; undefined if no limit of the user is reached */
export const toUserRecord = (
  user: ListedUser,
  lockedUntil: number | undefined,
): Static<typeof UserRecord> => ({
  id: user.id,
  username: user.login,
  name: user.login,
  email: user.email,
  roles: [user.role],
  capabilities: capabilitiesOf(user),
  registered_date: toIsoMoment(user.createdAt),
  last_seen: user.lastSeenAt === null ? null : toIsoMoment(user.lastSeenAt),
  locked_until: lockedUntil === undefined ? null : toIsoMoment(lockedUntil),
  sessions: user.sessions,
  application_passwords: user.applicationPasswords,
  source: 'pavis',
});

/** A user of a WordPress; what only our own accounts have is zero or null. */
export const toWordPressRecord = (
  { id, login, name, email, roles, registeredAt }: WordPressPerson,
  user: User | null,
): Static<typeof UserRecord> => ({
  id,
  username: login,
  name,
  email,
  roles: [...roles],
  capabilities: user ? capabilitiesOf(user) : {},
  registered_date: toIsoMoment(registeredAt),
  last_seen: null,
  locked_until: null,
  sessions: 0,
  application_passwords: 0,
  source: 'wordpress',
});

const capabilitiesOf = ({ capabilities }: Pick<User, 'capabilities'>): Record<string, boolean> =>
  Object.fromEntries(capabilities.map((name) => [name, true]));

export const ApplicationPasswordCreation = Type.Object(
  {
    name: Text(100, { description: 'What it is for; unique for the user.' }),
    app_id: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
        description: 'What the program calls itself: a UUID.',
      }),
    ),
  },
  { title: 'ApplicationPasswordCreation', examples: [{ name: 'Reports' }] },
);

export const ApplicationPasswordRecord = Type.Object(
  {
    uuid: Type.String(),
    app_id: Type.String({ description: 'What the program calls itself; empty if it does not.' }),
    name: Type.String(),
    created: Moment('When it was made.', EXAMPLE),
    last_used: nullable(Moment('When it was last used, to a day.', EXAMPLE)),
  },
  { title: 'ApplicationPassword', description: 'A password for a program.' },
);

export const NewApplicationPassword = Type.Object(
  {
    ...ApplicationPasswordRecord.properties,
    password: Type.String({ description: 'Six groups of four, shown this once.' }),
  },
  { title: 'NewApplicationPassword' },
);

export const ApplicationPasswordDeletion = deletionSchema(ApplicationPasswordRecord);

export const toApplicationPasswordRecord = (
  password: ApplicationPassword,
): Static<typeof ApplicationPasswordRecord> => ({
  uuid: password.uuid,
  app_id: password.appId,
  name: password.name,
  created: toIsoMoment(password.createdAt),
  last_used: password.lastUsedAt === null ? null : toIsoMoment(password.lastUsedAt),
});

export const UserEventRecord = Type.Object(
  {
    id: Type.Integer(),
    at: Moment('When it happened.', EXAMPLE),
    actor: Type.String({ description: 'Who did it: a login, or the command line.' }),
    action: Type.String(),
    user_id: Type.Integer(),
    username: Type.String({ description: 'Whom it was done to.' }),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'UserEvent', description: 'Something that happened to a user.' },
);

export const toUserEventRecord = (event: UserEvent): Static<typeof UserEventRecord> => ({
  id: event.id,
  at: toIsoMoment(event.at),
  actor: event.actor,
  action: event.action,
  user_id: event.userId,
  username: event.login,
  details: event.details,
});
