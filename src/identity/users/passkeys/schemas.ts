import { type Static, Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../../platform/clock.ts';
import { Moment, nullable, Text } from '../../../platform/http/schemas.ts';
import type { Passkey } from './store.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';
const NAME_MAX_LENGTH = 100;
const TOKEN_MAX_LENGTH = 1000;
/** A credential id has up to 1023 bytes (WebAuthn §4). */
const ID_MAX_LENGTH = 1364;
const DATA_MAX_LENGTH = 50_000;
const TRANSPORTS_MAX = 20;

const Encoded = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]*$' });

const name = Text(NAME_MAX_LENGTH, { description: 'For you to recognise it by.' });

export const PasskeyRecord = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created: Moment('When it was added.', EXAMPLE),
    last_used: nullable(Moment('When it was last used to sign in.', EXAMPLE)),
  },
  { title: 'Passkey', description: 'A passkey with which a user signs in.' },
);

const CredentialReference = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Optional(Type.Array(Type.String())),
});

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3, as far as it is used. */
export const PasskeyRegistration = Type.Object(
  {
    registration: Type.String({ description: 'Confirms the registration, for 10 minutes, once.' }),
    options: Type.Object(
      {
        rp: Type.Object({ id: Type.String(), name: Type.String() }),
        user: Type.Object({
          id: Type.String(),
          name: Type.String(),
          displayName: Type.String(),
        }),
        challenge: Type.String(),
        pubKeyCredParams: Type.Array(
          Type.Object({ alg: Type.Integer(), type: Type.Literal('public-key') }),
        ),
        timeout: Type.Integer({ description: 'In milliseconds.' }),
        attestation: Type.String(),
        excludeCredentials: Type.Array(CredentialReference),
        authenticatorSelection: Type.Object({
          residentKey: Type.String(),
          requireResidentKey: Type.Boolean(),
          userVerification: Type.String(),
        }),
        extensions: Type.Object({ credProps: Type.Boolean() }),
        hints: Type.Array(Type.String()),
      },
      { description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON()` in a browser.' },
    ),
  },
  { title: 'PasskeyRegistration' },
);

export const PasskeyCreation = Type.Object(
  {
    registration: Text(TOKEN_MAX_LENGTH, { description: 'From the registration.' }),
    name,
    response: Type.Object(
      {
        id: Encoded(ID_MAX_LENGTH),
        response: Type.Object({
          clientDataJSON: Encoded(DATA_MAX_LENGTH),
          attestationObject: Encoded(DATA_MAX_LENGTH),
          transports: Type.Optional(Type.Array(Text(40), { maxItems: TRANSPORTS_MAX })),
        }),
      },
      { description: '`toJSON()` of the credential that the browser created. More is ignored.' },
    ),
  },
  { title: 'PasskeyCreation' },
);

export const PasskeyUpdate = Type.Object({ name }, { title: 'PasskeyUpdate' });

/** The answer of a browser to `navigator.credentials.get`. */
export const Assertion = Type.Object({
  id: Encoded(ID_MAX_LENGTH),
  response: Type.Object({
    clientDataJSON: Encoded(DATA_MAX_LENGTH),
    authenticatorData: Encoded(DATA_MAX_LENGTH),
    signature: Encoded(DATA_MAX_LENGTH),
    userHandle: Type.Optional(Encoded(ID_MAX_LENGTH)),
  }),
});

export const toPasskeyRecord = (passkey: Passkey): Static<typeof PasskeyRecord> => ({
  id: passkey.id,
  name: passkey.name,
  created: toIsoMoment(passkey.createdAt),
  last_used: toIsoMomentOrNull(passkey.lastUsedAt),
});
