import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { SELF_SIGNED } from './self-signed.ts';

/** The response of a URL: markup, or a request listener. */
export type Page = string | RequestListener;

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

/**
 * Serves fictional sites from this machine. `connectTo` maps ports 80 and 443 of every host to it. The certificate
 * is self-signed.
 * @param pages by URL without query, for example `http://site.test/`; other URLs return 204
 */
export async function servePages(pages: Record<string, Page>) {
  const asked: string[] = [];
  const answer: RequestListener = (request, response) => {
    const scheme = request.socket instanceof TLSSocket ? 'https' : 'http';
    const url = new URL(request.url ?? '/', `${scheme}://${request.headers.host}`);
    asked.push(url.href);
    const page = pages[url.origin + url.pathname];
    if (typeof page === 'function') {
      page(request, response);
      return;
    }
    const type = TYPES[/\.(\w+)$/.exec(url.pathname)?.[1] ?? ''] ?? 'text/html; charset=utf-8';
    if (page === undefined) response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': type }).end(page);
  };
  const servers = [createServer(answer), createTlsServer(SELF_SIGNED, answer)] as const;
  const [http, https] = await Promise.all(servers.map(listen));
  const to = (port: number, toPort = 0) => ({ host: '*', port, toHost: '127.0.0.1', toPort });
  return {
    asked,
    connectTo: [to(80, http), to(443, https)],
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

export async function listen(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}
