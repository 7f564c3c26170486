import { readEmail } from '../../platform/email-address.ts';
import type { User } from '../../platform/rest/caller.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { assertDoesNotExpire, EXPIRES } from './application-passwords/rules.ts';
import { MANAGED_IN_WORDPRESS, requireOwnAccount, requireUser, UNKNOWN_USER } from './errors.ts';
import type { createOwnPasswordCheck } from './own-password.ts';
import type { UserRecords } from './records.ts';
import { toWordPressRecord, UserRecord, UserUpdate } from './schemas.ts';
import type { SignInScope } from './second-factor/scope.ts';
import { changeUser } from './service.ts';

/** The two paths of an account: every user has their own, administrators have all. */
export const ACCOUNT_PATHS: readonly {
  path: string;
  access: { access?: 'user' };
  refusals: Partial<typeof MANAGED_IN_WORDPRESS & typeof UNKNOWN_USER>;
  whose: string;
  getId: (request: { id: number; user: User | null }) => number;
}[] = [
  {
    path: '/users/me',
    access: { access: 'user' },
    refusals: MANAGED_IN_WORDPRESS,
    whose: 'the current user',
    getId: (request) => requireOwnAccount(request).id,
  },
  {
    path: '/users/{id}',
    access: {},
    refusals: UNKNOWN_USER,
    whose: 'a user',
    getId: ({ id }) => id,
  },
];

/** Get and update an account. */
export function accountRoutes(
  api: RestApi,
  scope: SignInScope,
  records: UserRecords,
  assertOwnPassword: ReturnType<typeof createOwnPasswordCheck>,
): void {
  for (const { path, access, refusals, whose, getId } of ACCOUNT_PATHS) {
    api.add({
      method: 'GET',
      path,
      ...access,
      summary: `Get ${whose}`,
      ...(path === '/users/me' && { forSecondFactorSetup: true }),
      answers: { 200: UserRecord },
      ...(path !== '/users/me' && { refusals }),
      async handle(request) {
        const { user } = request;
        return path === '/users/me' && user?.wordPress
          ? { body: toWordPressRecord(user.wordPress, user) }
          : { body: await records.get(getId(request)) };
      },
    });
    api.add({
      method: 'PUT',
      path,
      ...access,
      summary: `Update ${whose}`,
      args: UserUpdate,
      answers: { 200: UserRecord },
      refusals: {
        ...refusals,
        403: {
          ...refusals[403],
          rest_cannot_edit: [EXPIRES, refusals[403]?.rest_cannot_edit ?? []].flat(),
          rest_cannot_edit_roles: 'You cannot change your own role.',
        },
        429: 'rate_limited',
      },
      async handle(request) {
        const { email, roles: [role] = [], password, current_password } = request.args;
        const id = getId(request);
        const by = requireUser(request);
        assertDoesNotExpire(by, 'rest_cannot_edit');
        // A new address would receive the links that set a password.
        const isTakeover =
          password !== undefined || (email !== undefined && readEmail(email) !== by.email);
        if (by.id === id && isTakeover) await assertOwnPassword(id, current_password);
        await changeUser(scope, by, id, { email, role, password });
        return { body: await records.get(id) };
      },
    });
  }
}
