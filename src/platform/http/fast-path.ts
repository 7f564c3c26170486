import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Routes } from './error-format.ts';
import { isJsonType } from './json-body.ts';
import { nextRequestId, requestId } from './request-id.ts';
import { getProtocolError, hasHeader } from './validate-request.ts';

export interface FastPathResponse {
  status: number;
  /** Names and values in turn, beside those that every answer has. */
  headers: readonly string[];
  text: string;
  /** Made by `readyAnswer`, for any number of requests. */
  isReady?: true;
}

/** A 200 that is built once and sent for any number of requests. */
export interface PrebuiltResponse extends FastPathResponse {
  isReady: true;
}

/** @param text of ASCII only */
export const prebuildResponse = (headers: readonly string[], text: string): PrebuiltResponse => ({
  status: 200,
  headers: addCommonHeaders({ status: 200, headers, text }, text.length),
  text,
  isReady: true,
});

/**
 * A second way to answer a route that is called all the time, without Fastify, for requests that are
 * plain. What it does not answer goes to the route itself, as if nothing had been read, so it must
 * not have had any effect then. It never throws.
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

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Called after each answer of a fast path. */
type FastPathObserver = (
  fastPath: FastPath,
  status: number,
  milliseconds: number,
  requestId: string,
) => void;

const PLAIN_BODY_MAX_BYTES = 4_096;
/** The body of a request that a fast path has read and handed back. */
const READ_BODY = Symbol('body that was read already');
const NO_BODY = Buffer.alloc(0);

type MaybeRead = IncomingMessage & { [READ_BODY]?: Buffer };

/** The fast paths of a server. */
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
   * @param isLast whether the answer to a request that is under way is the last one of its connection
   */
  close(isLast: (request: IncomingMessage) => boolean): void {
    this.#open = false;
    this.#isLast = isLast;
  }

  /** The request handler of a server whose ordinary handler is `otherwise`. */
  before(otherwise: Handler): Handler {
    return (request, response) => {
      const fastPath = this.#fastPaths.get(request.url ?? '');
      if (fastPath && this.#open && isPlain(request, fastPath))
        this.#take(fastPath, request, response, otherwise);
      else otherwise(request, response);
    };
  }

  #take(
    fastPath: FastPath,
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: Handler,
  ): void {
    const startedAt = performance.now();
    if (fastPath.method === 'GET') {
      this.#offer(fastPath, request, response, otherwise, startedAt, NO_BODY);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      this.#offer(fastPath, request, response, otherwise, startedAt, body);
    });
  }

  #offer(
    fastPath: FastPath,
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: Handler,
    startedAt: number,
    body: Buffer,
  ): void {
    const answer = fastPath.answer(request, body);
    if (answer instanceof Promise) {
      answer.then((each) => this.#finish(fastPath, request, response, startedAt, each));
    } else if (answer) {
      this.#finish(fastPath, request, response, startedAt, answer);
    } else {
      (request as MaybeRead)[READ_BODY] = body;
      otherwise(request, response);
    }
  }

  #finish(
    fastPath: FastPath,
    request: IncomingMessage,
    response: ServerResponse,
    startedAt: number,
    answer: FastPathResponse,
  ): void {
    // Without `headers`, which Node would make of all of them only to find none.
    const id = hasHeader(request, 'x-request-id') ? requestId(request) : nextRequestId();
    const { text } = answer;
    const bytes = answer.isReady ? text.length : Buffer.byteLength(text, 'utf8');
    let headers = answer.isReady ? (answer.headers as string[]) : addCommonHeaders(answer, bytes);
    // Node copies the headers of an answer at once, so one list serves them all in turn.
    headers[headers.length - 1] = id;
    if (!this.#open && this.#isLast(request)) headers = [...headers, 'connection', 'close'];
    response.writeHead(answer.status, headers);
    // Without a character beyond ASCII it need not be encoded.
    response.end(text, bytes === text.length ? 'latin1' : 'utf8');
    const milliseconds = performance.now() - startedAt;
    for (const observe of this.#observers) observe(fastPath, answer.status, milliseconds, id);
  }
}

/** Lets Fastify read the bodies that a fast path has read before it. */
export function replayReadBodies(app: Routes): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const body = (request.raw as MaybeRead)[READ_BODY];
    done(null, body ? Readable.from([body], { objectMode: false }) : payload);
  });
}

/** Whether a request has no body, or short and complete JSON, so that reading it here costs and hides nothing. */
function isPlain(request: IncomingMessage, fastPath: FastPath): boolean {
  return (
    request.method === fastPath.method &&
    (fastPath.method === 'GET' ? hasNoBody(request) : hasShortJson(request)) &&
    getProtocolError(request) === undefined
  );
}

const hasNoBody = (request: IncomingMessage): boolean =>
  !hasHeader(request, 'content-length') && !hasHeader(request, 'transfer-encoding');

function hasShortJson({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length']);
  return (
    length > 0 &&
    length <= PLAIN_BODY_MAX_BYTES &&
    isJsonType(headers['content-type']) &&
    headers['content-encoding'] === undefined
  );
}

/** The headers of an answer with those that every answer has; the last is the request id, still empty. */
function addCommonHeaders({ status, headers }: FastPathResponse, bytes: number): string[] {
  const common = [...headers, 'x-content-type-options', 'nosniff'];
  // A 304 has no body, and says nothing of one.
  if (status !== 304) common.push('content-length', String(bytes));
  common.push('x-request-id', '');
  return common;
}
