import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { Routes } from './scope.ts';

export type OpenApiInfo = NonNullable<FastifyDynamicSwaggerOptions['openapi']>;

/**
 * Describes every route that the scope registers after this call, at `openapi.json` beside them.
 * Routes with `schema: { hide: true }` are left out.
 */
export async function describeRoutes(
  routes: Routes,
  openapi: OpenApiInfo,
  publicUrl: () => string,
): Promise<void> {
  // With the server given, its path is taken off the paths.
  await routes.register(swagger, { openapi: { ...openapi, servers: [{ url: publicUrl() }] } });
  routes.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    reply.header('access-control-allow-origin', '*');
    return { ...routes.swagger(), servers: [{ url: publicUrl() }] };
  });
}
