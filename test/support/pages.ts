import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is at an address: markup, or whatever a listener answers. */
export type Page = string | RequestListener;

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

/**
 * Serves made-up sites from one port of this machine; `connectTo` leads every host's port 80 there.
 * @param pages by address without query, as `http://site.test/`; the rest answers 204
 */
export async function servePages(pages: Record<string, Page>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    asked.push(url.href);
    const page = pages[url.origin + url.pathname];
    if (typeof page === 'function') {
      page(request, response);
      return;
    }
    const type = TYPES[/\.(\w+)$/.exec(url.pathname)?.[1] ?? ''] ?? 'text/html; charset=utf-8';
    if (page === undefined) response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': type }).end(page);
  });
  const port = await listen(server);
  return {
    port,
    asked,
    connectTo: [{ host: '*', port: 80, toHost: '127.0.0.1', toPort: port }],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function listen(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}
