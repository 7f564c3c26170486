import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from './error-format.ts';

/** How long browsers may remember the answer to a preflight request, in seconds. */
const PREFLIGHT_MAX_AGE = 600;

export interface CrossOriginRules {
  isAllowed(origin: string): boolean | Promise<boolean>;
  /** Which of the routes pages of these origins may call, by address. */
  covers(url: string): boolean;
  /** Request headers that scripts may send. */
  requestHeaders: readonly string[];
  /** Response headers that scripts may read. */
  responseHeaders: readonly string[];
}

/**
 * Lets pages of allowed origins read the answers of routes that are added to `routes` afterwards, errors
 * included, and answers their preflight requests (Fetch Standard, "CORS protocol"). Cookies are not
 * allowed: `Access-Control-Allow-Credentials` is never sent. Other origins get the same answers, which
 * their browsers keep from them.
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
          reply.header('access-control-max-age', PREFLIGHT_MAX_AGE);
        }
        return reply.code(204).send();
      },
    });
  });
  // Before anything that can refuse the request: pages read refusals too.
  routes.addHook('onRequest', async (request, reply) => {
    const { url } = request.routeOptions;
    if (request.method !== 'OPTIONS' && url !== undefined && methods.has(url)) {
      await addHeaders(request, reply);
    }
  });
}
