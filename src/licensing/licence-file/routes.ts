import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { describeResponse } from '../../platform/http/schemas.ts';
import { deriveSigningKey } from './rules.ts';

const PublicKey = Type.Object(
  {
    kty: Type.Literal('OKP'),
    crv: Type.Literal('Ed25519'),
    alg: Type.Literal('EdDSA'),
    use: Type.Literal('sig'),
    kid: Type.String(),
    x: Type.String(),
  },
  { title: 'PublicKey' },
);

const PublicKeys = describeResponse(
  'A JSON Web Key Set (RFC 7517).',
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
      },
    ],
  },
  'PublicKeys',
);

/** `GET /licence/public-key`, for the verification of licence files. */
export function licenceFileRoutes(routes: Routes, { secret }: Platform): void {
  const { kid, publicKey } = deriveSigningKey(secret);
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const key = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x } as const;

  routes.get(
    '/licence/public-key',
    {
      schema: {
        tags: ['Licence'],
        security: [],
        operationId: 'publicKey',
        summary: 'Get the public key of licence files',
        response: { 200: PublicKeys },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=86400');
      return { keys: [key] };
    },
  );
}
