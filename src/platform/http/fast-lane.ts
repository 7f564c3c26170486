import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { isJsonType } from './json-body.ts';
import { requestId } from './request-id.ts';
import type { Routes } from './scope.ts';
import { unsoundStatus } from './sound-request.ts';

/** A complete answer with status 200. */
interface LaneAnswer {
  /** Names and values in turn, beside those that every answer has. */
  headers: string[];
  json: string;
}

/**
 * A second way to answer a route that is called all the time, without Fastify, for requests that are
 * as they should be. Whatever it does not answer goes to the route itself, as if nothing had been
 * read: refusals are made there and only there. So it must not have had any effect then.
 */
export interface Lane {
  method: 'POST';
  path: string;
  answer(request: IncomingMessage, body: string): LaneAnswer | undefined;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Called after each answer of a lane. */
type LaneObserver = (lane: Lane, milliseconds: number) => void;

const PLAIN_BODY_MAX_BYTES = 4_096;
/** The body of a request that a lane has read and handed back. */
const READ_BODY = Symbol('body that was read already');

type MaybeRead = IncomingMessage & { [READ_BODY]?: Buffer };

/** The lanes of a server. */
export class FastLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #observers: LaneObserver[] = [];
  #open = true;

  add(lane: Lane): void {
    this.#lanes.set(lane.path, lane);
  }

  observe(observer: LaneObserver): void {
    this.#observers.push(observer);
  }

  /** Sends every request to Fastify from now on. */
  close(): void {
    this.#open = false;
  }

  /** The request handler of a server whose ordinary handler is `otherwise`. */
  before(otherwise: Handler): Handler {
    return (request, response) => {
      const lane = this.#lanes.get(request.url ?? '');
      if (lane && this.#open && isPlain(request, lane))
        this.#take(lane, request, response, otherwise);
      else otherwise(request, response);
    };
  }

  #take(lane: Lane, request: IncomingMessage, response: ServerResponse, otherwise: Handler): void {
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      const answer = isUtf8(body) ? lane.answer(request, body.toString()) : undefined;
      if (!answer) {
        (request as MaybeRead)[READ_BODY] = body;
        return otherwise(request, response);
      }
      send(request, response, answer);
      for (const observe of this.#observers) observe(lane, performance.now() - startedAt);
    });
  }
}

/** Lets Fastify read the bodies that a lane has read before it. */
export function replayReadBodies(app: Routes): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const body = (request.raw as MaybeRead)[READ_BODY];
    done(null, body ? Readable.from([body], { objectMode: false }) : payload);
  });
}

/** Whether a request is short, complete JSON, so that reading it here costs and hides nothing. */
function isPlain(request: IncomingMessage, lane: Lane): boolean {
  const { method, headers } = request;
  const length = Number(headers['content-length']);
  return (
    method === lane.method &&
    length > 0 &&
    length <= PLAIN_BODY_MAX_BYTES &&
    isJsonType(headers['content-type']) &&
    headers['content-encoding'] === undefined &&
    unsoundStatus(request) === undefined
  );
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, json }: LaneAnswer,
): void {
  headers.push(
    'x-request-id',
    requestId(request),
    'x-content-type-options',
    'nosniff',
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(json)),
  );
  response.writeHead(200, headers);
  response.end(json);
}
