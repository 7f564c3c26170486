import type { Platform } from '../../platform/deps.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { errorAnswers } from '../licences/index.ts';
import { PublicKeys, toPublicKey } from './schemas.ts';
import { listPublicKeys } from './service.ts';

/** `GET /licence/public-key`, for the verification of licence files and leases. */
export function signingKeyRoutes(routes: Routes, platform: Platform): void {
  routes.get(
    '/licence/public-key',
    {
      schema: {
        tags: ['Licence'],
        security: [],
        operationId: 'publicKey',
        summary: 'List the public keys of licence files and leases',
        response: { 200: PublicKeys, ...errorAnswers() },
      },
    },
    async (_request, reply) => {
      const keys = await listPublicKeys(platform);
      reply.header('cache-control', 'public, max-age=60');
      return { keys: keys.map(toPublicKey) };
    },
  );
}
