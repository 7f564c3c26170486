import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type onSendHookHandler,
} from 'fastify';
import type { ApiError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { AccessLog } from './access-log.ts';
import type { Connections } from './connections.ts';
import { type ErrorFormats, findErrorFormat, getPath, type Routes } from './error-format.ts';
import { HttpError, sendError } from './errors.ts';
import { type FastPaths, replayReadBodies } from './fast-path.ts';
import { HttpRequest } from './http-request.ts';
import { acceptJsonOnly } from './json-body.ts';
import {
  BODY_LIMIT_BYTES,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  PARSER_HEADERS_MAX_BYTES,
  REQUEST_TIMEOUT_MS,
} from './limits.ts';
import type { Pipelining } from './pipelining.ts';
import { requestId } from './request-id.ts';
import { schemaCompilers } from './schema-compilers.ts';
import { compilePattern } from './schemas.ts';
import { closeSocket, rejectConnect, rejectOnSocket } from './socket-refusals.ts';
import { getProtocolError } from './validate-request.ts';

/** A Fastify server that sends every error, those of Fastify and the HTTP parser included, in the format of the request's API. */
export function createServer(
  formats: ErrorFormats,
  log: Logger,
  fastPaths: FastPaths,
  connections: Connections,
  pipelining: Pipelining,
  rewriteUrl: (request: IncomingMessage) => string,
): Routes {
  const app = Fastify({
    rewriteUrl: (request) => {
      request.url = toOriginForm(request.url ?? '/');
      return rewriteUrl(request);
    },
    loggerInstance: log as FastifyBaseLogger,
    logController: new AccessLog(),
    requestIdHeader: false,
    genReqId: requestId,
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: (handler) =>
      createHttpServer(
        {
          requestTimeout: REQUEST_TIMEOUT_MS,
          headersTimeout: HEADERS_TIMEOUT_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
          maxHeaderSize: PARSER_HEADERS_MAX_BYTES,
          requireHostHeader: false,
          optimizeEmptyRequests: true,
          IncomingMessage: HttpRequest,
        },
        pipelining.inOrder(fastPaths.before(handler)),
      ),
    // Graceful shutdown answers them.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: schemaCompilers },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
      },
    },
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply as never, formats);
    },
    clientErrorHandler: (error, socket) => rejectOnSocket(error, socket, formats),
  }).withTypeProvider<TypeBoxTypeProvider>();

  connections.watch(app.server);

  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', (route) => {
    const { url, method } = route;
    if (method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), omitLengthOf304];
    const known = paths.get(url) ?? { pattern: toPathPattern(url), methods: new Set() };
    paths.set(url, known);
    for (const name of [method].flat()) known.methods.add(name);
  });
  function refuseRoute(request: FastifyRequest, reply: FastifyReply): ApiError {
    const path = getPath(request.url);
    const route = paths.get(path) ?? [...paths.values()].find(({ pattern }) => pattern.test(path));
    const known = route?.methods ?? new Set();
    // A route that exists and was not found hides itself from this client.
    const allowed = known.has(request.method) ? [] : [...known];
    const refusal = findErrorFormat(request.url, formats).createRouteError(allowed);
    if (refusal.status === 405) reply.header('allow', allowed.join(', '));
    return refusal;
  }

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    const status = getProtocolError(request.raw);
    if (status) done(new HttpError(status));
    // Before the body is read.
    else if (request.is404) done(refuseRoute(request, reply));
    else done();
  });
  // Fastify closes the connection of a body that it refuses. A proxy that is still sending it would answer 502 then.
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (reply.hasHeader('connection')) {
      reply.removeHeader('connection');
      raw.resume();
    }
    done();
  });
  replayReadBodies(app);
  acceptJsonOnly(app);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, formats));
  app.setNotFoundHandler((request, reply) =>
    sendError(refuseRoute(request, reply), request, reply, formats),
  );
  app.server.on('connect', ({ url = '/' }, socket) =>
    rejectConnect(url, socket as Socket, formats),
  );
  app.server.on(
    'checkExpectation',
    pipelining.inOrder(({ url = '/', socket }) =>
      closeSocket(socket, { status: 417, url }, formats),
    ),
  );
  return app;
}

/** Fastify gives a HEAD without content the length 0; that of a 304 would be the length of the 200 (RFC 9110 §8.6). */
const omitLengthOf304: onSendHookHandler = (_request, reply, _payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length');
  done();
};

/** A target in absolute form is the same request (RFC 9112 §3.2.2). */
const toOriginForm = (target: string): string => target.replace(/^https?:\/\/[^/?#]*\/?/i, '/');

/** Of a path with parameters such as `/items/:id`. */
const toPathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`);
