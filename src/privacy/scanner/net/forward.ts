import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';

/** Counts bytes. Returns whether the connection may continue. */
type Count = (bytes: number) => boolean;

/** Hop-by-hop headers (RFC 9110 §7.6.1), and headers for this proxy. */
const HOP_BY_HOP = new Set(
  `connection keep-alive proxy-authorization proxy-connection te trailer transfer-encoding
  upgrade`.split(/\s+/),
);

/** Pipes both directions until one ends or the byte limit is exceeded. */
export function tunnel(client: Duplex, upstream: Socket, first: Buffer, count: Count): void {
  if (client.destroyed) {
    upstream.destroy();
    return;
  }
  const counted = (chunk: Buffer) => {
    if (!count(chunk.length)) upstream.destroy();
  };
  client.on('data', counted);
  upstream.on('data', counted);
  if (first.length > 0) upstream.write(first);
  // An error of one side ends the other.
  pipeline(client, upstream, () => {});
  pipeline(upstream, client, () => {});
}

/** Forwards a plain HTTP request and its response. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  {
    upstream,
    count,
    onBroken,
  }: { upstream: Socket; count: Count; onBroken: (error: unknown) => void },
): void {
  const counted = (chunk: Buffer) => {
    if (!count(chunk.length)) upstream.destroy();
  };
  const outgoing = httpRequest({
    createConnection: () => upstream,
    method: request.method,
    path: url.pathname + url.search,
    headers: ['host', url.host, ...passedOn(request)],
  });
  const fail = () => {
    upstream.destroy();
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'proxy-status': 'pavis; error=http_protocol_error' }).end();
  };
  outgoing.on('response', (answer) => {
    answer.on('data', counted);
    try {
      response.writeHead(answer.statusCode ?? 502, passedOn(answer));
    } catch {
      // An incoming header that is invalid for output.
      fail();
      return;
    }
    pipeline(answer, response, () => upstream.destroy());
  });
  outgoing.on('upgrade', fail).on('error', (error) => {
    // Otherwise this proxy ended the connection.
    if (!response.destroyed) onBroken(error);
    fail();
  });
  response.on('close', () => upstream.destroy());
  request.on('data', counted);
  pipeline(request, outgoing, () => {});
}

/** The head of an upgrade request. */
export function requestHead(request: IncomingMessage, url: URL): string {
  const lines = [`${request.method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`];
  const headers = [
    'Connection',
    'Upgrade',
    'Upgrade',
    request.headers.upgrade ?? '',
    ...passedOn(request),
  ];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Alternating names and values. */
function passedOn(message: IncomingMessage): string[] {
  const named = (message.headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const left = new Set([...HOP_BY_HOP, ...named]);
  if (message.method !== undefined && message.method !== null) left.add('host');
  return message.rawHeaders.filter((_, at) => {
    const name = message.rawHeaders[at - (at % 2)]?.toLowerCase() ?? '';
    return !left.has(name);
  });
}
