import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { deleteVendor } from './store.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('The vendor library on %s', (engine) => {
  const app = useTestApp(engine);
  let made = 0;

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: unknown) =>
      app.http.request(method, ROOT + path, { headers, ...(body === undefined ? {} : { body }) });
    const create = async (more: object = {}) => {
      const slug = `vendor-${++made}`;
      return (await ask('POST', '/vendors', { name: `Vendor ${made}`, slug, ...more })).json;
    };
    return { ask, create, headers };
  }

  it('creates a custom vendor with 201, Location and all fields', async () => {
    const { ask } = await setUp();
    const { status, headers, json } = await ask('POST', '/vendors', {
      name: 'Ada Analytics',
      slug: 'ada-analytics',
      purpose: 'Counts visits',
      data_categories: ['ip_address', 'usage_data'],
      default_retention: '14 months',
      privacy_url: 'https://ada.example/privacy',
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.any(Number),
      name: 'Ada Analytics',
      slug: 'ada-analytics',
      purpose: 'Counts visits',
      data_categories: ['ip_address', 'usage_data'],
      default_retention: '14 months',
      category: 'marketing',
      domains: [],
      cookies: [],
      privacy_url: 'https://ada.example/privacy',
      cookie_details: [],
      is_builtin: false,
      source: 'custom',
    });
    expect(headers.get('location')).toBe(`${app.url}${ROOT}/vendors/${json.id}`);
    expect((await ask('GET', `/vendors/${json.id}`)).json).toEqual(json);
  });

  it('returns 400 rest_invalid_param for a slug that is taken', async () => {
    const { ask, create } = await setUp();
    const { slug } = await create();
    const { status, json } = await ask('POST', '/vendors', { name: 'Another', slug });
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(json.data.params)).toEqual(['slug']);
  });

  it('gives a vendor without a category one that is blocked until consent', async () => {
    const { ask } = await setUp();
    const { categories } = (await ask('GET', '/settings')).json.consent;
    const others = categories.filter(({ id }: { id: string }) => id !== 'marketing');
    await ask('PUT', '/settings', { consent: { categories: others } });
    const { status, json } = await ask('POST', '/vendors', { name: 'Ada', slug: 'ada-default' });
    const optional = others.filter(({ required }: { required: boolean }) => !required);
    expect([status, json.category]).toEqual([201, optional.at(-1).id]);
    await ask('PUT', '/settings', { consent: { categories } });
  });

  it('updates present fields and clears null ones with PUT, PATCH and POST', async () => {
    const { ask, create } = await setUp();
    const vendor = await create({ purpose: 'Old', default_retention: '1 year' });
    for (const method of ['PUT', 'PATCH', 'POST']) {
      const { status, json } = await ask(method, `/vendors/${vendor.id}`, { purpose: method });
      expect([status, json]).toEqual([200, { ...vendor, purpose: method }]);
    }
    const { json } = await ask('PUT', `/vendors/${vendor.id}`, {
      default_retention: null,
      slug: vendor.slug,
    });
    expect(json).toEqual({ ...vendor, purpose: 'POST', default_retention: '' });
    expect((await ask('PUT', `/vendors/${vendor.id}`, { slug: 'other' })).json.code).toBe(
      'rest_invalid_param',
    );
  });

  it('deletes a custom vendor, and returns 404 the second time', async () => {
    const { ask, create } = await setUp();
    const vendor = await create();
    const first = await ask('DELETE', `/vendors/${vendor.id}`);
    expect([first.status, first.json]).toEqual([200, { deleted: true, previous: vendor }]);
    const again = await ask('DELETE', `/vendors/${vendor.id}`);
    expect([again.status, again.json.code]).toEqual([404, 'not_found']);
  });

  it('returns 403 delete_failed for built-in vendors, and 400 for another name', async () => {
    const { ask } = await setUp();
    const [builtin] = (await ask('GET', '/vendors?search=google-analytics')).json;
    expect(builtin).toMatchObject({
      slug: 'google-analytics',
      is_builtin: true,
      category: 'analytics',
    });
    const { status, json } = await ask('DELETE', `/vendors/${builtin.id}`);
    expect([status, json.code]).toEqual([403, 'delete_failed']);
    expect((await ask('PUT', `/vendors/${builtin.id}`, { name: 'Mine' })).status).toBe(400);
    expect(
      (await ask('PUT', `/vendors/${builtin.id}`, { default_retention: '2 months' })).json,
    ).toEqual({
      ...builtin,
      default_retention: '2 months',
    });
  });

  it('returns the usual lifetime of the cookies that the library knows', async () => {
    const { ask, create } = await setUp();
    const unknown = { type: null, domain: null, lifetime: null, lifetime_seconds: null };
    const [builtin] = (await ask('GET', '/vendors?search=google-analytics')).json;
    const cookies = ['_ga', '__utmc', 'ours_*'];
    const known = { type: 'cookie', domain: null };
    const details = [
      { name: '_ga', ...known, lifetime: '2 years', lifetime_seconds: 63_115_200 },
      { name: '__utmc', ...known, lifetime: 'session', lifetime_seconds: 0 },
      { name: 'ours_*', ...unknown },
    ];
    const changed = (await ask('PUT', `/vendors/${builtin.id}`, { cookies })).json;
    expect(changed.cookie_details).toEqual(details);
    expect((await create({ cookies: ['_ga'] })).cookie_details).toEqual([
      { name: '_ga', ...unknown },
    ]);
    await ask('PUT', `/vendors/${builtin.id}`, { cookies: builtin.cookies });
    expect((await ask('GET', `/vendors/${builtin.id}`)).json).toEqual(builtin);
    const [brevo] = (await ask('GET', '/vendors?search=brevo')).json;
    expect(brevo.cookie_details).toContainEqual({
      name: 'uuid',
      type: 'cookie',
      domain: 'sibautomation.com',
      lifetime: '6 months',
      lifetime_seconds: 15_778_800,
    });
  });

  it('links to the privacy policy that was entered, otherwise to the one of the library', async () => {
    const { ask, create } = await setUp();
    const own = await create();
    expect(own.privacy_url).toBeNull();
    const change = async (id: number, privacy_url: string | null) =>
      (await ask('PUT', `/vendors/${id}`, { privacy_url })).json;
    const link = 'https://vendor.example/privacy';
    expect(await change(own.id, link)).toEqual({ ...own, privacy_url: link });
    expect(await change(own.id, null)).toEqual(own);
    for (const wrong of ['vendor.example/privacy', 'javascript:alert(1)']) {
      const { code, data } = await change(own.id, wrong);
      expect([code, Object.keys(data.params)]).toEqual(['rest_invalid_param', ['privacy_url']]);
    }
    const [builtin] = (await ask('GET', '/vendors?search=hotjar')).json;
    expect(builtin.privacy_url).toMatch(/^https:/);
    expect((await change(builtin.id, link)).privacy_url).toBe(link);
    expect(await change(builtin.id, null)).toEqual(builtin);
  });

  it('keeps following the library after its own link is saved again', async () => {
    const { ask } = await setUp();
    const [builtin] = (await ask('GET', '/vendors?search=hotjar')).json;
    await ask('PUT', `/vendors/${builtin.id}`, { privacy_url: builtin.privacy_url });
    const query = app.platform.datastore.db.selectFrom('vendors').select('privacy_url');
    const row = await query.where('id', '=', builtin.id).executeTakeFirstOrThrow();
    expect(row.privacy_url).toBeNull();
  });

  it('lists vendors by name, with search and pagination', async () => {
    const { ask, create } = await setUp();
    const mark = `mark${++made}`;
    for (const name of [`${mark} b`, `${mark} A`, `${mark} c_100%`]) await create({ name });
    const search = async (text: string, more = '') =>
      ask('GET', `/vendors?search=${encodeURIComponent(text)}${more}`);
    const names = async (text: string, more = '') =>
      (await search(text, more)).json.map(({ name }: { name: string }) => name);
    expect(await names(mark.toUpperCase())).toEqual([`${mark} A`, `${mark} b`, `${mark} c_100%`]);
    expect(await names(`${mark} c_1`)).toHaveLength(1);
    expect(await names(`${mark}_`)).toEqual([]);
    expect(await names('00%')).toContain(`${mark} c_100%`);
    const { headers } = await search(mark, '&per_page=2');
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['3', '2']);
    expect(headers.get('link')).toContain('page=2>; rel="next"');
    for (const [offset, previous] of [
      [1, 0],
      [3, 1],
      [900, 2],
    ]) {
      const later = await search(mark, `&per_page=2&offset=${offset}`);
      expect(later.headers.get('link')).toContain(`offset=${previous}>; rel="prev"`);
    }
    expect(await names(mark, '&per_page=2&page=2')).toEqual([`${mark} c_100%`]);
    expect(await names(mark, '&per_page=2&offset=1')).toEqual([`${mark} b`, `${mark} c_100%`]);
    expect(await names(mark, '&offset=99')).toEqual([]);
    for (const per_page of ['0', '-1', '101', '1e9', 'abc', '']) {
      expect((await search(mark, `&per_page=${per_page}`)).json.code, per_page).toBe(
        'rest_invalid_param',
      );
    }
  });

  it('reports missing parameters before invalid ones', async () => {
    const { ask } = await setUp();
    const missing = await ask('POST', '/vendors', { data_categories: { no: 'list' } });
    expect(missing.json).toEqual({
      code: 'rest_missing_callback_param',
      message: 'Missing parameter(s): name, slug',
      data: { status: 400, params: ['name', 'slug'] },
    });
    const invalid = await ask('POST', '/vendors', {
      name: 'A',
      slug: 'Not A Slug',
      data_categories: { no: 'list' },
    });
    expect(invalid.json).toMatchObject({
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): slug, data_categories',
      data: { status: 400, params: { data_categories: 'data_categories is not of type array.' } },
    });
  });

  it('returns 404 for an update of a vendor that is deleted meanwhile', async () => {
    const { ask, create } = await setUp();
    const path = `/vendors/${(await create()).id}`;
    const holding = Promise.withResolvers<void>();
    const deleting = app.platform.datastore.transaction(async (trx) => {
      await deleteVendor(trx, Number(path.split('/')[2]));
      await holding.promise;
    });
    const update = ask('PUT', path, { purpose: 'Counts visits' });
    // The update reads the vendor before the deletion is committed.
    await setTimeout(200);
    holding.resolve();
    await deleting;
    const { status, json } = await update;
    expect([status, json.code]).toEqual([404, 'not_found']);
  });

  it('stores domains as host names', async () => {
    const { ask, create } = await setUp();
    const vendor = await create({
      domains: ['Ads.Example.com', '.ads.example.com', 'bücher.example:8443', 'cdn.example.'],
    });
    expect(vendor.domains).toEqual(['ads.example.com', 'xn--bcher-kva.example', 'cdn.example']);
    const path = `/vendors/${vendor.id}`;
    const { json } = await ask('PUT', path, { domains: ['WWW.Example.com'] });
    expect(json.domains).toEqual(['www.example.com']);
    expect((await ask('PUT', path, { domains: null })).json.domains).toEqual([]);
  });

  it.each(['https://ads.example.com/tag.js', '*.ads.example.com', 'ads example', 'a..b'])(
    'returns 400 for the domain %s, on creation and update',
    async (domain) => {
      const { ask, create } = await setUp();
      const vendor = await create();
      const domains = ['cdn.example.com', domain];
      for (const { status, json } of [
        await ask('POST', '/vendors', { name: 'A', slug: 'wrong-domain', domains }),
        await ask('PUT', `/vendors/${vendor.id}`, { domains }),
      ]) {
        expect([status, json.data.params]).toEqual([
          400,
          {
            domains:
              'domains[1] must be a host name, for example ads.example.com. Its subdomains are included.',
          },
        ]);
      }
      expect((await ask('GET', `/vendors/${vendor.id}`)).json).toEqual(vendor);
    },
  );

  it('returns 400 for a blank name, on creation and update', async () => {
    const { ask, create } = await setUp();
    const vendor = await create();
    for (const { status, json } of [
      await ask('POST', '/vendors', { name: ' \u00a0', slug: 'blank-name' }),
      await ask('PUT', `/vendors/${vendor.id}`, { name: '  ' }),
    ]) {
      expect([status, json.data.params]).toEqual([
        400,
        { name: 'name must not be blank or contain control characters.' },
      ]);
    }
    expect((await ask('GET', `/vendors/${vendor.id}`)).json).toEqual(vendor);
  });

  it('lists cookie names by category publicly, without generic names', async () => {
    const { create, ask } = await setUp();
    await create({ category: 'personalisation', cookies: ['our_choice_*', 'SID', '*'] });
    const { status, headers, json } = await app.http.get(`${ROOT}/consent/cookies`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(json.analytics).toEqual(expect.arrayContaining(['_ga', '_ga_*', '_gid']));
    expect(json.marketing).toEqual(expect.arrayContaining(['_fbp', 'om-*']));
    expect(json.personalisation).toContain('our_choice_*');
    const names = Object.values<string[]>(json).flat();
    for (const name of ['SID', 'lang', 'PHPSESSID', '*']) expect(names).not.toContain(name);
    expect((await ask('GET', '/consent/cookies')).json).toEqual(json);
  });
});
