import { describe, expect, it } from 'vitest';
import WPAPI from 'wpapi';
import { HOUR_MS, MINUTE_MS } from '../../src/platform/durations.ts';
import { basicAuth } from '../support/makers.ts';
import { reservePort } from '../support/ports.ts';
import { useTestApp } from '../support/test-app.ts';
import { useWordPress } from '../support/wordpress.ts';

const ROOT = '/wp-json/svc/v1';
const wordPressPort = await reservePort();
const deadPort = await reservePort();

describe('discovery of the plugin API', () => {
  const app = useTestApp('sqlite');
  const rest = () => `${app.url}/wp-json`;

  it('finds the REST root in the Link header and the head of the start page, as in WordPress', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await app.http.request(method, '/');
      expect([status, headers.get('link')]).toEqual([
        200,
        `<${rest()}/>; rel="https://api.w.org/"`,
      ]);
    }
    const { text } = await app.http.get('/');
    expect(text).toContain(`<link rel="https://api.w.org/" href="${rest()}/">`);
  });

  it('works with wpapi from the address of the site alone', async () => {
    const site = await WPAPI.discover(app.url);
    const vendors = site.namespace('svc/v1').vendors();
    await expect(vendors.get()).rejects.toMatchObject({ code: 'rest_forbidden' });
  });

  it('names in the index where to request an application password', async () => {
    const { authentication } = (await app.http.get('/wp-json/')).json;
    expect(authentication).toEqual({
      'application-passwords': {
        endpoints: { authorization: `${app.url}/wp-admin/authorize-application.php` },
      },
    });
  });

  it('describes the indexes in OPTIONS too', async () => {
    const root = {
      namespace: '',
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args: { context: { default: 'view', required: false } } }],
      _links: { self: [{ href: `${rest()}/` }] },
    };
    const namespace = {
      namespace: 'svc/v1',
      methods: ['GET'],
      endpoints: [
        {
          methods: ['GET'],
          args: {
            namespace: { default: 'svc/v1', required: false },
            context: { default: 'view', required: false },
          },
        },
      ],
      _links: { self: [{ href: `${rest()}/svc/v1` }] },
    };
    const { routes } = (await app.http.get('/wp-json/')).json;
    expect(routes['/']).toEqual(root);
    expect(routes['/svc/v1']).toEqual(namespace);
    expect((await app.http.get(ROOT)).json.routes['/svc/v1']).toEqual(namespace);
    expect((await app.http.get(ROOT)).json.routes['/']).toBeUndefined();
    for (const [path, described] of [
      ['/wp-json', root],
      ['/wp-json/', root],
      [ROOT, namespace],
      [`${ROOT}/`, namespace],
    ] as const) {
      const { status, json, headers } = await app.http.request('OPTIONS', path);
      expect([path, status, json]).toEqual([path, 200, described]);
      expect(headers.get('allow')).toBe('GET');
      expect((await app.http.get(path)).headers.get('allow')).toBe('GET');
    }
  });

  it('links a route to itself in OPTIONS, unless its path has a placeholder', async () => {
    const headers = await basicAuth(app.platform);
    const options = async (path: string) =>
      (await app.http.request('OPTIONS', ROOT + path, { headers })).json;
    expect((await options('/vendors'))._links).toEqual({
      self: [{ href: `${rest()}/svc/v1/vendors` }],
    });
    expect(await options('/vendors/1')).not.toHaveProperty('_links');
    const { routes } = (await app.http.get(ROOT)).json;
    expect(await options('/vendors')).toEqual(routes['/svc/v1/vendors']);
    expect((await app.http.request('OPTIONS', `${ROOT}/nothing`)).json).toEqual([]);
  });
});

describe('with WordPress authentication', () => {
  const AUTHORIZE = 'wp-admin/authorize-application.php';
  const readPage = async ({ http }: ReturnType<typeof useTestApp>) =>
    (await http.get('/wp-json/')).json.authentication['application-passwords'].endpoints
      .authorization;

  describe('at an internal address', () => {
    const wordPress = useWordPress(wordPressPort);
    const app = useTestApp('sqlite', {
      PAVIS_WORDPRESS_URL: `http://127.0.0.1:${wordPressPort}/?rest_route=/`,
      PAVIS_REST_ROOT: 'https://example.com/wp-json',
    });
    const setPage = (authorization: string) => {
      wordPress.authentication = { 'application-passwords': { endpoints: { authorization } } };
    };

    it('names the page that WordPress names in its own index, which it requests once an hour', async () => {
      wordPress.instead = (response) => response.writeHead(500).end();
      expect(await readPage(app)).toBe(`https://example.com/${AUTHORIZE}`);
      wordPress.instead = undefined;
      setPage(`https://example.com/core/${AUTHORIZE}`);
      expect(await readPage(app)).toBe(`https://example.com/${AUTHORIZE}`);
      app.clock.advance(MINUTE_MS);
      const asked = await Promise.all([readPage(app), readPage(app)]);
      expect(asked).toEqual(Array(2).fill(`https://example.com/core/${AUTHORIZE}`));
      setPage('javascript:alert(1)');
      app.clock.advance(HOUR_MS - 1);
      expect(await readPage(app)).toBe(asked[0]);
      expect(wordPress.asked).toHaveLength(2);
      app.clock.advance(1);
      expect(await readPage(app)).toBe(asked[0]);
      const warnings = app
        .logged()
        .split('\n')
        .filter((line) => line.includes('PAVIS_WORDPRESS_URL'))
        .map((line) => JSON.parse(line));
      expect(warnings.map(({ err, msg }) => [err.message, msg])).toEqual(
        [
          'answered 500 without JSON',
          'the index of WordPress, with status 200, has no address of a page for application passwords',
        ].map((message) => [
          message,
          'cannot get the page for application passwords from WordPress: check that PAVIS_WORDPRESS_URL is right and that application passwords are available in WordPress',
        ]),
      );
      expect(wordPress.asked.map(({ url }) => url)).toEqual(
        Array(3).fill('/?rest_route=/&_fields=authentication'),
      );
    });

    it('takes the index from a cache in front of WordPress', async () => {
      const authorization = `https://example.com/cached/${AUTHORIZE}`;
      const authentication = { 'application-passwords': { endpoints: { authorization } } };
      wordPress.instead = (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', age: '60' })
          .end(JSON.stringify({ authentication }));
      app.clock.advance(HOUR_MS);
      expect(await readPage(app)).toBe(authorization);
    });
  });

  describe('that does not respond', () => {
    const app = useTestApp('sqlite', {
      PAVIS_WORDPRESS_URL: `http://127.0.0.1:${deadPort}/index.php/wp-json`,
      PAVIS_REST_ROOT: 'https://example.com/blog/wp-json',
    });

    it('names the page below the public address', async () => {
      const { json } = await app.http.get('/blog/wp-json/');
      expect(json.authentication['application-passwords'].endpoints.authorization).toBe(
        `https://example.com/blog/${AUTHORIZE}`,
      );
    });
  });

  describe('without PAVIS_REST_ROOT', () => {
    const app = useTestApp('sqlite', {
      PAVIS_WORDPRESS_URL: `http://127.0.0.1:${deadPort}/blog/index.php/wp-json`,
    });

    it('names the page of WordPress, which is not below index.php', async () => {
      expect(await readPage(app)).toBe(`http://127.0.0.1:${deadPort}/blog/${AUTHORIZE}`);
    });
  });
});
