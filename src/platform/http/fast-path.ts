import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Routes } from './error-format.ts';
import type { HttpRequest } from './http-request.ts';
import { isJsonType } from './json-body.ts';
import { nextRequestId, requestId } from './request-id.ts';
import { getProtocolError } from './validate-request.ts';

export interface FastPathResponse {
  status: number;
  /** Names and values in turn, without the common headers. */
  headers: string[];
  text: string;
  /** The length of the text, where `prebuildResponse` has added the common headers. */
  bytes?: number;
}

/** A response with all headers, to be sent again and again. The values of its given headers may change meanwhile. */
export function prebuildResponse(headers: string[], text: string): FastPathResponse {
  const bytes = Buffer.byteLength(text);
  return {
    status: 200,
    headers: addCommonHeaders({ status: 200, headers, text }, bytes),
    text,
    bytes,
  };
}

/**
 * Answers plain requests to a hot route without Fastify (docs/adr/0004). What it does not answer goes to the route itself
 * unchanged, so it must have no effect then. It never throws.
 */
export interface FastPath {
  method: 'GET' | 'POST';
  path: string;
  /** @param body empty for GET */
  answer(
    request: IncomingMessage,
    body: Buffer,
  ): FastPathResponse | undefined | Promise<FastPathResponse>;
}

/** A request on its way through a fast path. */
interface Exchange {
  fastPath: FastPath;
  request: HttpRequest;
  response: ServerResponse;
  startedAt: number;
}

type Handler = (request: HttpRequest, response: ServerResponse) => void;

type FastPathObserver = (
  fastPath: FastPath,
  status: number,
  milliseconds: number,
  requestId: string,
) => void;

const PLAIN_BODY_MAX_BYTES = 4_096;
const READ_BODY = Symbol('body that was read already');
const NO_BODY = Buffer.alloc(0);

type MaybeRead = IncomingMessage & { [READ_BODY]?: Buffer };

export class FastPaths {
  readonly #fastPaths = new Map<string, FastPath>();
  readonly #observers: FastPathObserver[] = [];
  #open = true;
  #isLast = (_request: IncomingMessage) => false;

  add(fastPath: FastPath): void {
    this.#fastPaths.set(fastPath.path, fastPath);
  }

  observe(observer: FastPathObserver): void {
    this.#observers.push(observer);
  }

  /**
   * Sends every request to Fastify from now on.
   * @param isLast whether the response to a request is the last one of its connection
   */
  close(isLast: (request: IncomingMessage) => boolean): void {
    this.#open = false;
    this.#isLast = isLast;
  }

  /** A request handler that tries the fast paths first. */
  before(otherwise: Handler): Handler {
    return (request, response) => {
      const fastPath = this.#fastPaths.get(request.url ?? '');
      if (fastPath && this.#open && isPlain(request, fastPath))
        this.#handle({ fastPath, request, response, startedAt: performance.now() }, otherwise);
      else otherwise(request, response);
    };
  }

  #handle(exchange: Exchange, otherwise: Handler): void {
    const { fastPath, request } = exchange;
    if (fastPath.method === 'GET') {
      this.#answer(exchange, otherwise, NO_BODY);
      return;
    }
    request.readBody((body) => this.#answer(exchange, otherwise, body));
  }

  #answer(exchange: Exchange, otherwise: Handler, body: Buffer): void {
    const { fastPath, request, response } = exchange;
    const answer = fastPath.answer(request, body);
    if (answer instanceof Promise) answer.then((each) => this.#send(exchange, each));
    else if (answer) this.#send(exchange, answer);
    else {
      (request as MaybeRead)[READ_BODY] = body;
      otherwise(request, response);
    }
  }

  #send({ fastPath, request, response, startedAt }: Exchange, answer: FastPathResponse): void {
    const id = request.headers['x-request-id'] !== undefined ? requestId(request) : nextRequestId();
    const { text } = answer;
    const bytes = answer.bytes ?? Buffer.byteLength(text, 'utf8');
    let headers = answer.bytes === undefined ? addCommonHeaders(answer, bytes) : answer.headers;
    // Node copies the headers at once, so one array serves all responses in turn.
    headers[headers.length - 1] = id;
    if (!this.#open && this.#isLast(request)) headers = [...headers, 'connection', 'close'];
    response.writeHead(answer.status, headers);
    // ASCII needs no encoding.
    response.end(text, bytes === text.length ? 'latin1' : 'utf8');
    const milliseconds = performance.now() - startedAt;
    for (const observe of this.#observers) observe(fastPath, answer.status, milliseconds, id);
  }
}

/**
 * Lets Fastify read bodies that a fast path has read, and the missing body of a request with a content type: with
 * `optimizeEmptyRequests`, Node never ends it, and Fastify would wait for ever.
 */
export function replayReadBodies(app: Routes): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { headers } = request.raw;
    const isMissing = headers['content-type'] !== undefined && hasNoBody(headers);
    const body = isMissing ? NO_BODY : (request.raw as MaybeRead)[READ_BODY];
    done(null, body ? Readable.from([body], { objectMode: false }) : payload);
  });
}

/** Whether a request has no body, or short JSON. */
function isPlain(request: IncomingMessage, fastPath: FastPath): boolean {
  return (
    request.method === fastPath.method &&
    (fastPath.method === 'GET' ? hasNoBody(request.headers) : hasShortJson(request.headers)) &&
    getProtocolError(request) === undefined
  );
}

const hasNoBody = (headers: IncomingHttpHeaders): boolean =>
  headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;

function hasShortJson(headers: IncomingHttpHeaders): boolean {
  const length = Number(headers['content-length']);
  return (
    length > 0 &&
    length <= PLAIN_BODY_MAX_BYTES &&
    isJsonType(headers['content-type']) &&
    headers['content-encoding'] === undefined
  );
}

/** Adds the common headers; the last is the request id, still empty. */
function addCommonHeaders({ status, headers }: FastPathResponse, bytes: number): string[] {
  const common = [...headers, 'x-content-type-options', 'nosniff'];
  if (status !== 304) common.push('content-length', String(bytes));
  common.push('x-request-id', '');
  return common;
}
