import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { basicAuth } from '../support/makers.ts';
import { sendRaw } from '../support/raw.ts';
import { SCOPES } from '../support/scopes.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = '/wp-json/svc/v1';
const LONG_SEGMENT = 'x'.repeat(300);

describe('GET /metrics without a token', () => {
  const app = useTestApp('sqlite');
  const ask = (headers: string[]) =>
    sendRaw(
      app.url,
      `GET /metrics HTTP/1.1\r\nConnection: close\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`,
    );

  it.each([
    'localhost',
    'localhost:8787',
    '127.0.0.1',
    '127.0.0.1:9090',
    '[::1]:8787',
    'pavis.localhost',
  ])('responds to a program on this machine that requests %s', async (host) => {
    const { status, text } = await ask([`Host: ${host}`]);
    expect(status).toBe(200);
    expect(text).toContain('pavis_http_connections ');
  });

  it.each([
    ['rebound.example.com'],
    ['rebound.example.com:8787'],
    ['localhost.example.com'],
    ['127.0.0.1.example.com'],
    ['evil@localhost'],
    ['0.0.0.0'],
    [''],
  ])('returns 404 to a page whose host name resolves to this machine: "%s"', async (host) => {
    const { status, json } = await ask([`Host: ${host}`]);
    expect([status, json.error]).toEqual([404, 'not_found']);
  });

  it.each([
    'X-Forwarded-For: 203.0.113.1',
    'X-Forwarded-Host: example.com',
    'X-Forwarded-Proto: https',
    'X-Forwarded: for=203.0.113.1',
    'Forwarded: for=203.0.113.1',
    'Forwarded: for=127.0.0.1',
    'X-Real-IP: 127.0.0.1',
    'X-Client-IP: 203.0.113.1',
    'X-Cluster-Client-IP: 203.0.113.1',
    'CF-Connecting-IP: 203.0.113.1',
    'CF-Ray: 1',
    'True-Client-IP: 203.0.113.1',
    'Fastly-Client-IP: 203.0.113.1',
    'Fly-Client-IP: 203.0.113.1',
    'X-Original-Forwarded-For: 203.0.113.1',
    'X-Envoy-External-Address: 203.0.113.1',
    'X-Azure-ClientIP: 203.0.113.1',
    'X-Amzn-Trace-Id: Root=1',
    'Via: 1.1 proxy',
  ])('returns 404 to a proxy: %s', async (header) => {
    expect((await ask(['Host: localhost', header])).status).toBe(404);
  });
});

describe('GET /metrics with a token', () => {
  const token = 'a-token-of-the-metrics';
  const app = useTestApp('sqlite', { PAVIS_METRICS_TOKEN: token });

  it('responds to every client with the token, and to no other', async () => {
    const ask = (authorization: string) =>
      sendRaw(
        app.url,
        `GET /metrics HTTP/1.1\r\nHost: pavis.example.com\r\nVia: 1.1 proxy\r\nConnection: close\r\n${authorization}\r\n`,
      );
    expect((await ask(`Authorization: Bearer ${token}\r\n`)).status).toBe(200);
    expect((await ask(`Authorization: Bearer ${token}x\r\n`)).status).toBe(404);
    expect((await ask('')).status).toBe(404);
  });
});

describe('a client that disconnects while it sends a body', () => {
  const app = useTestApp('sqlite');
  const KEY = `pv_live_${'a'.repeat(32)}`;

  it.each([
    ['/wp-json/svc/v1/consent', 'application/json'],
    ['/wp-json/svc/v1/dsar/intake', 'application/json'],
    ['/licence/validate', 'application/json'],
    ['/licence/activate', 'application/json'],
    ['/webhooks/stripe', 'application/json'],
    ['/console/session', 'application/json'],
    ['/privacy/request', 'application/x-www-form-urlencoded'],
  ])('is not logged as an error: %s', async (path, type) => {
    for (const hasReset of [false, true]) {
      const { hostname, port } = new URL(app.url);
      const socket = connect(Number(port), hostname).on('error', () => {});
      const request = `POST ${path} HTTP/1.1\r\nHost: pavis\r\nContent-Type: ${type}\r\nX-Licence-Key: ${KEY}\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n`;
      socket.write(request);
      await new Promise((resolve) => socket.once('data', resolve));
      socket.write('{"a":');
      // The server has read everything that was sent.
      await app.http.get('/health');
      if (hasReset) socket.resetAndDestroy();
      else socket.destroy();
      await new Promise((resolve) => socket.once('close', resolve));
      await app.http.get('/health');
    }
    const lines = app
      .logged()
      .split('\n')
      .filter((line) => line !== '');
    const levels = new Set(lines.map((line) => JSON.parse(line).level));
    expect([...levels]).not.toContain('error');
    const { text } = await app.http.get('/metrics');
    expect(text).not.toMatch(/status="5\d\d"/);
  });
});

describe.each(SCOPES)(
  'a request that is rejected before any route of $name',
  ({ prefix, refusal }) => {
    const app = useTestApp('sqlite', {}, (server) => {
      server.get(`${prefix}/items/:name`, async () => ({}));
    });

    it.each([
      ['a path that cannot be decoded', 400, `${prefix}/%zz`, ''],
      ['headers that are too large', 431, `${prefix}/items/a`, `X: ${'x'.repeat(17_000)}\r\n`],
      ['a header that the parser refuses', 400, `${prefix}/items/a`, 'X Y: z\r\n'],
      ['two hosts', 400, `${prefix}/items/a`, 'Host: other\r\n'],
    ])('gets the error of the API with nosniff: %s', async (_what, status, path, more) => {
      const answer = await sendRaw(
        app.url,
        `GET ${path} HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\n${more}\r\n`,
      );
      expect([answer.status, answer.json]).toStrictEqual([status, refusal(status)]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toBe('no-store, private');
    });
  },
);

describe('a request that is rejected before its path is known', () => {
  const app = useTestApp('sqlite', {}, (server) => {
    server.get('/items/:name', async () => ({}));
  });

  it.each([
    [
      'a parameter that is too long',
      414,
      [`GET /items/${LONG_SEGMENT} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
    ],
    ['headers without an end', 431, [`GET ${ROOT} HTTP/1.1\r\nX: `, 'x'.repeat(70_000)]],
    ['no HTTP', 400, ['hello\r\n\r\n']],
  ])('gets the general error with nosniff: %s', async (_what, status, packets) => {
    const answer = await sendRaw(app.url, packets);
    expect([answer.status, answer.json]).toStrictEqual([status, SCOPES[0]?.refusal(status)]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('pagination links', () => {
  const app = useTestApp('sqlite');

  it('are left out if the query is too long for common clients', async () => {
    const headers = await basicAuth(app.platform);
    const get = (query: string) => app.http.get(`${ROOT}/vendors?per_page=1${query}`, { headers });
    const short = await get(`&_locale=user`);
    expect(short.headers.get('link')).toContain('_locale=user&page=2>; rel="next"');
    const long = await get(`&page=2&junk=${'%22'.repeat(4_000)}`);
    expect(long.status).toBe(200);
    expect(long.headers.get('link')).toMatch(/^<[^>]+>; rel="https:\/\/api\.w\.org\/"$/);
    expect(Number(long.headers.get('x-wp-totalpages'))).toBeGreaterThan(1);
  });
});

describe('Strict-Transport-Security', () => {
  const off = useTestApp('sqlite');
  const on = useTestApp('sqlite', {
    PAVIS_BASE_URL: 'https://api.example.com',
    PAVIS_REST_ROOT: 'https://example.com/wp-json',
    PAVIS_HSTS_MAX_AGE: '31536000',
  });
  const paths = ['/', '/health', `${ROOT}/consent/status`, '/nothing', '/privacy/', '/docs/', ROOT];

  it.each(paths)('is on every response if it is set, and on none otherwise: %s', async (path) => {
    for (const asked of [{}, { 'if-none-match': '*' }]) {
      const { headers } = await on.http.get(path, { headers: asked });
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    }
    const { headers } = await off.http.get(path);
    expect(headers.has('strict-transport-security')).toBe(false);
  });
});

describe('304', () => {
  const app = useTestApp('sqlite');

  it.each([
    '/banner.js',
    '/docs/',
    `${ROOT}/consent/status`,
    `${ROOT}/consent/status?_locale=user`,
  ])('says no length, which would be that of the 200 (RFC 9110 §8.6): %s', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'if-none-match': '*' };
      const { status, text, headers: sent } = await app.http.request(method, path, { headers });
      expect([method, status, text]).toEqual([method, 304, '']);
      expect(sent.get('content-length')).toBeNull();
    }
    const head = await app.http.request('HEAD', path);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
  });
});

describe('the Content-Security-Policy of a page', () => {
  const app = useTestApp('sqlite');

  it.each([
    '/',
    '/privacy/',
    '/privacy/nothing',
    '/account/',
    '/account/nothing',
    '/docs/',
    '/admin/',
  ])('restricts base, forms and framing: %s', async (path) => {
    const { headers } = await app.http.get(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    for (const directive of [
      /default-src 'none'/,
      /base-uri 'none'/,
      /form-action '(?:self|none)'/,
      /frame-ancestors 'none'/,
    ]) {
      expect(policy).toMatch(directive);
    }
  });
});

/** As `curl -X POST -H 'Content-Type: …'` sends it: without `Content-Length`. */
describe('a request with a content type and no body', () => {
  const app = useTestApp('sqlite');
  const send = async (method: string, path: string, type: string, lines: string[] = []) => {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines];
    return sendRaw(app.url, `${[...head, `Content-Type: ${type}`].join('\r\n')}\r\n\r\n`);
  };

  it.each([
    ['POST', '/checkout/session', 'application/json', 200],
    ['POST', '/auth/magic-link', 'application/json', 400],
    ['POST', `${ROOT}/consent`, 'application/json', 400],
    ['POST', `${ROOT}/dsar/intake`, 'application/json', 400],
    ['POST', `${ROOT}/dsar/intake`, 'application/x-www-form-urlencoded', 400],
    ['POST', '/privacy/request', 'application/x-www-form-urlencoded', 422],
  ])('is answered: %s %s with %s', async (method, path, type, status) => {
    expect((await send(method, path, type)).status).toBe(status);
  });

  it('does its work if the route needs no body', async () => {
    const staff = await basicAuth(app.platform);
    const headers = [`Authorization: ${staff.authorization}`];
    const created = await app.http.post(`${ROOT}/vendors`, {
      headers: staff,
      body: { slug: 'no-body', name: 'No body', category: 'marketing' },
    });
    const path = `${ROOT}/vendors/${created.json.id}`;
    const { status, json } = await send('DELETE', path, 'application/json', headers);
    expect([status, json.deleted]).toEqual([200, true]);
  });
});
