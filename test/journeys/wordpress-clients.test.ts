import imported from '@wordpress/api-fetch';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import WPAPI from 'wpapi';
import { addApplicationPassword, createUser } from '../../src/platform/auth/users/index.ts';
import { useTestApp } from '../support/test-app.ts';

// Its types say that the module is the default export of itself.
const apiFetch = imported as unknown as typeof imported.default;

const LOGIN = 'ada';
const PASSWORD = 'a password of some length';

interface Vendor {
  id: number;
  slug: string;
  purpose: string;
}

describe('The clients that WordPress sites use, unmodified', () => {
  const app = useTestApp('sqlite');
  const realFetch = globalThis.fetch;

  beforeAll(async () => {
    await createUser(app.platform, {
      login: LOGIN,
      email: 'ada@example.com',
      role: 'administrator',
      password: PASSWORD,
    });
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  it('@wordpress/api-fetch signs in with cookie and nonce, creates, lists, pages, updates, deletes, and renews its nonce', async () => {
    const session = await app.http.post('/console/session', {
      body: { login: LOGIN, password: PASSWORD },
    });
    const cookie = session.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const asked: string[] = [];
    // Node has no cookie jar: what a browser would add is added here, and nothing else.
    globalThis.fetch = (input, init) => {
      asked.push(String(input));
      return realFetch(input, { ...init, headers: { ...init?.headers, cookie } });
    };
    const nonce = apiFetch.createNonceMiddleware('0123456789');
    apiFetch.use(nonce);
    apiFetch.nonceMiddleware = nonce;
    apiFetch.nonceEndpoint = `${app.url}/wp-admin/admin-ajax.php?action=rest-nonce`;
    apiFetch.use(apiFetch.createRootURLMiddleware(`${app.url}/wp-json/`));

    const path = '/svc/v1/vendors';
    const data = { name: 'By api-fetch', slug: 'by-api-fetch', data_categories: ['a', 'b'] };
    const created = await apiFetch<Vendor>({ path, method: 'POST', data });
    expect(created).toMatchObject({ slug: 'by-api-fetch', data_categories: ['a', 'b'] });
    // Its first nonce was made up: it was told so, fetched another and asked again.
    expect(asked.filter((url) => url.includes('rest-nonce'))).toHaveLength(1);

    const item = `${path}/${created.id}`;
    expect(
      await apiFetch({ path: item, method: 'PUT', data: { purpose: 'changed' } }),
    ).toMatchObject({ purpose: 'changed' });
    const found = await apiFetch<Vendor[]>({ path: `${path}?search=by-api-fetch` });
    expect(found.map(({ id }) => id)).toEqual([created.id]);

    const before = asked.length;
    const all = await apiFetch<Vendor[]>({ path: `${path}?per_page=-1` });
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(asked.length - before).toBe(Math.ceil(all.length / 100));

    expect(await apiFetch({ path: item, method: 'DELETE' })).toMatchObject({ deleted: true });
    await expect(apiFetch({ path: item })).rejects.toMatchObject({
      code: 'not_found',
      data: { status: 404 },
    });

    await app.http.request('DELETE', '/console/session', {
      headers: { cookie, 'x-wp-nonce': session.json.nonce },
    });
    await expect(apiFetch({ path })).rejects.toMatchObject({
      code: 'rest_forbidden',
      data: { status: 401 },
    });
  });

  it('wpapi with an application password creates, lists, pages, updates and deletes, its handlers made from our index', async () => {
    const { password } = await addApplicationPassword(app.platform, LOGIN, 'wpapi');
    const { routes } = (await app.http.get('/wp-json/svc/v1')).json;
    const site = new WPAPI({ endpoint: `${app.url}/wp-json`, routes, username: LOGIN, password });
    const vendors = () => site.namespace('svc/v1').vendors();

    const created: Vendor = await vendors().create({ name: 'By wpapi', slug: 'by-wpapi' });
    expect(created.slug).toBe('by-wpapi');
    const updated: Vendor = await vendors().id(created.id).update({ purpose: 'changed' });
    expect(updated.purpose).toBe('changed');
    const page = await vendors().perPage(2).page(2);
    expect(page).toHaveLength(2);
    expect(Number(page._paging.total)).toBeGreaterThan(4);
    expect(page._paging.links.next).toContain('page=3');
    expect(await vendors().param('search', 'by-wpapi')).toHaveLength(1);
    expect(await vendors().id(created.id).delete()).toMatchObject({ deleted: true });
    await expect(vendors().id(created.id).get()).rejects.toMatchObject({ code: 'not_found' });
  });
});
