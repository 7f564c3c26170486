import { Type } from 'typebox';
import { toIsoMomentOrNull } from '../../platform/clock.ts';
import { describeResponse, Moment, nullable } from '../../platform/http/schemas.ts';
import type { PublicKey as Key } from './service.ts';

const PublicKey = Type.Object(
  {
    kty: Type.Literal('OKP'),
    crv: Type.Literal('Ed25519'),
    alg: Type.Literal('EdDSA'),
    use: Type.Literal('sig'),
    kid: Type.String({ description: 'Key id, in the header of what the key signed.' }),
    x: Type.String({ description: 'The public key, 32 bytes in base64url.' }),
    created_at: nullable(Moment('When the key was created; null for the first one.')),
    retired_at: nullable(
      Moment(
        'Since when the key signs nothing; null for the current one. What it signed is valid.',
      ),
    ),
    endorsement: nullable(
      Type.String({
        description:
          'A JWT of the type `pavis-key+jwt`, signed by the key before: `sub` is the `kid` and `x` the public key of this one.',
      }),
    ),
  },
  { title: 'PublicKey' },
);

export const PublicKeys = describeResponse(
  'A JSON Web Key Set (RFC 7517), the current key first.',
  { keys: Type.Array(PublicKey) },
  {
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        kid: 'n3mZ0sQ1xTfBv8Lk',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        created_at: null,
        retired_at: null,
        endorsement: null,
      },
    ],
  },
  'PublicKeys',
);

export const toPublicKey = ({ kid, publicKey, createdAt, retiredAt, endorsement }: Key) => ({
  kty: 'OKP' as const,
  crv: 'Ed25519' as const,
  alg: 'EdDSA' as const,
  use: 'sig' as const,
  kid,
  x: publicKey,
  created_at: toIsoMomentOrNull(createdAt),
  retired_at: toIsoMomentOrNull(retiredAt),
  endorsement,
});
