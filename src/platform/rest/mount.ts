import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { getClientAddress } from '../http/client-address.ts';
import type { Routes } from '../http/error-format.ts';
import { HttpError, isAbort } from '../http/errors.ts';
import { isIdentity } from '../http/json-body.ts';
import { BODY_LIMIT_BYTES } from '../http/limits.ts';
import { noRoute } from './errors.ts';
import { type RestMount, toFastPath } from './fast-path.ts';
import { isJson } from './params.ts';
import type { RawResponse } from './raw-request.ts';
import { createHeaderFormatter } from './response-headers.ts';
import type { RestApi } from './rest-api.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const NO_BODY = Buffer.alloc(0);
/** Content types that Fastify can parse. */
const VALID_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;|$)/;

/** Serves a REST API below the prefix of `routes`, with core's headers on every response. */
export function mountRestApi(routes: Routes, api: RestApi, mount: RestMount): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (isIdentity(request.headers)) done(null, body);
    else done(new HttpError(415));
  });

  const toHead = ({ method, raw: { headers }, url }: FastifyRequest) => ({
    method,
    headers,
    target: url,
    path: (url.split('?', 1)[0] ?? '').slice(routes.prefix.length),
  });
  const formatHeaders = createHeaderFormatter(api.options);

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    let body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
    if (hasUnreadJson(request)) body = await readBody(request);
    const client = () => getClientAddress(request.raw, mount.trustedProxies);
    const country = () => mount.findCountry?.(request.raw);
    return send(request, reply, await api.answer({ ...toHead(request), client, country, body }));
  }

  function send(request: FastifyRequest, reply: FastifyReply, response: RawResponse) {
    if (response.fault) request.log.error({ err: response.fault }, 'request failed');
    reply.code(response.status).headers(formatHeaders(response));
    if (response.status === 304) return reply.send();
    return reply.send(
      response.chunks && request.method !== 'HEAD' ? Readable.from(response.chunks) : response.text,
    );
  }

  // Errors before a route have the headers of every response too, as in core.
  routes.setErrorHandler(async (error, request, reply) => {
    const refusal = isAbort(error, request) ? new HttpError(400) : error;
    return send(request, reply, await api.refuse(toHead(request), refusal));
  });
  if (routes.prefix !== '') {
    routes.setNotFoundHandler(async (request, reply) =>
      send(request, reply, await api.refuse(toHead(request), noRoute())),
    );
  }

  // Fastify refuses types that it cannot parse; core ignores them.
  routes.addHook('onRequest', (request, _reply, done) => {
    const type = request.raw.headers['content-type'];
    if (type !== undefined && !VALID_TYPE.test(type))
      request.headers = { 'content-type': undefined };
    done();
  });

  // Before the body is read.
  const refuseUnknown: onRequestHookHandler = (request, _reply, done) =>
    done(api.hasRoute(toHead(request)) ? undefined : noRoute());

  for (const url of ['', '/*']) {
    routes.route({
      method: METHODS,
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

/** Core reads JSON with every method. Fastify does not read the body of GET and HEAD. */
function hasUnreadJson({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return (length !== '0' || encoding !== undefined) && isJson(headers['content-type']);
}

async function readBody({ raw, headers }: FastifyRequest): Promise<Buffer> {
  if (!isIdentity(headers)) throw new HttpError(415);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw) {
    bytes += chunk.length;
    if (bytes <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  if (bytes > BODY_LIMIT_BYTES) throw new HttpError(413);
  return Buffer.concat(chunks);
}
