import Fastify, { type FastifyInstance } from 'fastify';
import type { Routes } from './scope.ts';

export interface DocumentedApi {
  title: string;
  /** Path or URL of its OpenAPI document. */
  url: string;
}

/** The reader runs its own scripts and styles in the page; it may load nothing from anywhere else. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'";

/** What the reader's own colours lack in contrast; and its buttons for copying, which have no name. */
const STYLE = `
.light-mode {
  --scalar-color-2: #5c5c5c; --scalar-color-3: #666;
  --scalar-color-green: #046b49; --scalar-color-red: #b80005; --scalar-color-yellow: #7a5c00;
  --scalar-color-blue: #005f99; --scalar-color-orange: #a83a00; --scalar-color-accent: #005fa3;
}
.dark-mode {
  --scalar-color-3: #a0a0a0; --scalar-color-red: #ff8078;
}
[class~='group/copy-button'] { display: none !important }
`;

/**
 * `/docs`: the APIs, browsable. The reader weighs megabytes, so it is loaded with the first visit
 * and lives in an application of its own.
 */
export function serveDocs(app: Routes, apis: DocumentedApi[]): void {
  let reader: Promise<FastifyInstance> | undefined;
  const options = { schema: { hide: true }, config: { quiet: true } };
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, options, async (request, reply) => {
      reader ??= createReader(apis);
      const pages = await reader;
      const path = request.url.split('?', 1)[0] ?? '';
      if (!pages.hasRoute({ method: 'GET', url: path })) return reply.callNotFound();
      reply.hijack();
      pages.routing(request.raw, reply.raw);
    });
  }
}

async function createReader(apis: DocumentedApi[]): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
  });
  app.addHook('onSend', async (_request, _reply, body) =>
    typeof body === 'string' ? body.replace('<html>', '<html lang="en">') : body,
  );
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      sources: apis,
      pageTitle: 'Pavis APIs',
      theme: 'default',
      customCss: STYLE,
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
