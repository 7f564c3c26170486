import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type ConnectionError, type FastifyBaseLogger } from 'fastify';
import type { Logger } from '../log.ts';
import { AccessLog } from './access-log.ts';
import { refusalFor, sendError } from './errors.ts';
import { acceptJsonOnly } from './json-body.ts';
import {
  BODY_LIMIT_BYTES,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  REQUEST_TIMEOUT_MS,
} from './limits.ts';
import { type ApiScope, type Routes, scopeOf } from './scope.ts';

type Scopes = readonly [ApiScope, ...ApiScope[]];

const REQUEST_ID = /^[\w.-]{1,64}$/;
const CLIENT_ERROR_STATUS: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * A Fastify server whose every error, its own and the HTTP parser's included, has the shape of the
 * scope that the request came to. The first scope answers for paths outside of all.
 */
export function createServer(scopes: Scopes, log: Logger): Routes {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new AccessLog(),
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    // Requests that arrive while we drain are served; `drain` tells their clients to go elsewhere.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply as never, scopes);
    },
    clientErrorHandler: (error, socket) => refuseOnSocket(error, socket, scopes),
  }).withTypeProvider<TypeBoxTypeProvider>();

  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    methods.set(url, known);
    for (const name of [method].flat()) known.add(name);
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  acceptJsonOnly(app);
  app.setErrorHandler<Error>((error, request, reply) => sendError(error, request, reply, scopes));
  app.setNotFoundHandler((request, reply) => {
    const allowed = [...(methods.get(request.url.split('?', 1)[0] ?? '') ?? [])];
    const refusal = scopeOf(request.url, scopes).noRoute(allowed);
    if (refusal.status === 405) reply.header('allow', allowed.join(', '));
    return sendError(refusal, request, reply, scopes);
  });
  app.server.on('checkExpectation', (request, response) => {
    const scope = scopeOf(request.url ?? '/', scopes);
    response
      .writeHead(417, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
      .end(JSON.stringify(scope.errorBody(refusalFor(417, scope))));
  });
  return app;
}

/** Answers what the HTTP parser could not read. There is no request object: the path is taken from the raw bytes. */
function refuseOnSocket(error: ConnectionError, socket: Socket, scopes: Scopes) {
  const answering = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage
    ?.headersSent;
  if (!socket.writable || answering || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestLine = String(error.rawPacket ?? '').split('\r\n', 1)[0] ?? '';
  const scope = scopeOf(requestLine.split(' ')[1] ?? '/', scopes);
  const status = CLIENT_ERROR_STATUS[error.code ?? ''] ?? 400;
  const body = JSON.stringify(scope.errorBody(refusalFor(status, scope)));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store, private',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
