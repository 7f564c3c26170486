import { type Static, Type } from 'typebox';
import { MOMENT_MAX_LENGTH, toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { toRecord } from '../../platform/http/record.ts';
import { deletionSchema, Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import type { User, WordPressPerson } from '../../platform/rest/caller.ts';
import { ROLE_NAMES } from '../../platform/rest/capabilities.ts';
import { SCOPE_NAMES, SCOPES, type Scope } from '../../platform/rest/scopes.ts';
import type { ApplicationPassword } from './application-passwords/store.ts';
import type { UserEvent } from './events/store.ts';
import {
  ADMINISTRATOR_PASSWORD_MIN_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from './rules.ts';
import { describeDevice } from './sessions/device.ts';
import type { OpenSession } from './sessions/store.ts';
import type { ListedUser } from './store.ts';

export type { Capability } from '../../platform/rest/capabilities.ts';

/*
 * In the names of WordPress (`/wp/v2/users`): a login is a `username`, and a user has `roles`, here one.
 */

const EXAMPLE = '2026-11-21T09:30:00.000Z';
const EMAIL_MAX_LENGTH = 254;

const username = Text(60, {
  description:
    'Letters, digits, `.`, `_` and `-`. Reserved are `customer`, `requestor`, `schedule`, `stripe`, `system` and `wordpress`, which stand for no user in logs. It cannot be changed.',
});
const email = Text(EMAIL_MAX_LENGTH, {
  description: 'Unique. Can be used to sign in instead of the login.',
});
const roles = Type.Array(OneOf(ROLE_NAMES), {
  maxItems: 1,
  description:
    'One role. `administrator` can do everything (`manage_options`), `editor` handles data subject requests and edits the texts of the banner, `viewer` reads what identifies no person, `subscriber` can only use their own account.',
});
const passwordWith = (more = '') =>
  Type.String({
    maxLength: PASSWORD_MAX_LENGTH,
    description: `${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters; for an administrator at least ${ADMINISTRATOR_PASSWORD_MIN_LENGTH}, and not easy to guess.${more}`,
  });
const currentPassword = Type.String({
  maxLength: PASSWORD_MAX_LENGTH,
  description: 'The current password. Required to change your own password or email address.',
});

export const UserFilter = {
  search: Type.Optional(
    Text(100, { minLength: 0, description: 'Part of a login or email address.' }),
  ),
  roles: Type.Optional(
    Type.Array(OneOf(ROLE_NAMES), { description: 'Return users with these roles only.' }),
  ),
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
  {
    title: 'UserUpdate',
    examples: [{ email: 'ada@example.org', current_password: 'the current password' }],
  },
);

export const UserRecord = Type.Object(
  {
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String({
      description: 'The display name of a WordPress user; otherwise the login.',
    }),
    email: Type.String(),
    email_confirmed: Type.Boolean({
      description:
        'False if the user has entered the address and no other administrator has confirmed it. Single sign-on does not find the account by it. `PUT` with the unchanged `email` by another administrator confirms it.',
    }),
    roles: Type.Array(Type.String()),
    capabilities: Type.Record(Type.String(), Type.Boolean(), {
      description: 'Capabilities of the role.',
    }),
    registered_date: Moment('When the user was created.', EXAMPLE),
    last_seen: nullable(
      Moment(
        'The last sign-in or use of an application password, with a precision of one day.',
        EXAMPLE,
      ),
    ),
    locked_until: nullable(
      Moment('When the last lockout after failed sign-ins ends. Null if there is none.', EXAMPLE),
    ),
    sessions: Type.Integer({ description: 'Number of active sessions.' }),
    application_passwords: Type.Integer({ description: 'Number of application passwords.' }),
    second_factor: Type.Boolean({
      description: 'Whether the user has an authenticator app or a passkey.',
    }),
    single_sign_on: Type.Boolean({
      description:
        'Whether an identity of a single sign-on provider, the present or a former one, is linked.',
    }),
    source: OneOf(['pavis', 'wordpress'], {
      description:
        'Where the account is managed. WordPress users (`PAVIS_WORDPRESS_URL`) have the id, login, name and roles of WordPress and change their account there.',
    }),
  },
  { title: 'User', description: 'A user of the console and the API.' },
);

const shownOnce = Type.String({ description: 'In plain text. Shown only once.' });

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

/** @param lockedUntil epoch milliseconds; undefined if no limit of the user is reached */
export const toUserRecord = (
  user: ListedUser,
  lockedUntil: number | undefined,
): Static<typeof UserRecord> => ({
  id: user.id,
  username: user.login,
  name: user.login,
  email: user.email,
  email_confirmed: !user.hasOwnEmailEntry,
  roles: [user.role],
  capabilities: toCapabilityMap(user),
  registered_date: toIsoMoment(user.createdAt),
  last_seen: toIsoMomentOrNull(user.lastSeenAt),
  locked_until: lockedUntil === undefined ? null : toIsoMoment(lockedUntil),
  sessions: user.sessions,
  application_passwords: user.applicationPasswords,
  second_factor: user.hasSecondFactor,
  single_sign_on: user.hasIdentity,
  source: 'pavis',
});

/** A user of a WordPress, which manages the address; what only our own accounts have is zero, false or null. */
export const toWordPressRecord = (
  { id, login, name, email, roles, registeredAt }: WordPressPerson,
  user: User | null,
): Static<typeof UserRecord> => ({
  id,
  username: login,
  name,
  email,
  email_confirmed: true,
  roles: [...roles],
  capabilities: user ? toCapabilityMap(user) : {},
  registered_date: toIsoMoment(registeredAt),
  last_seen: null,
  locked_until: null,
  sessions: 0,
  application_passwords: 0,
  second_factor: false,
  single_sign_on: false,
  source: 'wordpress',
});

const toCapabilityMap = ({ capabilities }: Pick<User, 'capabilities'>): Record<string, boolean> =>
  Object.fromEntries(capabilities.map((name) => [name, true]));

export const ApplicationPasswordCreation = Type.Object(
  {
    name: Text(100, { description: 'Name of the application. Unique per user.' }),
    app_id: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
        description: 'UUID of the application.',
      }),
    ),
    expires_at: Type.Optional(
      nullable(
        Text(MOMENT_MAX_LENGTH, {
          description:
            'Until when it works, in the next ten years: a day, or an ISO 8601 time with its offset. Default: until it is revoked.',
          examples: ['2027-11-21T00:00:00.000Z'],
        }),
      ),
    ),
    scopes: Type.Optional(
      Type.Array(OneOf(SCOPE_NAMES), {
        maxItems: SCOPE_NAMES.length,
        description: `What it is limited to, within the rights of the user. Default: all rights of the user. ${SCOPE_NAMES.map((name) => `\`${name}\`: ${SCOPES[name].description}.`).join(' ')}`,
        examples: [['consent:read', 'scanner:read']],
      }),
    ),
  },
  {
    title: 'ApplicationPasswordCreation',
    examples: [{ name: 'Reports', scopes: ['consent:read'] }],
  },
);

export const ApplicationPasswordRecord = Type.Object(
  {
    uuid: Type.String(),
    app_id: Type.String({ description: 'UUID of the application, or an empty string.' }),
    name: Type.String(),
    created: Moment('When it was made.', EXAMPLE),
    last_used: nullable(Moment('When it was last used, with a precision of one day.', EXAMPLE)),
    expires_at: nullable(Moment('Until when it works; null: until it is revoked.', EXAMPLE)),
    scopes: nullable(
      Type.Array(OneOf(SCOPE_NAMES), {
        description: 'What it is limited to; null: all rights of the user.',
      }),
    ),
  },
  { title: 'ApplicationPassword', description: 'A password for an application.' },
);

export const NewApplicationPassword = Type.Object(
  {
    ...ApplicationPasswordRecord.properties,
    password: Type.String({ description: 'Six groups of four characters. Shown only once.' }),
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
  last_used: toIsoMomentOrNull(password.lastUsedAt),
  expires_at: toIsoMomentOrNull(password.expiresAt),
  scopes: password.scopes && [...password.scopes],
});

export const ScopeRecord = Type.Object(
  {
    scope: OneOf(SCOPE_NAMES),
    description: Type.String({ description: 'What it allows, for people.' }),
  },
  {
    title: 'ApplicationPasswordScope',
    description: 'What an application password can be limited to.',
  },
);

export const toScopeRecord = (scope: Scope): Static<typeof ScopeRecord> => ({
  scope,
  description: SCOPES[scope].description,
});

export const SessionRecord = Type.Object(
  {
    id: Type.Integer(),
    device: Type.String({ description: 'Browser and system, for example `Firefox on Windows`.' }),
    address: nullable(
      Type.String({
        description: 'The network address that signed in: IPv4, or the /64 of an IPv6 address.',
      }),
    ),
    created: Moment('When the user signed in.', EXAMPLE),
    last_used: nullable(Moment('The last request, with a precision of five minutes.', EXAMPLE)),
    expires: Moment('When the session ends by itself.', EXAMPLE),
    current: Type.Boolean({ description: 'Whether this request belongs to the session.' }),
  },
  { title: 'Session', description: 'A browser in which a user is signed in to the console.' },
);

export const SessionDeletion = deletionSchema(SessionRecord);

export const SessionsDeletion = Type.Object(
  {
    except_current: Type.Optional(
      Type.Boolean({
        description:
          'Keep the session of this request. Has no effect without one, for example with an application password, and for other users.',
      }),
    ),
  },
  { title: 'SessionsDeletion', examples: [{ except_current: true }] },
);

export const EndedSessions = Type.Object(
  {
    deleted: Type.Literal(true),
    count: Type.Integer({ description: 'Number of sessions that were ended.' }),
  },
  { title: 'EndedSessions' },
);

export const toSessionRecord = (
  session: OpenSession,
  currentId: number | undefined,
): Static<typeof SessionRecord> => ({
  id: session.id,
  device: describeDevice(session.userAgent),
  address: session.address,
  created: toIsoMoment(session.createdAt),
  last_used: toIsoMomentOrNull(session.lastUsedAt),
  expires: toIsoMoment(session.expiresAt),
  current: session.id === currentId,
});

export const UserEventRecord = Type.Object(
  {
    id: Type.Integer(),
    at: Moment('When it happened.', EXAMPLE),
    actor: Type.String({ description: 'Login of the user who did it, or the command line.' }),
    action: Type.String(),
    user_id: Type.Integer(),
    username: Type.String({ description: 'Login of the user who was changed.' }),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'UserEvent', description: 'An entry of the user activity log.' },
);

export const toUserEventRecord = (event: UserEvent): Static<typeof UserEventRecord> =>
  toRecord(UserEventRecord, { ...event, at: toIsoMoment(event.at), username: event.login });
