import { describe, expect, it } from 'vitest';
import { basicAuth } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';
import { makeUser, signIn } from '../support/users.ts';

const ROOT = '/wp-json/svc/v1';
const FORBIDDEN = 'Sorry, you are not allowed to do that.';
/** Public routes. All others are for administrators. */
const PUBLIC = [
  'GET /consent/cookies',
  'GET /consent/log/checkpoint',
  'GET /consent/log/tile/(?P<tile>[\\w./%]+)',
  'GET /consent/receipt',
  'GET /consent/regime',
  'GET /consent/scripts',
  'GET /consent/status',
  'GET /consent/texts',
  'GET /consent/vendors',
  'GET /declaration',
  'POST /consent',
  'POST /consent/subject',
  'POST /dsar/intake',
  'GET /dsar/status',
  'POST /dsar/verify',
  'POST /dsar/withdraw',
  'POST /dsar/withdraw/confirm',
  'POST /dsar/package',
];
/** Routes for every signed-in user. */
const OWN = '/users/me';

describe('the conventions of the plugin API', () => {
  const app = useTestApp('sqlite', { PAVIS_ALLOWED_ORIGINS: 'https://shop.example.com' });

  it('returns 401 on every Admin route without or with wrong credentials, and 403 without the capability', async () => {
    const { routes } = (await app.http.get(ROOT)).json;
    const subscriber = await basicAuth(app.platform, 'subscriber');
    const wrong = { authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` };
    let walked = 0;
    for (const [pattern, route] of Object.entries<{ methods: string[] }>(routes)) {
      if (pattern === '/svc/v1') continue;
      const path = `/wp-json${pattern.replace(/\(\?P<\w+>[^)]*\)/g, '1')}`;
      if (pattern.startsWith(`/svc/v1${OWN}`)) continue;
      for (const method of route.methods) {
        if (PUBLIC.includes(`${method} ${pattern.replace('/svc/v1', '')}`)) continue;
        for (const headers of [
          {},
          wrong,
          { authorization: 'Bearer x.y.z' },
          { authorization: 'Basic %%%' },
        ]) {
          const { status, json, headers: said } = await app.http.request(method, path, { headers });
          expect([method, path, status]).toEqual([method, path, 401]);
          expect(json).toEqual({
            code: 'rest_forbidden',
            message: FORBIDDEN,
            data: { status: 401 },
          });
          expect(said.get('www-authenticate')).toBeNull();
          expect(said.get('allow')).toBeNull();
          expect(said.get('cache-control')).toContain('no-store');
        }
        const { status, json } = await app.http.request(method, path, { headers: subscriber });
        expect([method, path, status, json.code]).toEqual([method, path, 403, 'rest_forbidden']);
        walked++;
      }
    }
    expect(walked).toBeGreaterThanOrEqual(5);
  });

  it('returns 401 on routes for the own account without credentials, 403 with a bad nonce, and 200 for every role', async () => {
    const { routes } = (await app.http.get(ROOT)).json;
    const user = await makeUser(app.platform, 'subscriber');
    const { cookie, nonce } = await signIn(app.http, user);
    const paths = Object.entries<{ methods: string[] }>(routes)
      .filter(([pattern]) => pattern.startsWith(`/svc/v1${OWN}`))
      .map(([pattern, { methods }]) => ({
        path: `/wp-json${pattern.replace(/\(\?P<\w+>[^)]*\)/g, '1')}`,
        methods,
      }));
    expect(paths.length).toBeGreaterThanOrEqual(4);
    for (const { path, methods } of paths) {
      for (const method of methods) {
        const { status, json } = await app.http.request(method, path);
        expect([method, path, status, json.code]).toEqual([
          method,
          path,
          401,
          'rest_not_logged_in',
        ]);
        const headers = { cookie, 'x-wp-nonce': 'wrong' };
        const bad = await app.http.request(method, path, { headers });
        expect([bad.status, bad.json.code]).toEqual([403, 'rest_cookie_invalid_nonce']);
      }
    }
    const { status, json, headers } = await app.http.get(`${ROOT}${OWN}`, {
      headers: { cookie, 'x-wp-nonce': nonce },
    });
    expect([status, json.username]).toEqual([200, user.login]);
    expect(headers.get('allow')).toBe('GET, POST, PUT, PATCH');
  });

  it.each([
    ['GET', '/nothing'],
    ['PATCH', '/vendors'],
    ['DELETE', '/vendors'],
    ['GET', '/vendors/abc'],
    ['GET', '/vendors/-1'],
    // Only if the slash is not encoded (see rest-addresses.test.ts).
    ['GET', '/%2Fvendors'],
  ])(
    'returns 404 for %s %s, for a wrong method and for an id that is not a number',
    async (method, path) => {
      const headers = await basicAuth(app.platform);
      const { status, json } = await app.http.request(method, ROOT + path, { headers });
      expect(status).toBe(404);
      expect(json).toEqual({
        code: 'rest_no_route',
        message: 'No route was found matching the URL and request method.',
        data: { status: 404 },
      });
    },
  );

  it('returns 404 for an id that is too long', async () => {
    const headers = await basicAuth(app.platform);
    for (const id of ['0', '999999999', '9'.repeat(40)]) {
      const { status, json } = await app.http.get(`${ROOT}/vendors/${id}`, { headers });
      expect([id, status, json.code]).toEqual([id, 404, 'not_found']);
    }
  });

  it('accepts a trailing slash, capital letters and rest_route', async () => {
    const headers = await basicAuth(app.platform);
    for (const path of [
      `${ROOT}/vendors/?per_page=1`,
      '/wp-json/SVC/v1/Vendors?per_page=1',
      '/?rest_route=/svc/v1/vendors&per_page=1',
      '/index.php?rest_route=%2Fsvc%2Fv1%2Fvendors&per_page=1',
    ]) {
      const { status, json } = await app.http.get(path, { headers });
      expect([path, status, json?.length]).toEqual([path, 200, 1]);
    }
    expect((await app.http.get('/?rest_route=svc/v1/vendors', { headers })).json.code).toBe(
      'rest_no_route',
    );
  });

  it('accepts JSON, forms and multipart, and returns rest_invalid_json for invalid JSON', async () => {
    const headers = await basicAuth(app.platform);
    const form = new FormData();
    form.set('name', 'By multipart');
    form.set('slug', 'by-multipart');
    const multipart = new Response(form);
    const bodies: [string, string | Uint8Array][] = [
      [
        'application/json; charset=utf-8',
        '{"name":"By JSON","slug":"by-json","data_categories":["a","b"]}',
      ],
      [
        'application/x-www-form-urlencoded',
        'name=By+form&slug=by-form&data_categories[]=a&data_categories[]=b',
      ],
      [multipart.headers.get('content-type') ?? '', new Uint8Array(await multipart.arrayBuffer())],
    ];
    for (const [type, body] of bodies) {
      const { status, json } = await app.http.post(`${ROOT}/vendors`, {
        headers: { ...headers, 'content-type': type },
        body,
      });
      expect([type, status, json.name]).toEqual([type, 201, expect.stringMatching(/^By /)]);
    }
    const broken = await app.http.post(`${ROOT}/vendors`, { headers, body: '{"name":' });
    expect(broken.json).toMatchObject({
      code: 'rest_invalid_json',
      message: 'Invalid JSON body passed.',
      data: { status: 400 },
    });
    const plain = await app.http.post(`${ROOT}/vendors`, {
      headers: { ...headers, 'content-type': 'text/plain' },
      body: '{"name":"x"}',
    });
    expect(plain.json.code).toBe('rest_missing_callback_param');
    // Permissions are checked before the body.
    expect((await app.http.post(`${ROOT}/vendors`, { body: '{' })).status).toBe(401);
  });

  it('prefers the id of the path over one in the body', async () => {
    const headers = await basicAuth(app.platform);
    const create = async (slug: string) =>
      (await app.http.post(`${ROOT}/vendors`, { headers, body: { name: slug, slug } })).json;
    const [one, two] = [await create('path-one'), await create('path-two')];
    const { json } = await app.http.request('PUT', `${ROOT}/vendors/${one.id}`, {
      headers,
      body: { id: two.id, purpose: 'x' },
    });
    expect(json).toMatchObject({ id: one.id, purpose: 'x' });
  });

  it('lets a POST override its method by header or query, and no other method', async () => {
    const headers = await basicAuth(app.platform);
    const body = { name: 'Override', slug: 'override' };
    const { id } = (await app.http.post(`${ROOT}/vendors`, { headers, body })).json;
    const item = `${ROOT}/vendors/${id}`;
    expect(
      (
        await app.http.post(item, {
          headers: { ...headers, 'x-http-method-override': 'put' },
          body: { purpose: 'a' },
        })
      ).json.purpose,
    ).toBe('a');
    expect((await app.http.get(`${item}?_method=DELETE`, { headers })).status).toBe(200);
    expect((await app.http.post(`${item}?_method=DELETE`, { headers })).json.deleted).toBe(true);
  });

  it('returns the headers of GET for HEAD, and describes a path in OPTIONS without credentials', async () => {
    const headers = await basicAuth(app.platform);
    const get = await app.http.get(`${ROOT}/vendors?per_page=1`, { headers });
    const head = await app.http.request('HEAD', `${ROOT}/vendors?per_page=1`, { headers });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('x-wp-total')).toBe(get.headers.get('x-wp-total'));
    const { status, json, headers: said } = await app.http.request('OPTIONS', `${ROOT}/vendors`);
    expect(status).toBe(200);
    expect(json.methods).toEqual(['GET', 'POST']);
    expect(json.endpoints[1].args.slug).toMatchObject({ type: 'string', required: true });
    expect(said.get('allow')).toBeNull();
    expect(
      (await app.http.request('OPTIONS', `${ROOT}/vendors`, { headers })).headers.get('allow'),
    ).toBe('GET, POST');
    expect((await app.http.request('OPTIONS', `${ROOT}/nothing`)).text).toBe('[]');
  });

  it('selects fields with _fields, nested and in lists, and wraps responses and errors with _envelope', async () => {
    const headers = await basicAuth(app.platform);
    const { json } = await app.http.get(`${ROOT}/vendors?per_page=1&_fields=slug,is_builtin`, {
      headers,
    });
    expect(Object.keys(json[0])).toEqual(['slug', 'is_builtin']);
    const wrapped = await app.http.get(`${ROOT}/vendors?per_page=1&_envelope`, { headers });
    expect(wrapped.json).toEqual({
      body: [expect.any(Object)],
      status: 200,
      // In the spelling of WordPress core, since clients read them by name.
      headers: {
        'X-WP-Total': expect.stringMatching(/^[1-9]\d*$/),
        'X-WP-TotalPages': expect.stringMatching(/^[1-9]\d*$/),
        Link: expect.stringMatching(/>; rel="next"$/),
        Allow: 'GET, POST',
      },
    });
    const refused = await app.http.get(`${ROOT}/vendors?_envelope=1`);
    expect([refused.status, refused.json.status, refused.json.body.code]).toEqual([
      200,
      401,
      'rest_forbidden',
    ]);
    const unknown = await app.http.get(`${ROOT}/nowhere?_envelope`);
    expect([unknown.json.status, unknown.json.headers]).toEqual([404, []]);
  });

  it('has the whole response in an envelope, also for a client that knows it', async () => {
    const path = `${ROOT}/consent/status?_envelope`;
    const { json } = await app.http.get(path, { headers: { 'if-none-match': '*' } });
    expect(json).toMatchObject({ body: { enabled: true }, status: 200, headers: {} });
  });

  it('says what is wrong with JSON, with the codes of PHP', async () => {
    const nest = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const send = async (body: string | Uint8Array<ArrayBuffer>) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${app.url}${ROOT}/consent`, { method: 'POST', headers, body });
      const { code, data } = (await answer.json()) as {
        code: string;
        data: { json_error_code?: number };
      };
      return [code, data.json_error_code];
    };
    expect(await send('{')).toEqual(['rest_invalid_json', 4]);
    expect(await send(new Uint8Array([34, 255, 34]))).toEqual(['rest_invalid_json', 5]);
    expect(await send(nest(513))).toEqual(['rest_invalid_json', 1]);
    expect(await send(nest(512))).toEqual(['rest_missing_callback_param', undefined]);
  });

  it('sends the headers of WordPress core, and allows only configured origins', async () => {
    const { headers } = await app.http.get(`${ROOT}/vendors`, {
      headers: { origin: 'https://shop.example.com' },
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      link: `<${app.url}/wp-json/>; rel="https://api.w.org/"`,
      'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
      'access-control-allow-origin': 'https://shop.example.com',
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
    const stranger = await app.http.get(`${ROOT}/vendors`, {
      headers: { origin: 'https://evil.example.com' },
    });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('renews the nonce of callers with cookie and nonce, and only in uncached responses', async () => {
    const user = await makeUser(app.platform);
    const { cookie, nonce } = await signIn(app.http, user);
    app.clock.advance(12 * 3_600_000);
    const headers = { cookie, 'x-wp-nonce': nonce };
    const renewed = (await app.http.get(`${ROOT}/vendors`, { headers })).headers.get('x-wp-nonce');
    expect(renewed).toMatch(/^[0-9a-f]{10}$/);
    expect(renewed).not.toBe(nonce);
    // Errors and envelopes carry it too.
    for (const [path, status] of [
      ['/vendors/0', 404],
      ['/vendors?per_page=0', 400],
      ['/vendors?_envelope', 200],
      ['/consent/status?_envelope', 200],
    ] as const) {
      const answer = await app.http.get(ROOT + path, { headers });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get('x-wp-nonce')).toBe(renewed);
      expect(answer.headers.get('cache-control')).toContain('no-store');
    }
    // Cached responses are the same for all callers.
    const kept = await app.http.get(`${ROOT}/consent/status`, { headers });
    expect([kept.headers.get('cache-control'), kept.headers.get('x-wp-nonce')]).toEqual([
      'no-cache',
      null,
    ]);

    app.clock.advance(12 * 3_600_000);
    const later = { cookie, 'x-wp-nonce': renewed ?? '' };
    expect((await app.http.get(`${ROOT}/vendors`, { headers: later })).status).toBe(200);
    const stale = await app.http.get(`${ROOT}/vendors`, { headers });
    expect([stale.json.code, stale.headers.get('x-wp-nonce')]).toEqual([
      'rest_cookie_invalid_nonce',
      null,
    ]);
    const basic = await app.http.get(`${ROOT}/vendors`, { headers: await basicAuth(app.platform) });
    expect(basic.headers.get('x-wp-nonce')).toBeNull();
  });

  it('has an index, a namespace index and an OpenAPI document', async () => {
    expect((await app.http.get('/wp-json/')).json).toMatchObject({ namespaces: ['svc/v1'] });
    const { namespace, routes } = (await app.http.get(ROOT)).json;
    expect(namespace).toBe('svc/v1');
    expect(routes['/svc/v1/vendors/(?P<id>\\d+)'].methods).toEqual([
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
    ]);
    const { openapi, info, paths } = (await app.http.get(`${ROOT}/openapi.json`)).json;
    expect([openapi, info.version]).toEqual(['3.1.0', '1.9.0']);
    expect(Object.keys(paths['/svc/v1/vendors/{id}'])).toEqual(['get', 'put', 'delete']);
  });
});

describe('the index of a site with a time zone', () => {
  const app = useTestApp('sqlite', { PAVIS_SITE_TIMEZONE: 'Europe/Berlin' });
  const get = async () => {
    const { timezone_string, gmt_offset } = (await app.http.get('/wp-json/')).json;
    return [timezone_string, gmt_offset];
  };

  it('has it with its current offset, as in WordPress', async () => {
    expect(await get()).toEqual(['Europe/Berlin', 1]);
    app.clock.set('2027-07-01T00:00:00.000Z');
    expect(await get()).toEqual(['Europe/Berlin', 2]);
  });
});
