import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCanary, startWebServer } from '../../../../test/support/web-server.ts';
import { EGRESS_CAPS, type EgressProxy, startEgressProxy } from './egress-proxy.ts';
import type { EgressCaps, EgressVisit } from './egress-visit.ts';
import { createGuard, type Lookup } from './guard.ts';

async function startProxy(
  siteOrigin: string,
  { lookup = async () => [], ...caps }: Partial<EgressCaps> & { lookup?: Lookup } = {},
): Promise<EgressProxy> {
  const proxy = await startEgressProxy(createGuard({ siteOrigin, connectTo: [], lookup }), {
    ...EGRESS_CAPS,
    ...caps,
  });
  onTestFinished(() => proxy.close());
  return proxy;
}

type Credentials = Pick<EgressVisit, 'username' | 'password'>;

const credentials = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A request as browsers send it to a proxy: with the whole address. */
function through(
  proxy: EgressProxy,
  url: string,
  { visit, body }: { visit?: Credentials; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.server);
    const request = httpRequest({
      hostname,
      port,
      path: url,
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      headers: {
        host: 'ignored.example',
        ...(visit && { 'proxy-authorization': credentials(visit) }),
      },
    });
    request.on('error', reject).on('response', (response) => {
      readText(response).then(
        (text) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        reject,
      );
    });
    request.end(body);
  });
}

/** A tunnel, and the status that asking for it gave. */
function tunnel(
  proxy: EgressProxy,
  to: string,
  visit?: Credentials,
): Promise<{ status: number; socket: Socket }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.server);
    const headers = visit ? { 'proxy-authorization': credentials(visit) } : {};
    httpRequest({ hostname, port, method: 'CONNECT', path: to, agent: false, headers })
      .on('connect', ({ statusCode = 0 }, socket) => {
        socket.on('error', () => {});
        resolve({ status: statusCode, socket: socket as Socket });
      })
      .on('error', reject)
      .end();
  });
}

const said = (socket: Socket): Promise<string> => readText(socket).catch(() => '');

describe('Egress proxy', () => {
  it('forwards requests without proxy headers', async () => {
    const { origin } = await startWebServer(async (request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.end(JSON.stringify({ headers: request.headers, body: await readText(request) }));
    });
    const proxy = await startProxy(origin);
    const answer = await through(proxy, `${origin}/x`, { visit: proxy.open(), body: 'hello' });
    const seen = JSON.parse(answer.body);
    expect(answer).toMatchObject({ status: 200, headers: { 'set-cookie': ['a=1', 'b=2'] } });
    expect(seen).toMatchObject({ body: 'hello', headers: { host: new URL(origin).host } });
    expect(seen.headers).not.toHaveProperty('proxy-authorization');
  });

  it('blocks requests that the visit does not allow', async () => {
    const asked: string[] = [];
    const { origin } = await startWebServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('done');
    });
    const proxy = await startProxy(origin);
    const visit = proxy.open();
    visit.isBlocked = (method, url) => method !== 'GET' && url.endsWith('/order');
    const refused = await through(proxy, `${origin}/order`, { visit, body: 'item=1' });
    expect(refused.status).toBe(403);
    expect(refused.headers['proxy-status']).toBe('pavis; error=http_request_denied');
    expect((await through(proxy, `${origin}/order`, { visit })).status).toBe(200);
    expect((await through(proxy, `${origin}/x`, { visit, body: 'x' })).status).toBe(200);
    expect(asked).toEqual(['GET /order', 'POST /x']);
  });

  it('requires the credentials of an open visit', async () => {
    const { origin, port } = await startWebServer((_request, response) => response.end('page'));
    const proxy = await startProxy(origin);
    const ended = proxy.open();
    ended.close();
    const open = proxy.open();
    const guessed = { username: open.username, password: 'guess' };
    const mixed = { username: open.username, password: proxy.open().password };
    for (const visit of [undefined, ended, guessed, mixed]) {
      const answer = await through(proxy, origin, visit && { visit });
      expect(answer.status).toBe(407);
      expect((await tunnel(proxy, `127.0.0.1:${port}`, visit)).status).toBe(407);
    }
    expect((await through(proxy, origin, { visit: open })).status).toBe(200);
  });

  it('never connects to private addresses: by address, notation, name, redirect or tunnel', async () => {
    const canary = await startCanary();
    const { origin } = await startWebServer((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end();
    });
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const proxy = await startProxy(origin, {
      lookup: async (name) => {
        if (name === 'rebind.example') return answers.shift() ?? ['127.0.0.1'];
        return name.startsWith('inside') || name === 'localhost' ? ['127.0.0.1'] : [];
      },
    });
    const visit = proxy.open();
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '0.0.0.0',
      'localhost',
      'inside.example',
    ];
    for (const host of hosts) {
      const plain = await through(proxy, `http://${host}:${canary.port}/`, { visit });
      expect([host, plain.status]).toEqual([host, 403]);
      expect(plain.headers['proxy-status']).toBe('pavis; error=destination_ip_prohibited');
      const tunnelled = await tunnel(proxy, `${host}:${canary.port}`, visit);
      expect([host, tunnelled.status]).toEqual([host, 403]);
      expect(visit.findFailure(`https://${host}:${canary.port}/x`)).toBe('blocked');
    }
    // The proxy hands redirects back; the browser asks again.
    expect((await through(proxy, origin, { visit })).status).toBe(302);
    expect(canary.connections()).toBe(0);
  });

  it('connects to the checked address, not to a new DNS answer', async () => {
    const { port } = await startWebServer((_request, response) => response.end('page'));
    const canary = await startCanary();
    const answers = [['127.0.0.1'], ['::1'], ['10.255.255.1']];
    const site = `http://site.example:${port}`;
    const proxy = await startProxy(site, { lookup: async () => answers.shift() ?? [] });
    const visit = proxy.open();
    for (let each = 0; each < 3; each++) {
      expect((await through(proxy, site, { visit })).body).toBe('page');
    }
    expect(answers.length).toBe(2);
    // The exemption is of the site's host and port together.
    expect((await tunnel(proxy, `site.example:${canary.port}`, visit)).status).toBe(403);
    expect(canary.connections()).toBe(0);
  });

  it('reports and records failures', async () => {
    const proxy = await startProxy('http://127.0.0.1:1');
    const visit = proxy.open();
    const unknown = await through(proxy, 'http://nobody.example/', { visit });
    expect(unknown).toMatchObject({
      status: 502,
      headers: { 'proxy-status': 'pavis; error=dns_error' },
    });
    expect((await tunnel(proxy, '127.0.0.1:1', visit)).status).toBe(502);
    expect([...visit.failures]).toEqual([
      ['nobody.example:80', 'dns'],
      ['127.0.0.1:1', 'refused'],
    ]);
    expect(visit.findFailure('http://nobody.example/any?thing')).toBe('dns');
    expect(visit.findFailure('http://other.example/')).toBeUndefined();
  });

  it('drops failures of hosts reached later and of aborted requests', async () => {
    const answers: string[][] = [[], ['127.0.0.1']];
    const { port } = await startWebServer((_request, response) => response.end('page'));
    const site = `http://site.example:${port}`;
    const guards = [0, 1].map(() =>
      createGuard({ siteOrigin: site, connectTo: [], lookup: async () => answers.shift() ?? [] }),
    );
    const proxy = await startEgressProxy({
      target: async (...asked) => {
        const guard = guards.shift();
        // As a name server that does not answer.
        return guard ? guard.target(...asked) : new Promise(() => {});
      },
    });
    onTestFinished(() => proxy.close());
    const visit = proxy.open();
    expect((await through(proxy, site, { visit })).status).toBe(502);
    expect(visit.findFailure(site)).toBe('dns');
    expect((await through(proxy, site, { visit })).status).toBe(200);
    expect(visit.failures.size).toBe(0);

    const gaveUp = connectSocket(Number(new URL(proxy.server).port), '127.0.0.1');
    gaveUp.end(
      `CONNECT slow.example:443 HTTP/1.1\r\nProxy-Authorization: ${credentials(visit)}\r\n\r\n`,
    );
    setTimeout(() => gaveUp.destroy(), 50);
    await said(gaveUp);
    expect(visit.failures.size).toBe(0);
  });

  it('lets pages read from this server what it offers to visitors, and nothing else', async () => {
    const asked: (string | undefined)[] = [];
    const { origin, port } = await startWebServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      response.end('banner');
    });
    const proxy = await startEgressProxy(
      createGuard({
        siteOrigin: 'http://site.example',
        connectTo: [],
        isOwnService: (url) => url === `${origin}/banner.js`,
      }),
    );
    onTestFinished(() => proxy.close());
    const visit = proxy.open();
    expect(await through(proxy, `${origin}/banner.js`, { visit })).toMatchObject({
      status: 200,
      body: 'banner',
    });
    for (const [url, body] of [
      [`${origin}/wp-json/svc/v1/users`],
      [`${origin}/banner.js`, 'a body'],
    ] as const) {
      expect(await through(proxy, url, { visit, ...(body && { body }) })).toMatchObject({
        status: 403,
        headers: { 'proxy-status': 'pavis; error=destination_ip_prohibited' },
      });
    }
    expect((await tunnel(proxy, `127.0.0.1:${port}`, visit)).status).toBe(403);
    expect(asked).toEqual(['GET /banner.js']);
  });

  it('returns errors for malformed requests', async () => {
    const proxy = await startProxy('http://127.0.0.1:1');
    const visit = proxy.open();
    for (const url of ['/', 'ftp://host.example/', 'https://host.example/']) {
      expect((await through(proxy, url, { visit })).status).toBe(400);
    }
    for (const to of ['host.example', 'host.example:99999999', 'a:b:1']) {
      expect((await tunnel(proxy, to, visit)).status).toBe(400);
    }
    expect((await tunnel(proxy, 'host.example:0', visit)).status).toBe(403);
  });

  it('forwards WebSockets with and without a tunnel', async () => {
    const { origin, port, server } = await startWebServer(() => {});
    server.on('upgrade', (request, socket, head) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n',
      );
      socket.write(`${request.method} ${request.url} ${request.headers['proxy-authorization']};`);
      socket.write(head);
      socket.pipe(socket);
    });
    const proxy = await startProxy(origin);
    const visit = proxy.open();

    const { socket } = await tunnel(proxy, `127.0.0.1:${port}`, visit);
    socket.end('GET /t HTTP/1.1\r\nHost: x\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nping');
    expect(await said(socket)).toMatch(/^HTTP\/1\.1 101 [\s\S]*GET \/t undefined;ping$/);

    const plain = connectSocket(Number(new URL(proxy.server).port), '127.0.0.1');
    plain.write(`GET ${origin}/p HTTP/1.1\r\nHost: x\r\nUpgrade: echo\r\nConnection: Upgrade\r\n`);
    plain.end(`Proxy-Authorization: ${credentials(visit)}\r\n\r\nping`);
    expect(await said(plain)).toMatch(/^HTTP\/1\.1 101 [\s\S]*GET \/p undefined;ping$/);
  });

  it('closes connections over the byte limits', async () => {
    const { origin, port } = await startWebServer((request, response) => {
      const size = Number(request.url?.slice(1));
      response.end(Buffer.alloc(size));
    });
    const proxy = await startProxy(origin, { connectionBytes: 100_000, visitBytes: 200_000 });
    const visit = proxy.open();
    await expect(through(proxy, `${origin}/150000`, { visit })).rejects.toThrow();
    expect(visit.exceeded).toBe(true);

    const another = proxy.open();
    const sizes = [];
    for (let each = 0; each < 3; each++) {
      const { socket } = await tunnel(proxy, `127.0.0.1:${port}`, another);
      socket.end('GET /90000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      sizes.push((await said(socket)).length);
    }
    expect(sizes.slice(0, 2).every((size) => size > 90_000)).toBe(true);
    expect(sizes[2]).toBeLessThan(90_000);
    expect(another.exceeded).toBe(true);
    expect((await through(proxy, `${origin}/10`, { visit: proxy.open() })).body.length).toBe(10);
  });

  it('closes idle connections and those of a closed visit', async () => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await new Promise((resolve) => silent.once('listening', resolve));
    const port = (silent.address() as AddressInfo).port;

    const impatient = await startProxy(`http://127.0.0.1:${port}`, { idleMs: 100 });
    const idle = await tunnel(impatient, `127.0.0.1:${port}`, impatient.open());
    expect(await said(idle.socket)).toBe('');

    const proxy = await startProxy(`http://127.0.0.1:${port}`);
    const visit = proxy.open();
    const open = await tunnel(proxy, `127.0.0.1:${port}`, visit);
    visit.close();
    expect(await said(open.socket)).toBe('');
  });

  it('survives socket errors and closes all sockets at the end', async () => {
    const { origin, port } = await startWebServer((request, response) => {
      if (request.url === '/reset') request.socket.resetAndDestroy();
      else response.writeHead(200, { 'content-length': '9' }).write('half');
    });
    const proxy = await startProxy(origin);
    const visit = proxy.open();
    expect((await through(proxy, `${origin}/reset`, { visit })).status).toBe(502);
    for (let each = 0; each < 20; each++) {
      const { socket } = await tunnel(proxy, `127.0.0.1:${port}`, visit);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      socket.resetAndDestroy();
    }
    const raw = connectSocket(Number(new URL(proxy.server).port), '127.0.0.1');
    raw.end('\x16\x03\x01 not http\r\n\r\n');
    await said(raw);

    const { socket } = await tunnel(proxy, `127.0.0.1:${port}`, visit);
    const rest = said(socket);
    await proxy.close();
    expect(await rest).toBe('');
    await expect(through(proxy, origin, { visit })).rejects.toThrow('ECONNREFUSED');
  });
});
