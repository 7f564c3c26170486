import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type AddressRange, clientAddress } from '../http/client-address.ts';
import type { Routes } from '../http/error-format.ts';
import { HttpError, isAbort } from '../http/errors.ts';
import {
  type FastPath,
  type FastPathResponse,
  type FastPaths,
  type PrebuiltResponse,
  prebuildResponse,
} from '../http/fast-path.ts';
import { hasHeader } from '../http/validate-request.ts';
import type { Logger } from '../log.ts';
import { noRoute } from './errors.ts';
import type { RawResponse } from './raw-request.ts';
import { JSON_TYPE, type RestApi } from './rest-api.ts';
import { listMethods, type PrebuiltBody, type RestRoute } from './route.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** What core sends to whom it knows, so that nobody in between keeps it. */
const NEVER_CACHED = {
  expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
};
const ON_EVERY_ANSWER = {
  'x-robots-tag': 'noindex',
  'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
  // Core's, and what makes a repeated POST count once.
  'access-control-allow-headers':
    'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, Idempotency-Key',
};
const NO_BODY = Buffer.alloc(0);
const SOUND_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;|$)/;

export interface RestMount {
  fastPaths: FastPaths;
  trustedProxies: readonly AddressRange[];
  log: Logger;
}

/** Serves a REST API below the routes' prefix, with core's headers on every answer. */
export function mountRestApi(routes: Routes, api: RestApi, mount: RestMount): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') done(new HttpError(415));
    else done(null, body);
  });

  const wireOf = ({ method, raw: { headers }, url }: FastifyRequest) => ({
    method,
    headers,
    target: url,
    path: (url.split('?', 1)[0] ?? '').slice(routes.prefix.length),
  });
  const headersOf = headersFor(api);

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
    const client = () => clientOf(request.raw, mount);
    return send(request, reply, await api.answer({ ...wireOf(request), client, body }));
  }

  function send(request: FastifyRequest, reply: FastifyReply, answer: RawResponse) {
    if (answer.fault) request.log.error({ err: answer.fault }, 'request failed');
    reply.code(answer.status);
    reply.headers(headersOf(answer));
    return reply.send(
      answer.chunks && request.method !== 'HEAD' ? Readable.from(answer.chunks) : answer.text,
    );
  }

  // What is refused before a route runs has the headers of every answer as well, as in core.
  routes.setErrorHandler(async (error, request, reply) => {
    const refusal = isAbort(error, request) ? new HttpError(400) : error;
    return send(request, reply, await api.refuse(wireOf(request), refusal));
  });
  if (routes.prefix !== '') {
    routes.setNotFoundHandler(async (request, reply) =>
      send(request, reply, await api.refuse(wireOf(request), noRoute())),
    );
  }

  // Fastify refuses types that it cannot parse; core reads what it knows of them.
  routes.addHook('onRequest', (request, _reply, done) => {
    const type = request.raw.headers['content-type'];
    if (type !== undefined && !SOUND_TYPE.test(type))
      request.headers = { 'content-type': undefined };
    done();
  });

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
  for (const route of api.routes) {
    if (route.hot) mount.fastPaths.add(toFastPath(route, routes.prefix, api, mount));
  }
}

/** The way of a hot route past Fastify: the same answer with the same headers. */
function toFastPath(route: RestRoute, prefix: string, api: RestApi, mount: RestMount): FastPath {
  const { method } = route as { method: FastPath['method'] };
  const path = `/${api.options.namespace}${route.path}`;
  const target = prefix + path;
  const headersOf = headersFor(api);
  const known = new WeakMap<PrebuiltBody, PrebuiltResponse>();
  /** What stands above every plain answer, by the origin that is let in. */
  const plain = new Map<string, string[]>();

  function plainHeaders({ allowedOrigin }: RawResponse): string[] {
    let flat = plain.get(allowedOrigin ?? '');
    if (!flat) {
      const origin = allowedOrigin !== undefined && { allowedOrigin };
      flat = flatHeaders(
        headersOf({ status: 200, contentType: JSON_TYPE, headers: {}, ...origin }),
      );
      plain.set(allowedOrigin ?? '', flat);
    }
    return flat;
  }

  function preparedAnswer(request: IncomingMessage): FastPathResponse | undefined {
    if (hasHeader(request, 'origin') || hasHeader(request, 'if-none-match')) return undefined;
    const ready = route.ready?.();
    if (!ready) return undefined;
    let answer = known.get(ready);
    if (!answer) {
      const said = { ...ready.headers, allow: listMethods(route).join(', ') };
      const above = headersOf({ status: 200, contentType: JSON_TYPE, headers: said });
      answer = prebuildResponse(flatHeaders(above), ready.json);
      known.set(ready, answer);
    }
    return answer;
  }

  async function fullAnswer(request: IncomingMessage, body: Buffer): Promise<FastPathResponse> {
    const { headers } = request;
    const client = () => clientOf(request, mount);
    const answered = await api.answer({ method, target, path, headers, client, body });
    if (answered.fault) mount.log.error({ err: answered.fault }, 'request failed');
    const { status, text } = answered;
    const above = isPlain(answered)
      ? addFlat([...plainHeaders(answered)], answered.headers)
      : flatHeaders(headersOf(answered));
    return { status, headers: above, text: String(text) };
  }

  return {
    method,
    path: target,
    answer: (request, body) => preparedAnswer(request) ?? fullAnswer(request, body),
  };
}

/** Whether what stands above an answer is the same for all, but for what its route says. */
const isPlain = ({ status, contentType, nonce, headers }: RawResponse): boolean =>
  contentType === JSON_TYPE &&
  status !== 304 &&
  nonce === undefined &&
  !('cache-control' in headers) &&
  !('link' in headers);

const flatHeaders = (headers: Record<string, string | string[]>): string[] => addFlat([], headers);

/** Adds names and values in turn. */
function addFlat(flat: string[], headers: Record<string, string | string[]>): string[] {
  for (const name of Object.keys(headers)) {
    const value = headers[name] as string | string[];
    if (typeof value === 'string') flat.push(name, value);
    else for (const each of value) flat.push(name, each);
  }
  return flat;
}

const clientOf = (
  { headers, socket }: IncomingMessage,
  { trustedProxies }: Pick<RestMount, 'trustedProxies'>,
): string =>
  clientAddress(
    socket.remoteAddress,
    headers['x-forwarded-for'] as string | undefined,
    trustedProxies,
  );

/** What stands above an answer, the framework's own headers excepted. */
function headersFor(api: RestApi) {
  return ({
    status,
    contentType,
    nonce,
    allowedOrigin,
    headers: { link, ...more },
  }: Omit<RawResponse, 'text'>): Record<string, string | string[]> => {
    const { restRoot, isUnlisted } = api.options;
    const home = isUnlisted ? [] : [`<${restRoot()}/>; rel="https://api.w.org/"`];
    const links = link === undefined ? home : [...home, link];
    return {
      // A 304 describes no content (RFC 9110, 15.4.5).
      ...(status !== 304 && { 'content-type': contentType }),
      ...ON_EVERY_ANSWER,
      ...(!('cache-control' in more) && NEVER_CACHED),
      ...crossOriginHeaders(allowedOrigin),
      // Two header lines, as core sends them: the home of the API, and a page's neighbours.
      ...(links.length > 0 && { link: links }),
      // Nobody in between may keep somebody's nonce with an answer that is the same for all.
      ...(nonce !== undefined && !('cache-control' in more) && { 'x-wp-nonce': nonce }),
      ...more,
    };
  };
}

function crossOriginHeaders(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
  };
}
