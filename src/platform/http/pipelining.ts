import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ALL_WAITING_REQUESTS_MAX, WAITING_BYTES_MAX, WAITING_REQUESTS_MAX } from './limits.ts';

type Handler<Request> = (request: Request, response: ServerResponse) => void;

/** Node has no public way to stop parsing what it has received. */
type HttpSocket = Socket & { parser?: { onIncoming?: () => number } | null };

/** Makes Node's parser stop. */
const STOP_PARSING = 2;

/**
 * Handles pipelined requests of a connection (RFC 9112 §9.3.2) one after the other, so that at most one response is held
 * in memory. Node parses whatever a client sends, so a connection with too many waiting requests or bytes is closed.
 */
export class Pipelining {
  readonly #onClosed: () => void;
  /** The bytes that a connection had received when each waiting request came. */
  readonly #waiting = new WeakMap<Socket, number[]>();
  #total = 0;
  #accepts = true;

  /** @param onClosed called when a connection is closed */
  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  hasWaiting(socket: Socket): boolean {
    return (this.#waiting.get(socket)?.length ?? 0) > 0;
  }

  /** From now on, closes connections before they pipeline further requests (RFC 9112 §9.6). Waiting ones are answered. */
  stopAccepting(): void {
    this.#accepts = false;
  }

  inOrder<Request extends IncomingMessage>(handle: Handler<Request>): Handler<Request> {
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
      this.#total -= arrivals.splice(0).length;
    });
    return arrivals;
  }

  #wait<Request extends IncomingMessage>(
    handle: Handler<Request>,
    request: Request,
    response: ServerResponse,
  ): void {
    const { socket } = request;
    const arrivals = this.#waiting.get(socket) ?? this.#track(socket);
    arrivals.push(socket.bytesRead);
    this.#total++;
    const bytes = socket.bytesRead - (arrivals[0] as number);
    if (
      arrivals.length > WAITING_REQUESTS_MAX ||
      bytes > WAITING_BYTES_MAX ||
      this.#total > ALL_WAITING_REQUESTS_MAX
    ) {
      close(socket);
      this.#onClosed();
      return;
    }
    // Node gives a response its socket while the one before it finishes, and for its listeners this request still waits.
    response.once('socket', () => {
      process.nextTick(() => {
        this.#total -= arrivals.splice(0, 1).length;
        handle(request, response);
      });
    });
  }
}

/** Closes a connection without parsing what it has sent: that may be thousands of requests. */
function close(socket: HttpSocket): void {
  if (socket.parser) socket.parser.onIncoming = () => STOP_PARSING;
  let { stackTraceLimit } = Error;
  // Node creates an error for each lost request; their stack traces would take longer than everything else.
  socket.prependOnceListener('close', () => {
    stackTraceLimit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  socket.destroy();
}
