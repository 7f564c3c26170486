import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { type ErrorFormats, findErrorFormat } from './error-format.ts';
import { createStatusError } from './errors.ts';

const STATUS_OF: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What Node keeps on a socket; there is no other way to learn what was under way on it. */
type HttpSocket = Socket & {
  _httpMessage?: { headersSent: boolean };
  parser?: { incoming?: IncomingMessage };
};

/**
 * Answers what never became a request, since the HTTP parser gave up on it. Its path is that of the
 * message under way, or else stands in the raw bytes.
 */
export function rejectOnSocket(
  error: ConnectionError,
  socket: HttpSocket,
  formats: ErrorFormats,
): void {
  if (!socket.writable || socket._httpMessage?.headersSent || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestLine = String(error.rawPacket ?? '').split('\r\n', 1)[0] ?? '';
  const url = socket.parser?.incoming?.url ?? requestLine.split(' ')[1] ?? '/';
  closeSocket(socket, STATUS_OF[error.code ?? ''] ?? 400, url, formats);
}

/** Ends a connection with an error in the shape of the format that a URL belongs to. */
export function closeSocket(
  socket: Socket,
  status: number,
  url: string,
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
