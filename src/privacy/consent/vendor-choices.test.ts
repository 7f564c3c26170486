import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { logAll, verifyLogOf } from '../../../test/support/consent-log.ts';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { verifyReceipt } from '../consent-log/index.ts';
import { completeVendors } from './rules.ts';
import { withdrawConsent } from './withdrawal/service.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('The vendors of a choice on %s', (engine) => {
  const app = useTestApp(engine);
  let headers: Record<string, string>;
  const ask = async (method: string, path: string, body?: object) =>
    (await app.http.request(method, ROOT + path, { headers, body })).json;
  const offer = (vendor_choices: boolean) =>
    ask('PUT', '/settings', { consent: { vendor_choices } });
  const choose = (body: object) =>
    app.http.post(`${ROOT}/consent`, { body: { consent_action: 'manage', ...body } });
  const latest = async () => (await ask('GET', '/consent/records?per_page=1'))[0];
  const columns = async (id: number) =>
    app.platform.datastore.db
      .selectFrom('consent_records')
      .select(['vendors_accepted', 'vendors_rejected'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    const register = (handle: string, category: string, script_url: string) =>
      ask('POST', '/scripts', { handle, label: handle, category, script_url });
    await register('hotjar', 'analytics', 'https://static.hotjar.com/c/hotjar-1.js');
    await register('youtube', 'marketing', 'https://www.youtube-nocookie.com/embed/');
    await register('stripe', 'functional', 'https://js.stripe.com/v3/');
  });

  const exceptions = {
    categories_accepted: ['analytics'],
    categories_rejected: ['marketing', 'personalisation'],
    vendors_accepted: ['youtube'],
    vendors_rejected: ['hotjar'],
  };

  it('are not recorded and not offered while the setting is off', async () => {
    const { status } = await choose({ visitor_id: 'off', ...exceptions });
    expect(status).toBe(200);
    expect(await latest()).toMatchObject({ vendors_accepted: [], vendors_rejected: [] });
    const { categories } = await ask('GET', '/consent/vendors');
    expect(JSON.stringify(categories)).not.toContain('"choice"');
    const { text } = await app.http.get('/banner.js');
    expect(text).not.toContain('always_vendor_text');
    expect(text).toContain('["marketing","www.youtube-nocookie.com/embed/"]');
  });

  it('are offered for vendors that can be blocked, in the banner file and to the preferences', async () => {
    await offer(true);
    app.clock.advance(61_000);
    const { categories } = await ask('GET', '/consent/vendors');
    expect(categories.analytics[0]).toMatchObject({ slug: 'hotjar', choice: true });
    expect(categories.functional[0]).toMatchObject({ slug: 'stripe' });
    expect(categories.functional[0].choice).toBeUndefined();
    const { text } = await app.http.get('/banner.js');
    expect(text).toContain('["marketing/youtube","www.youtube-nocookie.com/embed/"]');
    expect(text).toContain('"youtube":["YouTube","youtube.com youtube-nocookie.com');
  });

  it('have host names in the banner file, also if an earlier version stored other domains', async () => {
    const vendor = { name: 'Own ads', slug: 'own-ads', domains: ['ads.example.com'] };
    const { id } = await ask('POST', '/vendors', vendor);
    const script_url = 'https://ads.example.com/tag.js';
    const script = { handle: 'own-ads', label: 'Ads', category: 'marketing', script_url };
    const { id: scriptId } = await ask('POST', '/scripts', script);
    await app.platform.datastore.db
      .updateTable('vendors')
      .set({ domains: JSON.stringify(['.Ads.Example.com', 'https://cdn.example.com/']) })
      .where('id', '=', id)
      .execute();
    await ask('PUT', `/vendors/${id}`, { purpose: 'Advertises' });
    await expect
      .poll(async () => (await app.http.get('/banner.js')).text)
      .toContain('"own-ads":["Own ads","ads.example.com"]');
    await ask('DELETE', `/scripts/${scriptId}`);
    await ask('DELETE', `/vendors/${id}`);
  });

  it('are recorded where they differ from their category, and others are not', async () => {
    await choose({ visitor_id: 'differs', ...exceptions });
    const record = await latest();
    expect(record).toMatchObject({ vendors_accepted: ['youtube'], vendors_rejected: ['hotjar'] });
    await choose({
      visitor_id: 'same',
      categories_accepted: ['marketing'],
      categories_rejected: ['analytics', 'personalisation'],
      // The first follows its category, the others cannot be chosen: the last was deleted.
      vendors_accepted: ['youtube', 'matomo', 'deleted-vendor'],
      vendors_rejected: ['hotjar', 'stripe'],
    });
    const same = await latest();
    expect(same).toMatchObject({ vendors_accepted: [], vendors_rejected: [] });
    expect(await columns(same.id)).toEqual({ vendors_accepted: null, vendors_rejected: null });
    const csv = (await app.http.get(`${ROOT}/consent/records/export`, { headers })).text;
    expect(csv.split('\n')[0]).toMatch(/,vendors_accepted,vendors_rejected,day,anonymised\r?$/);
    expect(csv).toContain('youtube');
  });

  it.each([
    [{ vendors_accepted: ['youtube'], vendors_rejected: ['youtube'] }, 'vendors_rejected'],
    [{ consent_action: 'accept_all', vendors_rejected: ['hotjar'] }, 'vendors_rejected'],
    [{ consent_action: 'reject_all', vendors_accepted: ['youtube'] }, 'vendors_accepted'],
  ])('are refused if they contradict the choice: %j', async (given, field) => {
    const { status, json } = await choose({ visitor_id: 'refused', ...given });
    expect([status, Object.keys(json.data.params)]).toEqual([400, [field]]);
  });

  it('are facts of the log and of the receipt, and earlier records still verify', async () => {
    const visitor_id = randomUUID();
    const { json } = await choose({ visitor_id, ...exceptions });
    await logAll(app);
    const query = new URLSearchParams({ visitor_id, language: 'en' });
    const page = (await app.http.get(`${ROOT}/consent/receipt?${query}`)).text;
    expect(page).toContain('<dt>Allowed, although their category is not</dt><dd>youtube</dd>');
    expect(page).toContain('<dt>Not allowed, although their category is</dt><dd>hotjar</dd>');
    expect(verifyReceipt(page, []).facts).toMatchObject({
      vendors_accepted: ['youtube'],
      vendors_rejected: ['hotjar'],
    });
    expect((await verifyLogOf(app)).problems).toEqual([]);
    const { db } = app.platform.datastore;
    await db
      .updateTable('consent_records')
      .set({ vendors_accepted: '["youtube","hotjar"]' })
      .where('id', '=', json.id)
      .execute();
    expect((await verifyLogOf(app)).problems).not.toEqual([]);
  });

  it('are withdrawn with the rest, also if only a vendor is accepted', async () => {
    const visitor_id = randomUUID();
    await choose({
      visitor_id,
      categories_rejected: ['analytics', 'marketing', 'personalisation'],
      vendors_accepted: ['youtube'],
    });
    const at = app.clock.now();
    await app.platform.datastore.transaction((trx) =>
      withdrawConsent(trx, visitor_id, { at, day: '2026-11-21' }),
    );
    expect(await latest()).toMatchObject({
      visitor_id,
      consent_action: 'reject_all',
      vendors_accepted: [],
      source: 'erasure',
    });
  });
});

describe('completeVendors', () => {
  const choosable = [
    { slug: 'one', categories: ['a'] },
    { slug: 'two', categories: ['b'] },
    { slug: 'both', categories: ['a', 'b'] },
  ];
  const some = fc.subarray([...choosable.map(({ slug }) => slug), 'other']);

  it('keeps every decision about a vendor and adds none', () => {
    fc.assert(
      fc.property(fc.subarray(['a', 'b']), some, some, (categories, accepted, given) => {
        const rejected = given.filter((slug) => !accepted.includes(slug));
        const choice = { vendors_accepted: accepted, vendors_rejected: rejected };
        const accepts = (
          { vendors_accepted, vendors_rejected }: ReturnType<typeof completeVendors>,
          slug: string,
          category: string,
        ) =>
          vendors_accepted?.includes(slug) ||
          (!vendors_rejected?.includes(slug) && categories.includes(category));
        const completed = completeVendors(
          'manage',
          choice,
          { categories_accepted: categories },
          choosable,
        );
        for (const { slug, categories: own } of choosable)
          for (const category of own)
            expect(accepts(completed, slug, category)).toBe(accepts(choice, slug, category));
        expect([completed.vendors_accepted, completed.vendors_rejected]).not.toContainEqual([]);
      }),
    );
  });
});
