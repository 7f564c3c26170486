import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { type ErrorFormats, findErrorFormat } from './error-format.ts';
import { createStatusError } from './errors.ts';
import { REQUEST_TIMEOUT_MS } from './limits.ts';

const STATUS_BY_CODE: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Node has no public way to learn which message was under way. */
type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage } | null;
};

/** What is sent in place of a response. */
interface SocketRefusal {
  status: number;
  /** Of the request, for the format. */
  url: string;
  /** The request, if it has a response of its own. */
  request?: IncomingMessage | undefined;
}

/** Sockets that are closed once the responses before the error are sent. */
const closing = new WeakSet<Socket>();

/** Answers a request that Node's parser refused. Its path is that of the message under way, or in the raw bytes. */
export function rejectOnSocket(
  error: ConnectionError,
  socket: HttpSocket,
  formats: ErrorFormats,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestLine = String(error.rawPacket ?? '').split('\r\n', 1)[0] ?? '';
  const incoming = socket.parser?.incoming;
  const url = incoming?.url ?? requestLine.split(' ')[1] ?? '/';
  const status = STATUS_BY_CODE[error.code ?? ''] ?? 400;
  const request = incoming?.complete ? undefined : incoming;
  closeInOrder(socket, { status, url, request }, formats);
}

/** Refuses CONNECT, for which Node takes its own listeners off the socket, although earlier responses may be under way. */
export function rejectConnect(url: string, socket: HttpSocket, formats: ErrorFormats): void {
  // Without a listener, a connection that the client resets would end the process.
  socket.on('error', () => socket.destroy());
  socket.on('drain', () => socket._httpMessage?.emit('drain'));
  closeInOrder(socket, { status: 400, url }, formats);
}

/**
 * Closes a connection with an error after the responses to earlier requests (RFC 9112 §9.3.2), for which it waits as long
 * as for a request.
 */
function closeInOrder(socket: HttpSocket, refusal: SocketRefusal, formats: ErrorFormats): void {
  // Node reports an error for each packet after the first one.
  if (closing.has(socket)) return;
  closing.add(socket);
  const timer = setTimeout(() => socket.destroy(), REQUEST_TIMEOUT_MS);
  socket.once('close', () => clearTimeout(timer));
  function closeIfFirst(): void {
    const response = socket._httpMessage;
    if (!socket.writable) return;
    // A response closes after the next one has got the socket.
    if (response && response.req !== refusal.request) response.once('close', closeIfFirst);
    else if (response?.headersSent) socket.destroy();
    else closeSocket(socket, refusal, formats);
  }
  closeIfFirst();
}

/** Sends an error in the format of a URL's API and closes the connection. */
export function closeSocket(
  socket: Socket,
  { status, url }: SocketRefusal,
  formats: ErrorFormats,
): void {
  const format = findErrorFormat(url, formats);
  const body = JSON.stringify(format.formatError(createStatusError(status, format)));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store, private',
      'x-content-type-options: nosniff',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
