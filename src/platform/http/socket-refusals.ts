import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { type ErrorFormats, findErrorFormat } from './error-format.ts';
import { createStatusError } from './errors.ts';

const STATUS_BY_CODE: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Node has no public way to learn which message was under way. */
type HttpSocket = Socket & {
  _httpMessage?: { headersSent: boolean };
  parser?: { incoming?: IncomingMessage };
};

/** Answers a request that Node's parser refused. Its path is that of the message under way, or in the raw bytes. */
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
  closeSocket(socket, STATUS_BY_CODE[error.code ?? ''] ?? 400, url, formats);
}

/** Sends an error in the format of a URL's API and closes the connection. */
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
