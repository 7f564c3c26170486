import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sendRaw } from '../support/raw.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = '/wp-json/svc/v1';
const ORIGIN = 'https://shop.example.com';
const TOO_LONG = JSON.stringify({ additional_info: 'x'.repeat(300 * 1024) });

/** Requests that are rejected before any route. */
const REFUSALS: [what: string, status: number, code: string, ask: [string, string, object]][] = [
  ['an unknown path', 404, 'rest_no_route', ['GET', `${ROOT}/nothing`, {}]],
  ['an unknown path with a body', 404, 'rest_no_route', ['POST', `${ROOT}/nothing`, { body: {} }]],
  ['a path outside of the namespace', 404, 'rest_no_route', ['GET', '/wp-json/wp/v2/posts', {}]],
  ['a wrong method', 404, 'rest_no_route', ['DELETE', `${ROOT}/consent/status`, {}]],
  [
    'a body that is too large',
    413,
    'rest_body_too_large',
    ['POST', `${ROOT}/dsar/intake`, { body: TOO_LONG }],
  ],
  [
    'a compressed body',
    415,
    'rest_unsupported_media_type',
    ['POST', `${ROOT}/dsar/intake`, { body: 'x', headers: { 'content-encoding': 'gzip' } }],
  ],
];

describe('requests that the plugin API rejects before any route', () => {
  const app = useTestApp('sqlite', { PAVIS_ALLOWED_ORIGINS: ORIGIN });

  it.each(REFUSALS)('have the headers of every response: %s', async (_what, status, code, ask) => {
    const [method, path, options] = ask;
    const from = (headers: Record<string, string>) =>
      app.http.request(method, path, {
        ...options,
        headers: { ...(options as { headers?: object }).headers, ...headers },
      });
    const refused = await from({ origin: ORIGIN });
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      link: `<${app.url}/wp-json/>; rel="https://api.w.org/"`,
      'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
      'access-control-allow-headers': expect.stringContaining('X-WP-Nonce'),
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      'cache-control': expect.stringContaining('no-store'),
      vary: 'Origin',
    });
    expect(refused.headers.get('allow')).toBe(status === 404 ? null : 'POST');
    const stranger = await from({ origin: 'https://evil.example.com' });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    expect(stranger.headers.get('vary')).toBe('Origin');
  });

  it.each(REFUSALS)('are wrapped with _envelope: %s', async (_what, status, code, ask) => {
    const [method, path, options] = ask;
    const wrapped = await app.http.request(method, `${path}?_envelope`, options);
    expect(wrapped.status).toBe(200);
    expect(wrapped.json).toEqual({
      body: { code, message: expect.any(String), data: { status } },
      status,
      headers: expect.any(Object),
    });
    expect(wrapped.headers.get('x-robots-tag')).toBe('noindex');
  });

  it('have these headers for unknown methods and for two Host headers', async () => {
    for (const [method, more, status] of [
      ['TRACE', '', 404],
      ['PROPFIND', '', 404],
      ['GET', 'Host: other\r\n', 400],
    ] as const) {
      const answer = await sendRaw(
        app.url,
        `${method} ${ROOT}/consent/status HTTP/1.1\r\nHost: pavis\r\nOrigin: ${ORIGIN}\r\nConnection: close\r\n${more}\r\n`,
      );
      expect([method, answer.status]).toEqual([method, status]);
      expect(answer.headers.get('x-robots-tag')).toBe('noindex');
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    }
  });

  it.each([
    ['POST', `${ROOT}/consent`, 'rest_body_too_large'],
    ['POST', `${ROOT}/consent?_envelope`, 'rest_body_too_large'],
    ['POST', '/console/session', 'rest_body_too_large'],
  ])(
    'have their whole body read, so that proxies pass on the error: %s %s',
    async (method, path, code) => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1').setNoDelay();
      let received = '';
      socket.setEncoding('latin1').on('data', (text) => (received += text));
      const closed = once(socket, 'close');
      const head = (method: string, path: string, more = '') =>
        `${method} ${path} HTTP/1.1\r\nHost: pavis\r\n${more}\r\n`;
      const type = 'Content-Type: application/json\r\n';
      socket.write(head(method, path, `${type}Content-Length: ${2 * TOO_LONG.length}\r\n`));
      socket.write(TOO_LONG);
      await expect.poll(() => received).toContain(code);
      socket.write(TOO_LONG + head('GET', '/health', 'Connection: close\r\n'));
      await closed;
      expect(received.match(/HTTP\/1.1 \d+/g)).toEqual([expect.any(String), 'HTTP/1.1 200']);
    },
  );

  it('are rejected alike before the fast path', async () => {
    const { status, headers } = await app.http.post(`${ROOT}/consent`, {
      body: '{"visitor_id":"a"',
      headers: { origin: ORIGIN, 'content-type': 'application/json' },
    });
    expect([status, headers.get('x-robots-tag')]).toEqual([400, 'noindex']);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });
});
