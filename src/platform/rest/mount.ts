import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { HttpRefusal } from '../http/errors.ts';
import type { Routes } from '../http/scope.ts';
import { noRoute } from './errors.ts';
import type { RestApi } from './rest-api.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** What core sends to whom it knows, so that nobody in between keeps it. */
const NEVER_CACHED = {
  expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
};
const ALLOW_HEADERS = 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type';

export interface RestMount {
  /** Origins that scripts may call from. */
  allowedOrigins: () => readonly string[];
}

/** Serves a REST API below the routes' prefix, with core's headers on every answer. */
export function mountRestApi(routes: Routes, api: RestApi, { allowedOrigins }: RestMount): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') done(new HttpRefusal(415));
    else done(null, body);
  });

  const wireOf = ({ method, headers, url }: FastifyRequest) => ({
    method,
    headers,
    url: new URL(url, api.options.restRoot()),
    path: (url.split('?', 1)[0] ?? '').slice(routes.prefix.length),
  });

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const { headers } = request;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const answer = await api.answer({ ...wireOf(request), body });
    if (answer.fault) request.log.error({ err: answer.fault }, 'request failed');
    reply.code(answer.status);
    reply.headers({
      'content-type': answer.contentType ?? 'application/json; charset=UTF-8',
      'x-robots-tag': 'noindex',
      'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
      'access-control-allow-headers': ALLOW_HEADERS,
      ...NEVER_CACHED,
      ...crossOriginHeaders(headers.origin, allowedOrigins()),
    });
    const { link, ...more } = answer.headers;
    const home = `<${api.options.restRoot()}/>; rel="https://api.w.org/"`;
    // Two header lines, as core sends them: the home of the API, and a page's neighbours.
    reply.header('link', link ? [home, link] : home);
    reply.headers(more);
    // Nobody in between may keep somebody's nonce with an answer that is the same for all.
    if (answer.nonce !== undefined && !('cache-control' in more)) {
      reply.header('x-wp-nonce', answer.nonce);
    }
    return reply.send(answer.contentType ? answer.body : JSON.stringify(answer.body));
  }

  // Where there is nothing, it does not matter what the body is.
  const refuseUnknown: onRequestHookHandler = (request, _reply, done) =>
    done(api.hasRoute(wireOf(request)) ? undefined : noRoute());

  for (const url of ['', '/*']) {
    routes.route({
      method: [...METHODS],
      url,
      exposeHeadRoute: false,
      schema: { hide: true },
      onRequest: refuseUnknown,
      handler: handle,
    });
  }
}

function crossOriginHeaders(
  origin: string | undefined,
  allowed: readonly string[],
): Record<string, string> {
  if (origin === undefined || !allowed.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
  };
}
