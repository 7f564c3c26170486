import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ALL_WAITING_REQUESTS_MAX, WAITING_BYTES_MAX, WAITING_REQUESTS_MAX } from './limits.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What Node keeps on a socket; there is no public way to make it stop parsing what it has received. */
type HttpSocket = Socket & { parser?: { onIncoming?: () => number } | null };

/** What a parser is told to leave the rest of a connection to others. */
const STOP_PARSING = 2;

/**
 * Handles the pipelined requests of a connection (RFC 9112 §9.3.2) one after the other: each begins when the client's
 * connection has taken the response to the one before, so at most one response of a connection is held in memory.
 * Node parses whatever a client sends, so a connection on which too many requests or bytes wait is closed.
 * @param onClosed called when a connection is closed
 */
export function handleInTurn(handle: Handler, onClosed: () => void): Handler {
  /** For each waiting request of a connection, how many bytes had been received when it came. */
  const waiting = new WeakMap<Socket, number[]>();
  let inAll = 0;

  function track(socket: Socket): number[] {
    const arrivals: number[] = [];
    waiting.set(socket, arrivals);
    socket.once('close', () => {
      inAll -= arrivals.length;
    });
    return arrivals;
  }

  function wait(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const arrivals = waiting.get(socket) ?? track(socket);
    arrivals.push(socket.bytesRead);
    inAll++;
    const bytes = socket.bytesRead - (arrivals[0] as number);
    if (
      arrivals.length > WAITING_REQUESTS_MAX ||
      bytes > WAITING_BYTES_MAX ||
      inAll > ALL_WAITING_REQUESTS_MAX
    ) {
      close(socket);
      onClosed();
      return;
    }
    // Node gives a response its socket when its turn has come.
    response.once('socket', () => {
      arrivals.shift();
      inAll--;
      process.nextTick(handle, request, response);
    });
  }

  return (request, response) => {
    if (response.socket) handle(request, response);
    else wait(request, response);
  };
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
