import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ALL_WAITING_REQUESTS_MAX, WAITING_BYTES_MAX, WAITING_REQUESTS_MAX } from './limits.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What Node keeps on a socket; there is no public way to make it stop parsing what it has received. */
type HttpSocket = Socket & { parser?: { onIncoming?: () => number } | null };

/** What a parser is told to leave the rest of a connection to others. */
const STOP_PARSING = 2;

/**
 * The pipelined requests of a server's connections (RFC 9112 §9.3.2), handled one after the other: each begins when
 * the client's connection has taken the response to the one before, so at most one response of a connection is held in
 * memory. Node parses whatever a client sends, so a connection on which too many requests or bytes wait is closed.
 */
export class Pipelining {
  readonly #onClosed: () => void;
  /** For each waiting request of a connection, how many bytes had been received when it came. */
  readonly #waiting = new WeakMap<Socket, number[]>();
  #inAll = 0;
  #accepts = true;

  /** @param onClosed called when a connection is closed */
  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  /** Whether further requests of the connection wait for their turn. */
  hasWaiting(socket: Socket): boolean {
    return (this.#waiting.get(socket)?.length ?? 0) > 0;
  }

  /**
   * Leaves requests that come behind others unanswered from now on, and closes their connections after the answers to
   * those before them (RFC 9112 §9.6). Those that wait already get their turn.
   */
  stopAccepting(): void {
    this.#accepts = false;
  }

  /** The request handler of a server, which calls `handle` in turn. */
  inOrder(handle: Handler): Handler {
    return (request, response) => {
      const { socket } = request;
      if (socket.writableEnded) request.resume();
      else if (response.socket) handle(request, response);
      else if (this.#accepts) this.#wait(handle, request, response);
      else response.once('socket', () => socket.destroySoon());
    };
  }

  #track(socket: Socket): number[] {
    const arrivals: number[] = [];
    this.#waiting.set(socket, arrivals);
    socket.once('close', () => {
      this.#inAll -= arrivals.length;
    });
    return arrivals;
  }

  #wait(handle: Handler, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const arrivals = this.#waiting.get(socket) ?? this.#track(socket);
    arrivals.push(socket.bytesRead);
    this.#inAll++;
    const bytes = socket.bytesRead - (arrivals[0] as number);
    if (
      arrivals.length > WAITING_REQUESTS_MAX ||
      bytes > WAITING_BYTES_MAX ||
      this.#inAll > ALL_WAITING_REQUESTS_MAX
    ) {
      close(socket);
      this.#onClosed();
      return;
    }
    // Node gives a response its socket when its turn has come.
    response.once('socket', () => {
      arrivals.shift();
      this.#inAll--;
      process.nextTick(handle, request, response);
    });
  }
}

/** Closes a connection, and makes nothing of what it has already sent: that may be thousands of requests. */
function close(socket: HttpSocket): void {
  if (socket.parser) socket.parser.onIncoming = () => STOP_PARSING;
  let { stackTraceLimit } = Error;
  // Node makes an error for each request that is lost with its connection. Their stack traces would take longer than
  // everything else.
  socket.prependOnceListener('close', () => {
    stackTraceLimit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  socket.destroy();
}
