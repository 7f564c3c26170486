import { describe, expect, it } from 'vitest';
import WPAPI from 'wpapi';
import { basicAuth } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = '/wp-json/svc/v1';

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
  const app = useTestApp('sqlite', { PAVIS_WORDPRESS_URL: 'https://example.com/blog/wp-json' });

  it('the index refers to the application passwords of WordPress', async () => {
    const { authentication } = (await app.http.get('/wp-json/')).json;
    expect(authentication['application-passwords'].endpoints.authorization).toBe(
      'https://example.com/blog/wp-admin/authorize-application.php',
    );
  });
});
