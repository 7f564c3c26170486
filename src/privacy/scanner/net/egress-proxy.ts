import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { equalInConstantTime } from '../../../platform/crypto/constant-time.ts';
import { connect } from './connect.ts';
import { type EgressCaps, type EgressFailure, EgressVisit } from './egress-visit.ts';
import { forward, requestHead, tunnel } from './forward.ts';
import { type Guard, getPort } from './guard.ts';

export interface EgressProxy {
  /** `http://127.0.0.1:PORT` */
  readonly server: string;
  /**
   * Opens a budget for one page visit. The browser authenticates with its username and password; all other requests
   * are denied.
   */
  open(): EgressVisit;
  close(): Promise<void>;
}

export const EGRESS_CAPS: EgressCaps = {
  connectionBytes: 20_000_000,
  visitBytes: 60_000_000,
  idleMs: 15_000,
};

interface Destination {
  host: string;
  port: number;
}

const ANSWERS: Record<EgressFailure, { status: number; error: string }> = {
  blocked: { status: 403, error: 'destination_ip_prohibited' },
  closed: { status: 502, error: 'connection_terminated' },
  dns: { status: 502, error: 'dns_error' },
  refused: { status: 502, error: 'connection_refused' },
  reset: { status: 502, error: 'connection_terminated' },
  timeout: { status: 504, error: 'connection_timeout' },
  unreachable: { status: 502, error: 'destination_ip_unroutable' },
};

/**
 * The only way out for the scanner's browser: a local forward proxy that connects to targets which the guard allows.
 * Denied requests never leave this machine. The response gives the reason (RFC 9209), and the visit records it.
 */
export async function startEgressProxy(guard: Guard, caps = EGRESS_CAPS): Promise<EgressProxy> {
  const visits = new Map<string, EgressVisit>();
  const server = createServer();

  /** Connects to the destination. Undefined if the request was denied. */
  async function reach(
    request: IncomingMessage,
    to: Destination | undefined,
    deny: (status: number, headers: Record<string, string>) => void,
    readUrl?: string,
  ): Promise<{ visit: EgressVisit; socket: Socket } | undefined> {
    const visit = findVisit(request, visits);
    if (!visit) deny(407, { 'proxy-authenticate': 'Basic realm="pavis"' });
    else if (!to) deny(400, {});
    if (!visit || !to) return undefined;
    const gone = new AbortController();
    const onClose = () => gone.abort();
    request.socket.once('close', onClose);
    try {
      const signal = AbortSignal.any([visit.signal, gone.signal]);
      const target = await guard.target(to.host, to.port, signal, readUrl);
      const socket = await connect(target, signal);
      visit.reached(to.host, to.port);
      socket.setTimeout(caps.idleMs, () => socket.destroy());
      const onEnd = () => socket.destroy();
      visit.signal.addEventListener('abort', onEnd);
      socket.once('close', () => visit.signal.removeEventListener('abort', onEnd));
      return { visit, socket };
    } catch (error) {
      // Browsers open more connections than they need.
      if (gone.signal.aborted) return undefined;
      const { status, error: name } = ANSWERS[visit.failed(to.host, to.port, error)];
      deny(status, { 'proxy-status': `pavis; error=${name}` });
      return undefined;
    } finally {
      request.socket.off('close', onClose);
    }
  }

  server.on('request', async (request, response) => {
    const url = webUrl(request.url ?? '');
    if (url && findVisit(request, visits)?.isBlocked(request.method ?? '', url.href)) {
      deny(response, 403, { 'proxy-status': 'pavis; error=http_request_denied' });
      return;
    }
    const reached = await reach(
      request,
      url && destination(url),
      (status, headers) => deny(response, status, headers),
      request.method === 'GET' ? url?.href : undefined,
    );
    if (!reached || !url) return;
    const { visit, socket } = reached;
    const { host, port } = destination(url);
    const onBroken = (error: unknown) => visit.connectionLost(host, port, error);
    forward(request, response, url, { upstream: socket, count: visit.counter(), onBroken });
  });

  server.on('connect', async (request, client, head) => {
    const to = authority(request.url ?? '');
    const reached = await reach(request, to, (status, headers) => denyRaw(client, status, headers));
    if (!reached) return;
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    tunnel(client, reached.socket, head, reached.visit.counter());
  });

  // A WebSocket without TLS.
  server.on('upgrade', async (request, client, head) => {
    const url = webUrl(request.url ?? '');
    const reached = await reach(request, url && destination(url), (status, headers) =>
      denyRaw(client, status, headers),
    );
    if (!reached || !url) return;
    const first = Buffer.concat([Buffer.from(requestHead(request, url), 'latin1'), head]);
    tunnel(client, reached.socket, first, reached.visit.counter());
  });

  const clients = new Set<Socket>();
  server.on('connection', (socket) => {
    clients.add(socket);
    socket.on('close', () => clients.delete(socket));
    // A socket without an error listener would end the process.
    socket.on('error', () => {});
  });
  server.on('clientError', (_error, socket) => socket.destroy());

  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, '127.0.0.1', resolve);
  await listening;
  const { port } = server.address() as AddressInfo;

  return {
    server: `http://127.0.0.1:${port}`,
    open() {
      const visit = new EgressVisit(caps);
      visits.set(visit.username, visit);
      visit.signal.addEventListener('abort', () => visits.delete(visit.username));
      return visit;
    },
    async close() {
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      server.close(() => done());
      for (const visit of visits.values()) visit.close();
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}

function findVisit(
  request: IncomingMessage,
  visits: ReadonlyMap<string, EgressVisit>,
): EgressVisit | undefined {
  const [, encoded = ''] =
    /^Basic ([\w+/=-]+)$/i.exec(request.headers['proxy-authorization'] ?? '') ?? [];
  const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  const visit = visits.get(username);
  return visit && equalInConstantTime(visit.password, password) ? visit : undefined;
}

/** HTTPS requests use CONNECT. */
function webUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'http:' || url?.protocol === 'ws:' ? url : undefined;
}

const destination = (url: URL): Destination => ({ host: url.hostname, port: getPort(url) });

function authority(text: string): Destination | undefined {
  const [, host, port] = /^(\[[^\]]*\]|[^:[\]]+):(\d{1,5})$/.exec(text) ?? [];
  return host && port ? { host, port: Number(port) } : undefined;
}

function deny(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, { ...headers, 'content-length': '0' }).end();
}

function denyRaw(client: Duplex, status: number, headers: Record<string, string>): void {
  const lines = Object.entries({ ...headers, 'content-length': '0', connection: 'close' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  client.end(`HTTP/1.1 ${status} Denied\r\n${lines}\r\n`);
}
