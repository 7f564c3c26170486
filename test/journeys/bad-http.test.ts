import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Routes } from '../../src/platform/http/error-format.ts';
import { sendRaw } from '../support/raw.ts';
import { SCOPES } from '../support/scopes.ts';
import { useTestApp } from '../support/test-app.ts';

/** Without OPTIONS for the plugin API, which returns `[]` for unknown paths. */
const METHODS = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  ...['TRACE', 'PROPFIND', 'QUERY', 'SEARCH', 'M-SEARCH', 'PURGE'],
];

/** Invalid headers and bodies. */
const BODIES: [what: string, rest: string][] = [
  ['without a body', 'Content-Length: 0\r\n\r\n'],
  ['with broken JSON', 'Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{'],
  ['with plain text', 'Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx'],
  [
    'with a gzipped body',
    'Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx',
  ],
  ['with 100 MB', 'Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\nx'],
];

describe.each(SCOPES)('an HTTP request that $name cannot serve', ({ prefix, noRoute, refusal }) => {
  const app = useTestApp('sqlite', {}, (server) => {
    server.post(`${prefix}/echo`, async () => ({}));
    server.post(`${prefix}/items/:id/echo`, async () => ({}));
  });
  const ask = (method: string, target: string, rest = 'Content-Length: 0\r\n\r\n') =>
    sendRaw(app.url, `${method} ${target} HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\n${rest}`);
  const wrongMethod =
    prefix === ''
      ? { status: 405, code: 'method_not_allowed', allow: 'POST' }
      : { status: 404, code: noRoute, allow: null };

  const methods = METHODS.filter((method) => prefix === '' || method !== 'OPTIONS');

  it.each(methods)('returns 404 for an unknown path: %s', async (method) => {
    for (const path of [`${prefix}/nope`, `${prefix}/nope?a=b`, `${prefix}/${'x'.repeat(9_000)}`]) {
      const { status, json, text, headers } = await ask(method, path);
      expect(status).toBe(404);
      if (method === 'HEAD') expect(text).toBe('');
      else expect(json).toStrictEqual(refusal(404, noRoute));
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  it.each(methods.filter((method) => method !== 'POST'))(
    `is a ${wrongMethod.status} when its path takes another method: %s`,
    async (method) => {
      for (const path of ['/echo', '/echo?a=b', '/items/5/echo']) {
        const { status, json, text, headers } = await ask(method, prefix + path);
        expect(status).toBe(wrongMethod.status);
        if (method === 'HEAD') expect(text).toBe('');
        else expect(json).toStrictEqual(refusal(status, wrongMethod.code));
        expect(headers.get('allow')).toBe(wrongMethod.allow);
      }
    },
  );

  it.each(BODIES)('is rejected before its body is read: %s', async (_what, rest) => {
    const unknown = await ask('POST', `${prefix}/nope`, rest);
    expect(unknown.status).toBe(404);
    expect(unknown.json).toStrictEqual(refusal(404, noRoute));
    const wrong = await ask('PUT', `${prefix}/echo`, rest);
    expect(wrong.status).toBe(wrongMethod.status);
    expect(wrong.json).toStrictEqual(refusal(wrong.status, wrongMethod.code));
  });

  it.each([
    ['in absolute form', (path: string) => `http://pavis${path}`],
    [
      'with escaped letters',
      (path: string) => path.replace(/[a-z](?=[^/]*$)/, '%65').replace('/wp-', '/%77p-'),
    ],
  ])('is the same request when its path is written %s', async (_what, spell) => {
    expect((await ask('POST', spell(`${prefix}/echo`))).status).toBe(200);
    const unknown = await ask('GET', spell(`${prefix}/elsewhere`));
    expect([unknown.status, unknown.json]).toStrictEqual([404, refusal(404, noRoute)]);
    const wrong = await ask('PUT', spell(`${prefix}/echo`));
    expect([wrong.status, wrong.json]).toStrictEqual([
      wrongMethod.status,
      refusal(wrongMethod.status, wrongMethod.code),
    ]);
  });
});

describe('paths outside both APIs', () => {
  const app = useTestApp('sqlite', { PAVIS_METRICS_TOKEN: 'a-token-for-the-metrics' });

  it.each(['/docs/nope', '/docs/js/nope.js', '/metrics', '/favicon.ico', '/..%2f..%2fetc/passwd'])(
    'return the 404 of the Licence API: %s',
    async (path) => {
      const { status, json } = await app.http.get(path);
      expect(status).toBe(404);
      expect(json).toStrictEqual(SCOPES[0]?.refusal(404, 'not_found'));
    },
  );
});

describe('a slow client', () => {
  let server: Routes;
  const app = useTestApp('sqlite', {}, (routes) => {
    server = routes;
  });

  it('is disconnected: headers, request and idle connections have time limits', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = server.server;
    expect(headersTimeout).toBeGreaterThan(0);
    expect(headersTimeout).toBeLessThan(requestTimeout);
    expect(requestTimeout).toBeLessThanOrEqual(60_000);
    expect(keepAliveTimeout).toBeGreaterThan(0);
    expect(keepAliveTimeout).toBeLessThanOrEqual(120_000);
  });

  it('gets 408 when the time is over', async () => {
    const timeUp = Object.assign(new Error('time is up'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.server.once('connection', (socket: Socket) =>
      socket.once('resume', () => server.server.emit('clientError', timeUp, socket)),
    );
    const { status, json } = await sendRaw(app.url, 'GET /health HT');
    expect(status).toBe(408);
    expect(json).toStrictEqual(SCOPES[0]?.refusal(408, 'request_timeout'));
  });

  it('does not delay other clients', async () => {
    const { hostname, port } = new URL(app.url);
    const slow = Array.from({ length: 50 }, () => connect(Number(port), hostname));
    for (const socket of slow) socket.write('POST /licence/validate HTTP/1.1\r\nHost: pavis\r\nX-');
    expect((await app.http.get('/health')).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });
});
