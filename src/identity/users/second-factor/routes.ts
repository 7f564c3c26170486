import { DomainError } from '../../../platform/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { ACCOUNT_PATHS } from '../account-routes.ts';
import { getUser } from '../accounts.ts';
import { assertDoesNotExpire, EXPIRES } from '../application-passwords/rules.ts';
import { MANAGED_IN_WORDPRESS, requireOwnAccount, requireUser, UNKNOWN_USER } from '../errors.ts';
import type { createOwnPasswordCheck } from '../own-password.ts';
import { findRelyingParty } from '../passkeys/relying-party.ts';
import { type ConfirmOwnAccount, passkeyRoutes } from '../passkeys/routes.ts';
import { isSecondFactorRequired, LAST_SECOND_FACTOR } from './policy.ts';
import {
  AuthenticatorAppConfirmation,
  AuthenticatorAppSetup,
  PasswordConfirmation,
  RecoveryCodes,
  SecondFactorRecord,
  toSecondFactorRecord,
} from './schemas.ts';
import type { SignInScope } from './scope.ts';
import {
  beginAuthenticatorApp,
  confirmAuthenticatorApp,
  readSecondFactor,
  removeAuthenticatorApp,
  renewRecoveryCodes,
  resetSecondFactor,
} from './service.ts';

const OWN_SECOND_FACTOR = 'Change your own second factor in your account, with your password.';

/** The second factor of users. Every change of the own one needs the current password. */
export function secondFactorRoutes(
  api: RestApi,
  scope: SignInScope,
  assertOwnPassword: ReturnType<typeof createOwnPasswordCheck>,
): void {
  const { platform } = scope;
  const read = async (id: number) => {
    const { user } = await getUser(platform, id);
    const { problem } = findRelyingParty(scope.passkeyOrigin());
    const factor = await readSecondFactor(platform.datastore.db, user.id);
    const isRequired = isSecondFactorRequired(scope.secondFactorFor, user.role);
    return toSecondFactorRecord(factor, { isRequired, passkeyProblem: problem });
  };

  const confirmOwnAccount: ConfirmOwnAccount = async (request) => {
    const user = requireOwnAccount(request);
    await assertOwnPassword(user.id, request.args.current_password);
    return user;
  };

  passkeyRoutes(api, scope, { confirmOwnAccount, read });
  for (const { path, access, refusals, whose, getId } of ACCOUNT_PATHS) {
    api.add({
      method: 'GET',
      path: `${path}/second-factor`,
      ...access,
      summary: `Get the second factor of ${whose}`,
      ...(path === '/users/me' && { forSecondFactorSetup: true }),
      answers: { 200: SecondFactorRecord },
      refusals,
      handle: async (request) => ({ body: await read(getId(request)) }),
    });
  }
  api.add({
    method: 'POST',
    path: '/users/{id}/reset-second-factor',
    summary: 'Reset the second factor of a user',
    answers: { 200: SecondFactorRecord },
    refusals: {
      ...UNKNOWN_USER,
      403: { rest_cannot_edit: [OWN_SECOND_FACTOR, EXPIRES] },
      409: {
        no_second_factor: 'ada has no second factor: the password alone is enough to sign in.',
      },
    },
    async handle({ id, user }) {
      const by = requireUser({ user });
      assertDoesNotExpire(by, 'rest_cannot_edit');
      if (by.id === id) {
        throw new DomainError('forbidden', 'rest_cannot_edit', OWN_SECOND_FACTOR);
      }
      await resetSecondFactor(scope, id, by.login);
      return { body: await read(id) };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/me/authenticator-app/setup',
    access: 'user',
    summary: 'Begin to set up an authenticator app',
    forSecondFactorSetup: true,
    args: PasswordConfirmation,
    answers: { 200: AuthenticatorAppSetup },
    refusals: { ...MANAGED_IN_WORDPRESS, 429: 'rate_limited' },
    async handle(request) {
      const user = await confirmOwnAccount(request);
      return { body: await beginAuthenticatorApp(scope, user) };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/me/authenticator-app',
    access: 'user',
    summary: 'Add or replace the authenticator app',
    forSecondFactorSetup: true,
    args: AuthenticatorAppConfirmation,
    answers: { 201: RecoveryCodes },
    refusals: MANAGED_IN_WORDPRESS,
    async handle(request) {
      const user = requireOwnAccount(request);
      const recovery_codes = await confirmAuthenticatorApp(scope, user, request.args);
      return { status: 201, body: { recovery_codes } };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/me/authenticator-app/remove',
    access: 'user',
    summary: 'Remove the authenticator app',
    args: PasswordConfirmation,
    answers: { 200: SecondFactorRecord },
    refusals: {
      ...MANAGED_IN_WORDPRESS,
      404: 'not_found',
      409: LAST_SECOND_FACTOR,
      429: 'rate_limited',
    },
    async handle(request) {
      const user = await confirmOwnAccount(request);
      await removeAuthenticatorApp(scope, user);
      return { body: await read(user.id) };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/me/recovery-codes',
    access: 'user',
    summary: 'Replace the recovery codes',
    args: PasswordConfirmation,
    answers: { 201: RecoveryCodes },
    refusals: {
      ...MANAGED_IN_WORDPRESS,
      409: { no_second_factor: 'Add an authenticator app or a passkey first.' },
      429: 'rate_limited',
    },
    async handle(request) {
      const user = await confirmOwnAccount(request);
      return { status: 201, body: { recovery_codes: await renewRecoveryCodes(scope, user) } };
    },
  });
}
