import type { Static } from 'typebox';
import type { User } from '../../../platform/rest/caller.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { MANAGED_IN_WORDPRESS, requireOwnAccount } from '../errors.ts';
import { LAST_SECOND_FACTOR } from '../second-factor/policy.ts';
import {
  PasswordConfirmation,
  RecoveryCodes,
  SecondFactorRecord,
} from '../second-factor/schemas.ts';
import type { SignInScope } from '../second-factor/scope.ts';
import {
  addPasskey,
  beginPasskey,
  changePasskeyName,
  removePasskey,
  TOO_MANY_PASSKEYS,
} from './registration.ts';
import { PasskeyCreation, PasskeyRegistration, PasskeyUpdate } from './schemas.ts';

/** The account of the current user, who has entered its password. @throws as `requireOwnAccount` and the password check */
export type ConfirmOwnAccount = (request: {
  user: User | null;
  args: Static<typeof PasswordConfirmation>;
}) => Promise<User>;

/** The passkeys of the current user. Adding and removing one needs the current password. */
export function passkeyRoutes(
  api: RestApi,
  scope: SignInScope,
  {
    confirmOwnAccount,
    read,
  }: {
    confirmOwnAccount: ConfirmOwnAccount;
    read: (userId: number) => Promise<Static<typeof SecondFactorRecord>>;
  },
): void {
  api.add({
    method: 'POST',
    path: '/users/me/passkeys/registration',
    access: 'user',
    summary: 'Begin to add a passkey',
    forSecondFactorSetup: true,
    args: PasswordConfirmation,
    answers: { 200: PasskeyRegistration },
    refusals: {
      ...MANAGED_IN_WORDPRESS,
      409: {
        ...TOO_MANY_PASSKEYS,
        passkeys_unavailable:
          'Passkeys need an https address with a host name, or http://localhost.',
      },
      429: 'rate_limited',
    },
    async handle(request) {
      const user = await confirmOwnAccount(request);
      const { registration, options } = await beginPasskey(scope, user);
      return { body: { registration, options } };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/me/passkeys',
    access: 'user',
    summary: 'Add a passkey',
    forSecondFactorSetup: true,
    args: PasskeyCreation,
    answers: { 201: RecoveryCodes },
    refusals: {
      ...MANAGED_IN_WORDPRESS,
      409: TOO_MANY_PASSKEYS,
    },
    async handle(request) {
      const recovery_codes = await addPasskey(scope, requireOwnAccount(request), request.args);
      return { status: 201, body: { recovery_codes } };
    },
  });
  api.add({
    method: 'PUT',
    path: '/users/me/passkeys/{id}',
    access: 'user',
    summary: 'Rename a passkey',
    args: PasskeyUpdate,
    answers: { 200: SecondFactorRecord },
    refusals: MANAGED_IN_WORDPRESS,
    async handle(request) {
      const user = requireOwnAccount(request);
      await changePasskeyName(scope, user, request.id, request.args.name);
      return { body: await read(user.id) };
    },
  });
  api.add({
    method: 'POST',
    path: '/users/me/passkeys/{id}/remove',
    access: 'user',
    summary: 'Remove a passkey',
    args: PasswordConfirmation,
    answers: { 200: SecondFactorRecord },
    refusals: {
      ...MANAGED_IN_WORDPRESS,
      409: LAST_SECOND_FACTOR,
      429: 'rate_limited',
    },
    async handle(request) {
      const user = await confirmOwnAccount(request);
      await removePasskey(scope, user, request.id);
      return { body: await read(user.id) };
    },
  });
}
