import Fastify, { type FastifyInstance } from 'fastify';
import type { ApiScope, Routes } from './scope.ts';

export interface DocumentedApi {
  title: string;
  /** Path or URL of its OpenAPI document. */
  url: string;
}

/** The reader runs its own scripts and styles in the page; it may load nothing from anywhere else. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'";

/**
 * `/docs`: the APIs, browsable. The reader weighs megabytes, so it is loaded with the first visit
 * and lives in an application of its own.
 */
export function serveDocs(app: Routes, apis: DocumentedApi[], scope: ApiScope): void {
  let reader: Promise<FastifyInstance> | undefined;
  const options = { schema: { hide: true }, config: { quiet: true } };
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, options, async (request, reply) => {
      reader ??= createReader(apis, scope);
      const { routing } = await reader;
      reply.hijack();
      routing(request.raw, reply.raw);
    });
  }
}

async function createReader(apis: DocumentedApi[], scope: ApiScope): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(scope.errorBody(scope.noRoute([]))),
  );
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      sources: apis,
      pageTitle: 'Pavis APIs',
      theme: 'default',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
      agent: { disabled: true },
    },
  });
  await app.ready();
  return app;
}
