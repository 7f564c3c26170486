import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { basicAuth } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';
import { makeUser, signIn } from '../support/users.ts';

const ROOT = '/wp-json/svc/v1';

/** Also with GET, which `fetch` sends without a body. */
async function sendBody(
  url: string,
  { method, type, body }: { method: string; type: string; body: string },
): Promise<object> {
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
  const sent = request(url, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const received = await text(response);
  return { status: response.statusCode, ...(received && JSON.parse(received)) };
}

describe('requests to the plugin API, read like in WordPress core', () => {
  const app = useTestApp('sqlite');
  const intake = (type: string, body: string) =>
    app.http.post(`${ROOT}/dsar/intake`, { headers: { 'content-type': type }, body });

  it.each([
    'application/json, text/plain',
    'text/plain, application/json',
    'application/json,application/json',
    'application/json charset=utf-8',
    'application/json; charset=utf-8, application/json',
    'application/json;',
    'APPLICATION/JSON ; charset="utf-8"',
    'application/vnd.api+json; ext="x"',
  ])('read a body of type %s as JSON', async (type) => {
    const body = '{"request_type":"access","email":"ada@example.com"}';
    expect((await intake(type, body)).status).toBe(201);
    expect((await intake(type, '{')).json.code).toBe('rest_invalid_json');
  });

  it.each(['application/jsonx', 'text/json', 'json', '/', ';', 'application/x-json, text/plain'])(
    'read no parameters from a body of type %s',
    async (type) => {
      const { status, json } = await intake(type, '{"request_type":"access","email":"a@b.com"}');
      expect([status, json.code]).toEqual([400, 'rest_missing_callback_param']);
    },
  );

  it('read JSON in a GET, and refuse it if it is malformed', async () => {
    const ask = (path: string, body: string, type = 'application/json', method = 'GET') =>
      sendBody(`${app.url}${ROOT}${path}`, { method, type, body });
    for (const path of ['', '/consent/status', '/dsar/status']) {
      expect(await ask(path, '{')).toMatchObject({ status: 400, code: 'rest_invalid_json' });
    }
    expect(await ask('/consent/status', '{', 'application/json', 'HEAD')).toEqual({ status: 400 });
    expect(await ask('/consent/status', '{}')).toMatchObject({ status: 200, enabled: true });
    expect(await ask('/consent/status', '{', 'text/plain')).toMatchObject({ status: 200 });
    expect(await ask('/consent/status', 'a=', 'application/x-www-form-urlencoded')).toMatchObject({
      status: 200,
    });
    expect(await ask('/consent/status', '', 'application/json')).toMatchObject({ status: 200 });
    const asked = await ask(
      '/dsar/status',
      '{"reference":"DSR-20260101-ABCDEF","email":"a@b.com"}',
    );
    expect(asked).toMatchObject({ status: 404 });
    const large = `"${'a'.repeat(256 * 1024)}"`;
    expect(await ask('/consent/status', large)).toMatchObject({ status: 413 });
    // Permission first.
    expect(await ask('/vendors', '{')).toMatchObject({ status: 401, code: 'rest_forbidden' });
  });

  it('prefer the nonce of a form over the header', async () => {
    const { cookie, nonce } = await signIn(app.http, await makeUser(app.platform));
    const send = (type: string, body: string | Uint8Array, more = {}) =>
      app.http.post(`${ROOT}/vendors`, {
        headers: { cookie, 'content-type': type, ...more },
        body,
      });
    const FORM = 'application/x-www-form-urlencoded';
    const made = await send(FORM, `_wpnonce=${nonce}&name=A&slug=by-form`, { 'x-wp-nonce': 'x' });
    expect([made.status, made.headers.get('x-wp-nonce')]).toEqual([201, nonce]);
    const form = new FormData();
    for (const [name, value] of Object.entries({ _wpnonce: nonce, name: 'B', slug: 'by-parts' }))
      form.set(name, value);
    const parts = new Response(form);
    const type = parts.headers.get('content-type') ?? '';
    expect((await send(type, new Uint8Array(await parts.arrayBuffer()))).status).toBe(201);
    // As in WordPress core, not in JSON.
    const json = await send('application/json', JSON.stringify({ _wpnonce: nonce }));
    expect([json.status, json.json.code]).toEqual([401, 'rest_forbidden']);
    const bad = await send(FORM, '_wpnonce=wrong&name=C&slug=c');
    expect([bad.status, bad.json.code]).toEqual([403, 'rest_cookie_invalid_nonce']);
    const list = await send(FORM, `_wpnonce[]=${nonce}&name=C&slug=c`);
    expect(list.status).toBe(401);
  });

  it('accept a POST as HEAD: the headers of GET, and no body', async () => {
    const headers = await basicAuth(app.platform);
    const get = await app.http.get(`${ROOT}/vendors?per_page=1`, { headers });
    for (const [query, more] of [
      ['', { 'x-http-method-override': 'HEAD' }],
      ['', { 'x-http-method-override': 'head' }],
      ['&_method=HEAD', {}],
      ['&_method=HEAD&_envelope', {}],
    ] as const) {
      const {
        status,
        text,
        headers: said,
      } = await app.http.post(`${ROOT}/vendors?per_page=1${query}`, {
        headers: { ...headers, ...more },
        body: { name: 'Never made', slug: 'never-made' },
      });
      expect([query, status, text]).toEqual([query, 200, '']);
      if (!query.includes('envelope'))
        expect(said.get('x-wp-total')).toBe(get.headers.get('x-wp-total'));
    }
    const only = await app.http.post(`${ROOT}/dsar/intake?_method=HEAD`);
    expect([only.status, only.text]).toEqual([404, '']);
    const refused = await app.http.post(`${ROOT}/vendors?_method=HEAD`);
    expect([refused.status, refused.text]).toEqual([401, '']);
  });

  it('drop invalid UTF-8 from a query and a form', async () => {
    const headers = await basicAuth(app.platform);
    const search = async (query: string) =>
      (await app.http.get(`${ROOT}/vendors?per_page=100&${query}`, { headers })).json.map(
        ({ slug }: { slug: string }) => slug,
      );
    const found = await search('search=google-analytics');
    expect(found).toContain('google-analytics');
    for (const query of [
      'search=google%FF-analytics',
      'search=%E4google-analytics',
      'search=google-analytics%C3',
      'sea%FFrch=google-analytics',
      'search=google-analytics&%FF=%FE',
    ])
      expect([query, await search(query)]).toEqual([query, found]);
    const { status, json } = await app.http.post(`${ROOT}/vendors?_fields=name,sl%FFug`, {
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=M%FCller%FF+%C3%96l&slug=mueller',
    });
    expect([status, json]).toEqual([201, { name: 'Mller Öl', slug: 'mueller' }]);
  });
});
