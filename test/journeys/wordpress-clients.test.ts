import imported from '@wordpress/api-fetch';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import WPAPI from 'wpapi';
import { addApplicationPassword, createUser } from '../../src/identity/users/index.ts';
import { useTestApp } from '../support/test-app.ts';
import { basic, signIn } from '../support/users.ts';

// Its types declare the module as its own default export.
const apiFetch = imported as unknown as typeof imported.default;

const LOGIN = 'ada';
const PASSWORD = 'a password of some length';
const ROOT = '/wp-json/svc/v1';
const REST_NONCE = '/wp-admin/admin-ajax.php?action=rest-nonce';

const NOUNS = ['vendors', 'data-map', 'scripts'] as const;
type Noun = (typeof NOUNS)[number];
type Item = Record<string, unknown> & { id: number };

/** The requests of a journey with one client. Errors are thrown as the JSON of the response. */
interface Client {
  create(noun: Noun, fields: object): Promise<Item>;
  get(noun: Noun, id: number): Promise<Item>;
  page(noun: Noun, page: number): Promise<{ items: Item[]; total: number }>;
  update(noun: Noun, id: number, fields: object): Promise<Item>;
  remove(noun: Noun, id: number): Promise<unknown>;
}

const PER_PAGE = 2;

describe('unmodified clients of WordPress sites', () => {
  const app = useTestApp('sqlite');
  const realFetch = globalThis.fetch;
  let made = 0;

  beforeAll(async () => {
    const email = 'ada@example.com';
    const ada = { login: LOGIN, email, role: 'administrator', password: PASSWORD } as const;
    await createUser(app.platform, ada, 'test');
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  /** Creates, lists, paginates, updates and deletes in three collections. */
  async function tell(client: Client) {
    const name = () => `story-${++made}`;
    const vendor = await client.create('vendors', { name: name(), slug: name() });
    const stories: Record<Noun, { make: () => object; change: Record<string, unknown> }> = {
      vendors: {
        make: () => ({ name: name(), slug: name(), data_categories: ['a', 'b'] }),
        change: { purpose: 'changed', data_categories: ['c'] },
      },
      'data-map': {
        make: () => ({ vendor_id: vendor.id, purpose: name(), legal_basis: 'consent' }),
        change: { status: 'archived', retention_period: '14 months' },
      },
      scripts: {
        make: () => ({
          handle: name(),
          label: name(),
          category: 'analytics',
          script_url: 'https://cdn.example.com/a.js',
        }),
        change: { label: 'changed', is_active: 0 },
      },
    };
    for (const noun of NOUNS) {
      const { make, change } = stories[noun];
      const before = (await client.page(noun, 1)).total;
      const items: Item[] = [];
      while (items.length < 3) {
        const fields = make();
        const item = await client.create(noun, fields);
        expect(item).toMatchObject({ id: expect.any(Number), ...fields });
        items.push(item);
      }

      const total = before + items.length;
      const seen: number[] = [];
      for (let page = 1; page <= Math.ceil(total / PER_PAGE); page++) {
        const answer = await client.page(noun, page);
        expect(answer.total).toBe(total);
        seen.push(...answer.items.map(({ id }) => id));
      }
      expect(seen).toHaveLength(total);
      expect(new Set(seen)).toEqual(new Set([...seen, ...items.map(({ id }) => id)]));

      const { id } = items[0] as Item;
      expect(await client.update(noun, id, change)).toMatchObject({ id, ...change });
      expect(await client.get(noun, id)).toMatchObject({ id, ...change });
      for (const item of items) {
        const removed = await client.remove(noun, item.id);
        expect(removed).toMatchObject({ deleted: true, previous: { id: item.id } });
      }
      await expect(client.get(noun, id)).rejects.toMatchObject({
        code: 'not_found',
        data: { status: 404 },
      });
      expect((await client.page(noun, 1)).total).toBe(before);
    }
    await client.remove('vendors', vendor.id);
  }

  /** A client that sends only these headers. */
  function plainClient(headers: () => Record<string, string>): Client {
    async function ask(method: string, path: string, body?: object) {
      const options = { headers: headers(), ...(body && { body }) };
      const answer = await app.http.request(method, ROOT + path, options);
      if (answer.status >= 400) throw answer.json;
      return answer;
    }
    return {
      create: async (noun, fields) => (await ask('POST', `/${noun}`, fields)).json,
      get: async (noun, id) => (await ask('GET', `/${noun}/${id}`)).json,
      page: async (noun, page) => {
        const answer = await ask('GET', `/${noun}?per_page=${PER_PAGE}&page=${page}`);
        return { items: answer.json, total: Number(answer.headers.get('x-wp-total')) };
      },
      update: async (noun, id, fields) => (await ask('PUT', `/${noun}/${id}`, fields)).json,
      remove: async (noun, id) => (await ask('DELETE', `/${noun}/${id}`)).json,
    };
  }

  it('curl with an application password', async () => {
    const { password } = await addApplicationPassword(app.platform, LOGIN, 'curl', 'test');
    await tell(plainClient(() => basic(LOGIN, password)));
  });

  it('a browser with session and nonce, which is renewed on use and on request', async () => {
    const { cookie, nonce } = await signIn(app.http, { login: LOGIN, password: PASSWORD });
    let current = nonce;
    await tell(plainClient(() => ({ cookie, 'x-wp-nonce': current })));

    for (let ticks = 0; ticks < 3; ticks++) {
      app.clock.advance(12 * 3_600_000);
      const headers = { cookie, 'x-wp-nonce': current };
      const answer = await app.http.get(`${ROOT}/vendors?per_page=1`, { headers });
      expect(answer.status).toBe(200);
      current = answer.headers.get('x-wp-nonce') ?? '';
    }
    const old = await app.http.get(`${ROOT}/vendors`, { headers: { cookie, 'x-wp-nonce': nonce } });
    expect([old.status, old.json.code]).toEqual([403, 'rest_cookie_invalid_nonce']);
    const asked = await app.http.get(REST_NONCE, { headers: { cookie } });
    expect([asked.status, asked.text]).toEqual([200, current]);
    await tell(plainClient(() => ({ cookie, 'x-wp-nonce': asked.text })));
  });

  it('@wordpress/api-fetch with cookie and nonce, which fetches a new nonce after the old one expires', async () => {
    const { cookie, nonce } = await signIn(app.http, { login: LOGIN, password: PASSWORD });
    const asked: string[] = [];
    // Node has no cookie jar, so the cookie is added here.
    globalThis.fetch = (input, init) => {
      asked.push(String(input));
      return realFetch(input, { ...init, headers: { ...init?.headers, cookie } });
    };
    const nonces = () => asked.filter((url) => url.includes('rest-nonce')).length;
    const middleware = apiFetch.createNonceMiddleware(nonce);
    apiFetch.use(middleware);
    apiFetch.nonceMiddleware = middleware;
    apiFetch.nonceEndpoint = app.url + REST_NONCE;
    apiFetch.use(apiFetch.createRootURLMiddleware(`${app.url}/wp-json/`));

    const path = (noun: Noun, id?: number) => `/svc/v1/${noun}${id === undefined ? '' : `/${id}`}`;
    const client: Client = {
      create: (noun, data) => apiFetch({ path: path(noun), method: 'POST', data }),
      get: (noun, id) => apiFetch({ path: path(noun, id) }),
      page: async (noun, page) => {
        const query = `?per_page=${PER_PAGE}&page=${page}`;
        const answer = await apiFetch<Response, false>({ path: path(noun) + query, parse: false });
        return {
          items: (await answer.json()) as Item[],
          total: Number(answer.headers.get('x-wp-total')),
        };
      },
      update: (noun, id, data) => apiFetch({ path: path(noun, id), method: 'PUT', data }),
      remove: (noun, id) => apiFetch({ path: path(noun, id), method: 'DELETE' }),
    };
    await tell(client);
    expect(nonces()).toBe(0);

    // The page was open for more than a day.
    app.clock.advance(24 * 3_600_000);
    await tell(client);
    expect(nonces()).toBe(1);

    const before = asked.length;
    const all = await apiFetch<Item[]>({ path: `${path('vendors')}?per_page=-1` });
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(asked.length - before).toBe(Math.ceil(all.length / 100));

    const { text } = await app.http.get(REST_NONCE, { headers: { cookie } });
    await app.http.request('DELETE', '/console/session', {
      headers: { cookie, 'x-wp-nonce': text },
    });
    await expect(client.page('vendors', 1)).rejects.toMatchObject({ status: 401 });
    await expect(client.get('vendors', 1)).rejects.toMatchObject({ code: 'rest_forbidden' });
  });

  it('wpapi with an application password, with handlers from the index', async () => {
    const { password } = await addApplicationPassword(app.platform, LOGIN, 'wpapi', 'test');
    const { routes } = (await app.http.get(ROOT)).json;
    const site = new WPAPI({ endpoint: `${app.url}/wp-json`, routes, username: LOGIN, password });
    const handler = (noun: Noun) => site.namespace('svc/v1')[noun]();
    await tell({
      create: (noun, fields) => handler(noun).create(fields),
      get: (noun, id) => handler(noun).id(id).get() as Promise<Item>,
      page: async (noun, page) => {
        const items = await handler(noun).perPage(PER_PAGE).page(page);
        // wpapi sets no pagination for an empty list.
        return { items: items as unknown as Item[], total: Number(items._paging?.total ?? 0) };
      },
      update: (noun, id, fields) => handler(noun).id(id).update(fields),
      remove: (noun, id) => handler(noun).id(id).delete(),
    });
    const first = await handler('vendors').perPage(PER_PAGE).page(1);
    expect(first._paging?.links.next).toContain('page=2');
    expect(await handler('vendors').param('search', 'google-analytics')).toHaveLength(1);
  });
});
