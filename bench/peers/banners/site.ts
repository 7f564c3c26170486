import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html; charset=utf-8',
};
const PARAGRAPH = '<p>Bread takes its time, and so do we: every loaf rests for a night.</p>';

/** The page of all measurements, which has no accessibility violations of its own. */
export const toPage = (head = '', body = ''): string => `<!doctype html><html lang="en"><head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
  <title>A site</title><link rel="icon" href="data:,">${head}</head>
  <body><main><h1>A site</h1>${PARAGRAPH.repeat(12)}</main>${body}</body></html>`;

export interface Site extends AsyncDisposable {
  url: string;
}

/** Serves files by path, compressed, on a free port of this machine. */
export async function serve(files: ReadonlyMap<string, string>): Promise<Site> {
  const sent = new Map<string, Buffer>();
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    const text = files.get(path);
    if (text === undefined) return void response.writeHead(404).end();
    const body = sent.get(path) ?? gzipSync(text, { level: 9 });
    sent.set(path, body);
    const type = TYPES[/\.(\w+)$/.exec(path)?.[1] ?? 'html'];
    response.writeHead(200, {
      'content-type': type,
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
    });
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
