import { type Static, Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import type { User } from '../../platform/rest/caller.ts';
import type { Role } from '../../platform/rest/capabilities.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import type { RestRequest, RestResponse } from '../../platform/rest/route.ts';
import { applicationPasswordRoutes } from './application-passwords/routes.ts';
import { requireOwnAccount, requireUser, userNotFound, worded } from './errors.ts';
import { listUserEvents } from './events/store.ts';
import type { SignInLimits } from './limits/sign-in-limits.ts';
import { createOwnPasswordCheck } from './own-password.ts';
import {
  CreatedUser,
  PasswordReset,
  SignedOut,
  toUserEventRecord,
  toUserRecord,
  toWordPressRecord,
  UserCreation,
  UserDeletion,
  UserEventRecord,
  UserFilter,
  UserRecord,
  UserUpdate,
} from './schemas.ts';
import {
  changeUser,
  createUser,
  removeUser,
  resetPassword,
  signOutEverywhere,
  unlockUser,
} from './service.ts';
import { findListedUser, type ListedUser, listUserRows } from './store.ts';

/** What WordPress gives who was given nothing. */
const LEAST: Role = 'subscriber';

/** Users, as WordPress has them at `/wp/v2/users`: all of them for administrators, and each their own at `/users/me`. */
export function userRoutes(api: RestApi, platform: Platform, limits: SignInLimits): void {
  const { datastore, clock } = platform;
  const proveOwn = createOwnPasswordCheck(platform);

  async function getRecord(id: number): Promise<Static<typeof UserRecord>> {
    const user = await findListedUser(datastore.db, id, clock.now());
    if (!user) throw userNotFound();
    const [record] = toRecords([user]);
    return record as Static<typeof UserRecord>;
  }

  function toRecords(users: ListedUser[]): Static<typeof UserRecord>[] {
    const getWait = limits.readWaits();
    return users.map((user) => {
      const wait = getWait(user);
      return toUserRecord(user, wait > 0 ? clock.now() + wait : undefined);
    });
  }

  async function change(
    { args, user }: RestRequest<Static<typeof UserUpdate>>,
    id: number,
  ): Promise<RestResponse> {
    const by = requireUser({ user });
    const { email, roles: [role] = [], password, current_password } = args;
    const changes = {
      ...(email !== undefined && { email }),
      ...(role !== undefined && { role }),
      ...(password !== undefined && { password }),
    };
    await worded(async () => {
      if (password !== undefined && by.id === id) await proveOwn(id, current_password);
      await changeUser(platform, by, id, changes);
    });
    return { body: await getRecord(id) };
  }

  async function signOut({ user }: { user: User | null }, id: number): Promise<RestResponse> {
    const { sessions } = await getRecord(id);
    await worded(() => signOutEverywhere(platform, requireUser({ user }), id));
    return { body: { deleted: true, count: sessions } };
  }

  api.add({
    method: 'GET',
    path: '/users',
    summary: 'List users',
    args: Type.Object({ ...UserFilter, ...paginationArgs() }),
    answers: { 200: Type.Array(UserRecord) },
    async handle(request) {
      const page = { now: clock.now(), ...toOffsetAndLimit(request.args) };
      const { users, total } = await listUserRows(datastore.db, request.args, page);
      return toListResponse(request, toRecords(users), total);
    },
  });
  api.add({
    method: 'POST',
    path: '/users',
    summary: 'Create a user',
    args: UserCreation,
    answers: { 201: CreatedUser },
    answerHeaders: ['Location'],
    async handle({ args: { username: login, email, roles = [], password }, user }) {
      const asked = { login, email, role: roles[0] ?? LEAST, password };
      const made = await worded(() => createUser(platform, asked, requireUser({ user }).login));
      const { id } = made.user;
      const location = api.addressOf(`/users/${id}`);
      const shownOnce = password === undefined && { password: made.password };
      const body = { ...(await getRecord(id)), ...shownOnce };
      return { status: 201, body, headers: { location } };
    },
  });
  api.add({
    method: 'GET',
    path: '/users/events',
    summary: 'List user activity',
    args: Type.Object(paginationArgs()),
    answers: { 200: Type.Array(UserEventRecord) },
    async handle(request) {
      const { events, total } = await listUserEvents(datastore.db, toOffsetAndLimit(request.args));
      return toListResponse(request, events.map(toUserEventRecord), total);
    },
  });

  api.add({
    method: 'GET',
    path: '/users/me',
    access: 'user',
    summary: 'Get the current user',
    answers: { 200: UserRecord },
    async handle(request) {
      const { id, wordPress } = requireUser(request);
      return { body: wordPress ? toWordPressRecord(wordPress, request.user) : await getRecord(id) };
    },
  });
  api.add({
    method: 'PUT',
    path: '/users/me',
    access: 'user',
    summary: 'Update the current user',
    args: UserUpdate,
    answers: { 200: UserRecord },
    refusals: { 429: 'rate_limited' },
    handle: (request) => change(request, requireOwnAccount(request).id),
  });
  api.add({
    method: 'DELETE',
    path: '/users/me/sessions',
    access: 'user',
    summary: 'Sign the current user out everywhere',
    answers: { 200: SignedOut },
    handle: (request) => signOut(request, requireOwnAccount(request).id),
  });

  api.add({
    method: 'GET',
    path: '/users/{id}',
    summary: 'Get a user',
    answers: { 200: UserRecord },
    handle: async ({ id }) => ({ body: await getRecord(id) }),
  });
  api.add({
    method: 'PUT',
    path: '/users/{id}',
    summary: 'Update a user',
    args: UserUpdate,
    answers: { 200: UserRecord },
    refusals: { 429: 'rate_limited' },
    handle: (request) => change(request, request.id),
  });
  api.add({
    method: 'DELETE',
    path: '/users/{id}',
    summary: 'Delete a user',
    answers: { 200: UserDeletion },
    async handle({ id, user }) {
      const previous = await getRecord(id);
      await worded(() => removeUser(platform, requireUser({ user }), id));
      return { body: { deleted: true, previous } };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/{id}/reset-password',
    summary: 'Reset the password of a user',
    answers: { 200: PasswordReset },
    async handle({ id, user }) {
      const { login } = requireUser({ user });
      const { password } = await worded(() => resetPassword(platform, id, login));
      return { body: { ...(await getRecord(id)), password } };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/{id}/unlock',
    summary: 'Unlock a user',
    answers: { 200: UserRecord },
    async handle({ id, user }) {
      await worded(() => unlockUser(platform, id, requireUser({ user }).login));
      return { body: await getRecord(id) };
    },
  });
  api.add({
    method: 'DELETE',
    path: '/users/{id}/sessions',
    summary: 'Sign a user out everywhere',
    answers: { 200: SignedOut },
    handle: (request) => signOut(request, request.id),
  });
  applicationPasswordRoutes(api, platform);
}
