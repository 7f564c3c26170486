import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from './error-format.ts';

const PREFLIGHT_MAX_AGE_SECONDS = 600;

export interface CrossOriginRules {
  isAllowed(origin: string): boolean | Promise<boolean>;
  /** Whether pages of these origins may call a route. */
  covers(url: string): boolean;
  requestHeaders: readonly string[];
  responseHeaders: readonly string[];
}

/**
 * Lets pages of allowed origins read the responses of routes that are added afterwards, errors included, and answers
 * preflight requests (Fetch Standard, "CORS protocol"). `Access-Control-Allow-Credentials` is never sent.
 */
export function allowOrigins(
  routes: Routes,
  { isAllowed, covers, requestHeaders, responseHeaders }: CrossOriginRules,
): void {
  const methods = new Map<string, Set<string>>();

  async function addHeaders({ headers }: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    reply.header('vary', 'Origin');
    const { origin } = headers;
    if (origin === undefined || !(await isAllowed(origin))) return false;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', responseHeaders.join(', '));
    return true;
  }

  routes.addHook('onRoute', ({ url, method, schema }) => {
    if (schema?.hide || !covers(url)) return;
    const known = methods.get(url);
    const names = known ?? new Set<string>();
    for (const name of [method].flat()) names.add(name);
    methods.set(url, names);
    if (known) return;
    routes.route({
      method: 'OPTIONS',
      url: url.slice(routes.prefix.length),
      schema: { hide: true },
      handler: async (request, reply) => {
        const allowed = [...names, 'OPTIONS'].join(', ');
        reply.header('allow', allowed);
        if (await addHeaders(request, reply)) {
          reply.header('access-control-allow-methods', allowed);
          reply.header('access-control-allow-headers', requestHeaders.join(', '));
          reply.header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS);
        }
        return reply.code(204).send();
      },
    });
  });
  // First, so that pages can read errors of later hooks.
  routes.addHook('onRequest', async (request, reply) => {
    const { url } = request.routeOptions;
    if (request.method !== 'OPTIONS' && url !== undefined && methods.has(url)) {
      await addHeaders(request, reply);
    }
  });
}
