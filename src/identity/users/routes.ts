import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Role } from '../../platform/rest/capabilities.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { accountRoutes } from './account-routes.ts';
import { applicationPasswordRoutes } from './application-passwords/routes.ts';
import { assertDoesNotExpire, EXPIRES } from './application-passwords/rules.ts';
import { requireUser, UNKNOWN_USER } from './errors.ts';
import { listUserEvents } from './events/store.ts';
import { unlinkSingleSignOn } from './identities/service.ts';
import type { SignInLimits } from './limits/sign-in-limits.ts';
import { createOwnPasswordCheck } from './own-password.ts';
import { createUserRecords, type UserRecords } from './records.ts';
import {
  CreatedUser,
  PasswordReset,
  toUserEventRecord,
  UserCreation,
  UserDeletion,
  UserEventRecord,
  UserFilter,
  UserRecord,
} from './schemas.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import type { SignInScope } from './second-factor/scope.ts';
import { createUser, removeUser, resetPassword, unlockUser } from './service.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { listUserRows } from './store.ts';

const OWN_PASSWORD = 'Change your own password in your account, with the current one.';

/** The default role of WordPress. */
const DEFAULT_ROLE: Role = 'subscriber';

/** Users, at the paths of WordPress (`/wp/v2/users`): all for administrators, `/users/me` for everyone. */
export function userRoutes(api: RestApi, scope: SignInScope, limits: SignInLimits): void {
  const { platform } = scope;
  const records = createUserRecords(platform, limits);
  const assertOwnPassword = createOwnPasswordCheck(platform);
  collectionRoutes(api, platform, records);
  accountRoutes(api, scope, records, assertOwnPassword);
  secondFactorRoutes(api, scope, assertOwnPassword);
  administrationRoutes(api, scope, records);
  applicationPasswordRoutes(api, platform);
  sessionRoutes(api, platform, records);
}

function collectionRoutes(api: RestApi, platform: Platform, records: UserRecords): void {
  const { db } = platform.datastore;
  api.add({
    method: 'GET',
    path: '/users',
    summary: 'List users',
    args: Type.Object({ ...UserFilter, ...paginationArgs() }),
    answers: { 200: Type.Array(UserRecord) },
    async handle(request) {
      const page = { now: platform.clock.now(), ...toOffsetAndLimit(request.args) };
      const { users, total } = await listUserRows(db, request.args, page);
      return toListResponse(request, records.toRecords(users), total);
    },
  });
  api.add({
    method: 'POST',
    path: '/users',
    summary: 'Create a user',
    args: UserCreation,
    answers: { 201: CreatedUser },
    answerHeaders: ['Location'],
    refusals: {
      403: { rest_cannot_create_user: EXPIRES },
    },
    async handle(request) {
      const { username: login, email, roles: [role = DEFAULT_ROLE] = [], password } = request.args;
      const by = requireUser(request);
      assertDoesNotExpire(by, 'rest_cannot_create_user');
      const created = await createUser(platform, { login, email, role, password }, by.login);
      const { id } = created.user;
      const generated = password === undefined && { password: created.password };
      return {
        status: 201,
        body: { ...(await records.get(id)), ...generated },
        headers: { location: api.getUrl(`/users/${id}`) },
      };
    },
  });
  api.add({
    method: 'GET',
    path: '/users/events',
    summary: 'List user activity',
    args: Type.Object(paginationArgs()),
    answers: { 200: Type.Array(UserEventRecord) },
    async handle(request) {
      const { events, total } = await listUserEvents(db, toOffsetAndLimit(request.args));
      return toListResponse(request, events.map(toUserEventRecord), total);
    },
  });
}

/** What administrators can do to other users only. */
function administrationRoutes(api: RestApi, scope: SignInScope, records: UserRecords): void {
  const { platform } = scope;
  api.add({
    method: 'DELETE',
    path: '/users/{id}',
    summary: 'Delete a user',
    answers: { 200: UserDeletion },
    refusals: {
      ...UNKNOWN_USER,
      403: { rest_user_cannot_delete: 'You cannot delete your own account.' },
    },
    async handle({ id, user }) {
      const previous = await records.get(id);
      await removeUser(platform, requireUser({ user }), id);
      return { body: { deleted: true, previous } };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/{id}/reset-password',
    summary: 'Reset the password of a user',
    answers: { 200: PasswordReset },
    refusals: {
      ...UNKNOWN_USER,
      403: { rest_cannot_edit: [OWN_PASSWORD, EXPIRES] },
    },
    async handle({ id, user }) {
      const by = requireUser({ user });
      assertDoesNotExpire(by, 'rest_cannot_edit');
      if (by.id === id) {
        throw new DomainError('forbidden', 'rest_cannot_edit', OWN_PASSWORD);
      }
      const { password } = await resetPassword(scope, id, by.login);
      return { body: { ...(await records.get(id)), password } };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/{id}/unlock',
    summary: 'Unlock a user',
    answers: { 200: UserRecord },
    refusals: { ...UNKNOWN_USER, 403: { rest_cannot_edit: EXPIRES } },
    async handle({ id, user }) {
      const by = requireUser({ user });
      assertDoesNotExpire(by, 'rest_cannot_edit');
      await unlockUser(platform, id, by.login);
      return { body: await records.get(id) };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/{id}/unlink-single-sign-on',
    summary: 'Unlink single sign-on of a user',
    answers: { 200: UserRecord },
    refusals: {
      ...UNKNOWN_USER,
      403: { rest_cannot_edit: EXPIRES },
      409: { no_single_sign_on: 'ada is not linked with single sign-on.' },
    },
    async handle({ id, user }) {
      const by = requireUser({ user });
      assertDoesNotExpire(by, 'rest_cannot_edit');
      await unlinkSingleSignOn(scope, id, by.login);
      return { body: await records.get(id) };
    },
  });
}
