import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { Moment, nullable, Text } from '../../../platform/http/schemas.ts';
import { PasskeyRecord, toPasskeyRecord } from '../passkeys/schemas.ts';
import { PASSWORD_MAX_LENGTH } from '../rules.ts';
import type { SecondFactor } from './service.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';
const CODE_MAX_LENGTH = 40;
const SETUP_MAX_LENGTH = 1000;

export const PasswordConfirmation = Type.Object(
  {
    current_password: Type.String({
      maxLength: PASSWORD_MAX_LENGTH,
      description: 'The current password of the user.',
    }),
  },
  { title: 'PasswordConfirmation' },
);

export const SecondFactorRecord = Type.Object(
  {
    authenticator_app: nullable(Moment('When the authenticator app was added.', EXAMPLE)),
    recovery_codes: Type.Integer({ description: 'Number of unused recovery codes.' }),
    passkeys: Type.Array(PasskeyRecord, { description: 'Oldest first.' }),
    required: Type.Boolean({
      description:
        'Whether the role of the user needs one to sign in with the password (`PAVIS_REQUIRE_SECOND_FACTOR`).',
    }),
    passkey_problem: nullable(
      Type.String({
        description: 'Why passkeys cannot be used at the address of this server. Null if they can.',
      }),
    ),
  },
  {
    title: 'SecondFactor',
    description:
      'What a user needs beside the password to sign in to the console: nothing without an authenticator app and passkeys.',
  },
);

export const AuthenticatorAppSetup = Type.Object(
  {
    setup: Type.String({ description: 'Confirms the setup, for 15 minutes.' }),
    secret: Type.String({ description: 'The secret for the app, in base32. Shown only once.' }),
    uri: Type.String({
      description: 'The secret as an `otpauth://` address, for a QR code.',
    }),
  },
  { title: 'AuthenticatorAppSetup' },
);

export const AuthenticatorAppConfirmation = Type.Object(
  {
    setup: Text(SETUP_MAX_LENGTH, { description: 'From the setup.' }),
    code: Text(CODE_MAX_LENGTH, { description: 'The 6 digits that the app shows.' }),
  },
  { title: 'AuthenticatorAppConfirmation' },
);

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description:
        'New recovery codes, each for one sign-in. Shown only once. Empty if earlier ones stay valid.',
    }),
  },
  { title: 'RecoveryCodes' },
);

export const toSecondFactorRecord = (
  { authenticatorApp, recoveryCodes, passkeys }: SecondFactor,
  { isRequired, passkeyProblem }: { isRequired: boolean; passkeyProblem: string | undefined },
): Static<typeof SecondFactorRecord> => ({
  authenticator_app: authenticatorApp ? toIsoMoment(authenticatorApp.createdAt) : null,
  recovery_codes: recoveryCodes,
  passkeys: passkeys.map(toPasskeyRecord),
  required: isRequired,
  passkey_problem: passkeyProblem ?? null,
});
