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
  serveOpenApi(routes, '/openapi.json', () => ({
    ...routes.swagger(),
    servers: [{ url: publicUrl() }],
  }));
}

/** Serves an OpenAPI document. It is large, so it is made with the first request, and all responses share its bytes. */
export function serveOpenApi(routes: Routes, path: string, create: () => object): void {
  let bytes: Buffer | undefined;
  routes.get(path, { schema: { hide: true } }, async (_request, reply) => {
    bytes ??= Buffer.from(JSON.stringify(create()));
    return reply
      .headers({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' })
      .type('application/json; charset=utf-8')
      .send(bytes);
  });
}
