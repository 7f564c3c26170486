import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createSocketServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SELF_SIGNED } from '../../../../test/support/self-signed.ts';
import { startCanary, startWebServer } from '../../../../test/support/web-server.ts';
import { parseConnectTo } from './connect-to.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { type FetchOptions, getScannerUserAgent, guardedFetch } from './guarded-fetch.ts';

interface Options extends Partial<FetchOptions> {
  guard?: Partial<GuardOptions>;
  insecure?: boolean;
}

function get(url: string, { guard, ...options }: Options = {}) {
  return guardedFetch(url, {
    guard: createGuard({
      siteOrigin: new URL(url).origin,
      connectTo: [],
      lookup: async () => [],
      ...guard,
    }),
    userAgent: getScannerUserAgent('1.2.3'),
    signal: new AbortController().signal,
    maxBytes: 1_000_000,
    timeoutMs: 5_000,
    ...options,
  });
}

describe('guardedFetch', () => {
  it('sends its user agent and no cookies, returns status, headers, cookies and body', async () => {
    const { origin } = await startWebServer((request, response) => {
      response.writeHead(404, { 'set-cookie': ['a=1', 'b=2; Path=/'], 'x-page': 'yes' });
      response.end(`${request.method} ${request.url} ${request.headers['user-agent']}`);
    });
    const page = await get(`${origin}/page?x=1#part`);
    expect(page).toMatchObject({
      status: 404,
      url: `${origin}/page?x=1`,
      truncated: false,
      headers: { 'x-page': 'yes' },
    });
    expect(page.setCookies.map(({ header }) => header)).toEqual(['a=1', 'b=2; Path=/']);
    expect(page.body.toString()).toBe('GET /page?x=1 PavisScanner/1.2.3 (+privacy scan)');
  });

  it('follows redirects within the site, and keeps the cookies that they set', async () => {
    const { origin } = await startWebServer((request, response) => {
      if (request.url === '/end') return response.end('here');
      const next = request.url === '/start' ? '/middle' : '/end';
      response.writeHead(302, { location: next, 'set-cookie': `at=${request.url}` }).end();
    });
    const page = await get(`${origin}/start`);
    expect(page.url).toBe(`${origin}/end`);
    expect(page.setCookies.map(({ url }) => url)).toEqual([`${origin}/start`, `${origin}/middle`]);
  });

  it('returns cookies on redirects within a host only', async () => {
    const seen: (string | undefined)[] = [];
    const { origin, port } = await startWebServer((request, response) => {
      seen.push(request.headers.cookie);
      if (request.headers.host?.startsWith('other.')) return response.end('other');
      if (!request.headers.cookie) response.setHeader('set-cookie', ['a=1; Path=/', 'b=2']);
      const next = request.headers.cookie ? 'http://other.example/' : '/';
      response.writeHead(302, { location: next }).end();
    });
    const parsed = parseConnectTo(`other.example:80=127.0.0.1:${port}`);
    const connectTo = 'entries' in parsed ? parsed.entries : [];
    expect((await get(origin, { guard: { connectTo } })).body.toString()).toBe('other');
    expect(seen).toEqual([undefined, 'a=1; b=2', undefined]);
  });

  it('fails after too many redirects', async () => {
    const { origin } = await startWebServer((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    await expect(get(`${origin}/`)).rejects.toMatchObject({ reason: 'too_many_redirects' });
  });

  it('returns the target of an external redirect instead of following it', async () => {
    const { origin } = await startWebServer((_request, response) => {
      response.writeHead(301, { location: 'https://elsewhere.example/x#y' }).end();
    });
    const page = await get(origin, { stayOn: (url) => url.origin === origin });
    expect(page).toMatchObject({ status: 301, externalRedirect: 'https://elsewhere.example/x' });
  });

  it('does not follow redirects to private addresses in any notation', async () => {
    const canary = await startCanary();
    const { origin } = await startWebServer((request, response) => {
      response.writeHead(302, { location: decodeURIComponent(request.url?.slice(2) ?? '') }).end();
    });
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.1',
      '[::1]',
      '[::ffff:7f00:1]',
      'localhost',
      'inside.example',
    ]) {
      const to = encodeURIComponent(`http://${host}:${canary.port}/`);
      const lookup = async (name: string) =>
        name === 'inside.example' || name === 'localhost' ? ['127.0.0.1'] : [];
      await expect(get(`${origin}/?${to}`, { guard: { lookup } })).rejects.toMatchObject({
        reason: 'not_allowed',
      });
    }
    for (const url of ['file:///etc/passwd', 'gopher://127.0.0.1/', 'data:text/html,x']) {
      await expect(get(`${origin}/?${encodeURIComponent(url)}`)).rejects.toMatchObject({
        reason: 'not_web',
      });
    }
    expect(canary.connections()).toBe(0);
  });

  it('connects to the address in PAVIS_SCANNER_CONNECT_TO', async () => {
    const { port } = await startWebServer((request, response) =>
      response.end(request.headers.host),
    );
    const parsed = parseConnectTo(`shop.example:80=127.0.0.1:${port}`);
    const connectTo = 'entries' in parsed ? parsed.entries : [];
    const page = await get('http://shop.example/', { guard: { connectTo } });
    expect(page.body.toString()).toBe('shop.example');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('decodes %s', async (encoding, compress) => {
    const { origin } = await startWebServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('grüezi'));
    });
    expect(await get(origin)).toMatchObject({ body: Buffer.from('grüezi'), truncated: false });
  });

  it('stops decompressing at the size limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    const { origin } = await startWebServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const before = process.memoryUsage().arrayBuffers;
    const page = await get(origin, { maxBytes: 10_000 });
    expect(page.truncated).toBe(true);
    expect(page.body.length).toBe(10_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });

  it('stops reading at the size limit', async () => {
    const { origin } = await startWebServer((_request, response) => {
      const more = setInterval(() => response.write(Buffer.alloc(64_000)), 1);
      response.on('close', () => clearInterval(more));
    });
    const page = await get(origin, { maxBytes: 500_000 });
    expect(page).toMatchObject({ truncated: true });
    expect(page.body.length).toBe(500_000);
  });

  it('returns the partial body of a stalled or aborted response', async () => {
    const { origin } = await startWebServer((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      if (request.url === '/breaks') setTimeout(() => response.destroy(), 20);
    });
    for (const path of ['/stalls', '/breaks']) {
      const page = await get(origin + path, { timeoutMs: 300 });
      expect(page).toMatchObject({ body: Buffer.from('half'), truncated: true });
    }
  });

  it('explains why a site did not respond', async () => {
    const { origin } = await startWebServer(() => {});
    await expect(get(origin, { timeoutMs: 100 })).rejects.toThrow(/did not respond in time/);
    await expect(get(origin, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      reason: 'timeout',
    });
    await expect(get('http://127.0.0.1:1/')).rejects.toThrow('127.0.0.1:1 refused the connection.');
    await expect(get('http://nobody.example/')).rejects.toThrow(
      'The host nobody.example does not exist.',
    );
  });

  it('reports a server that does not use HTTP', async () => {
    const server = createSocketServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'protocol' });
  });

  it.each([
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ['closed', (socket: Socket) => socket.end()],
  ] as const)('tells that a connection was %s', async (reason, end) => {
    const { origin } = await startWebServer((request) => end(request.socket));
    await expect(get(origin)).rejects.toMatchObject({ reason });
  });

  it('accepts invalid certificates only with insecure', async () => {
    const server = createTlsServer(SELF_SIGNED, (_request, response) =>
      response.end('private'),
    ).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(get(url)).rejects.toThrow(/certificate .* PAVIS_SCANNER_INSECURE/);
    expect((await get(url, { insecure: true })).body.toString()).toBe('private');
  });
});
