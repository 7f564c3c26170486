import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../test/support/users.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { createLicenceFile } from '../licence-file/index.ts';
import { createPlan, createProduct, updatePlan } from './index.ts';

const ROOT = '/console/licences';
const SITE = 'https://shop.example.org';

describe.each(ENGINES)('Products and plans on %s', (engine) => {
  const app = useTestApp(engine);
  let staff: Promise<Awaited<ReturnType<typeof makeUser>>> | undefined;
  async function ask(method: string, path: string, body?: object, more: object = {}) {
    staff ??= makeUser(app.platform);
    const { login, applicationPassword } = await staff;
    const headers = { ...basic(login, applicationPassword), ...more };
    return app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
  }
  const call = (verb: string, key: string, more: object = {}) =>
    app.http.post(`/licence/${verb}`, {
      headers: { 'x-licence-key': key },
      body: { licence_key: key, site_url: SITE, ...more },
    });
  let made = 0;
  /** A product with the plans `solo` and `team`. */
  async function makeProduct() {
    const slug = `product-${++made}`;
    await createProduct(app.platform, { slug, name: 'A product' }, 'test');
    const solo = { tier: 'solo', features: ['export'], sites_allowed: 2, grace_days: 5 };
    await createPlan(app.platform, slug, solo, 'test');
    await createPlan(app.platform, slug, { tier: 'team', development_sites_free: true }, 'test');
    return slug;
  }

  it('start with the default product and its three plans', async () => {
    const { status, json } = await ask('GET', '/products/pavis');
    expect(status).toBe(200);
    expect(json).toMatchObject({ slug: 'pavis', name: 'Pavis' });
    const plans = json.plans.map((plan: Record<string, unknown>) => [
      plan.tier,
      plan.label,
      plan.sites_allowed,
      plan.features,
    ]);
    const pro = ['dsar', 'retention', 'reporting', 'advanced_integrations'];
    expect(plans).toEqual([
      ['starter', 'Starter', 1, ['dsar']],
      ['pro', 'Pro', 3, pro],
      ['agency', 'Agency', 25, [...pro, 'white_label']],
    ]);
  });

  it('are created, changed and recorded in the security log', async () => {
    const product = { slug: 'forms-pro', name: 'Forms Pro', site_url: 'https://forms.example.com' };
    const created = await ask('POST', '/products', product);
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toMatch(/\/licences\/products\/forms-pro$/);
    expect(created.json).toMatchObject({
      ...product,
      current_version: null,
      plans: [],
      licences: 0,
    });
    const plan = await ask('POST', '/products/forms-pro/plans', {
      tier: 'solo',
      label: 'Solo',
      sites_allowed: 1,
      features: ['export', 'export', 'api'],
      prices: { year: 'price_solo', month: null },
    });
    expect(plan.status).toBe(201);
    expect(plan.json).toMatchObject({
      product: 'forms-pro',
      features: ['export', 'api'],
      grace_days: 0,
      trial_days: 0,
      position: 0,
      prices: { year: 'price_solo', month: null },
      archived_at: null,
    });
    const tag = plan.headers.get('etag') ?? '';
    const path = `/plans/${plan.json.id}`;
    const changed = await ask('PUT', path, { trial_days: 14 }, { 'if-match': tag });
    expect(changed.json).toMatchObject({ trial_days: 14, label: 'Solo' });
    expect((await ask('PUT', path, { trial_days: 7 }, { 'if-match': tag })).status).toBe(412);
    const named = await ask('PUT', '/products/forms-pro', {
      current_version: '2.4.1',
      site_url: null,
    });
    expect(named.json).toMatchObject({
      name: 'Forms Pro',
      current_version: '2.4.1',
      site_url: null,
    });
    // What changes nothing is not recorded.
    for (const [same, fields] of [
      ['/products/forms-pro', { name: 'Forms Pro', current_version: '2.4.1' }],
      [path, { trial_days: 14, archived: false }],
    ] as const)
      expect((await ask('PUT', same, fields)).status).toBe(200);
    const events = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['event', 'details'])
      .where('event', 'in', ['product_changed', 'plan_changed'])
      .where('actor', '=', (await staff)?.login ?? '')
      .orderBy('id')
      .execute();
    expect(events.map(({ event, details }) => [event, JSON.parse(details).action])).toEqual([
      ['product_changed', 'created'],
      ['plan_changed', 'created'],
      ['plan_changed', 'updated'],
      ['product_changed', 'updated'],
    ]);
  });

  it('are rejected with what is allowed', async () => {
    const slug = await makeProduct();
    const reject = async (method: string, path: string, body: object) => {
      const { status, json } = await ask(method, path, body);
      return [status, ...Object.values(json.data?.params ?? {})];
    };
    const plans = `/products/${slug}/plans`;
    expect(await reject('POST', '/products', { slug, name: 'Again' })).toEqual([
      400,
      `There is already a product with the slug ${slug}.`,
    ]);
    expect((await ask('POST', '/products', { slug: 'A b', name: 'x' })).status).toBe(400);
    expect((await ask('POST', '/products', { slug: 'blank', name: ' ' })).status).toBe(400);
    expect((await ask('POST', plans, { tier: 'x', label: ' ' })).status).toBe(400);
    expect((await ask('POST', plans, { tier: 'x', features: ['No spaces'] })).status).toBe(400);
    expect(await reject('POST', plans, { tier: 'solo' })).toEqual([
      400,
      'A product already has a plan with the tier solo.',
    ]);
    const price = { prices: { year: 'price_x', month: 'price_x' } };
    expect(await reject('POST', plans, { tier: 'x', ...price })).toEqual([
      400,
      'price_x is used more than once. Each price is for one plan and interval.',
    ]);
    expect((await ask('GET', '/products/none')).status).toBe(404);
    expect((await ask('PUT', '/plans/999999', { label: 'x' })).status).toBe(404);
    const email = 'a@example.com';
    const expires_at = '2030-01-01';
    expect(await reject('POST', '', { email, expires_at, tier: 'gold' })).toEqual([
      400,
      'tier must be one of: starter, pro, agency.',
    ]);
    expect(await reject('POST', '', { email, expires_at, tier: 'pro', product: slug })).toEqual([
      400,
      'tier must be one of: solo, team.',
    ]);
    const [status, said] = await reject('POST', '', { email, expires_at, tier: 'x', product: 'y' });
    expect([status, said]).toEqual([
      400,
      expect.stringMatching(/^product must be one of: pavis, /),
    ]);
  });

  it('give a new licence what the plan says', async () => {
    const product = await makeProduct();
    const solo = await makeLicence(app.platform, { product, tier: 'solo' });
    expect((await ask('GET', `/${solo.id}`)).json).toMatchObject({
      product,
      tier: 'solo',
      sites_allowed: 2,
      grace_days: 5,
      development_sites_free: false,
    });
    const team = await makeLicence(app.platform, { product, tier: 'team' });
    expect((await ask('GET', `/${team.id}`)).json).toMatchObject({
      sites_allowed: 1,
      development_sites_free: true,
    });
    const ids = (await ask('GET', `?product=${product}`)).json.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([team.id, solo.id]);
    expect((await ask('GET', `?product=${product}&tier=pro`)).status).toBe(400);
  });

  it('never accept the key of another product, also if its licence and bodies are cached', async () => {
    const product = await makeProduct();
    const { key } = await makeLicence(app.platform, { product, tier: 'solo' });
    const unknown = await call('validate', `pv_live_${'b'.repeat(32)}`, { product });
    expect(unknown.status).toBe(404);
    for (let round = 0; round < 3; round++) {
      expect((await call('validate', key)).json).toMatchObject({
        valid: true,
        product,
        mode: 'live',
        features: ['export'],
      });
      expect((await call('validate', key, { product })).json).toMatchObject({ valid: true });
      for (const other of ['pavis', 'none']) {
        const answer = await call('validate', key, { product: other });
        expect([answer.status, answer.text]).toEqual([404, unknown.text]);
        for (const verb of ['activate', 'deactivate']) {
          const refused = await call(verb, key, { product: other });
          expect([refused.status, refused.text]).toEqual([404, unknown.text]);
        }
      }
    }
    expect((await call('validate', key)).json.sites_used).toBe(0);
    const activated = await call('activate', key, { product });
    expect(activated.json).toMatchObject({ tier: 'solo', features: ['export'] });
    expect((await call('validate', key, { product: 7 })).status).toBe(400);
  });

  it('show a change of features at once, with the overrides of the licence, also in its file', async () => {
    const product = await makeProduct();
    const { key, id } = await makeLicence(app.platform, { product, tier: 'solo' });
    const features = async () => (await call('validate', key)).json.features;
    expect(await features()).toEqual(['export']);
    const plan = { product, tier: 'solo' };
    await updatePlan(app.platform, plan, { edits: { features: ['api', 'export'] } }, 'test');
    expect(await features()).toEqual(['api', 'export']);
    const overrides = { features_added: ['beta'], features_removed: ['export'] };
    expect((await ask('PUT', `/${id}`, overrides)).json).toMatchObject({
      ...overrides,
      features: ['api', 'beta'],
      events: expect.arrayContaining([
        expect.objectContaining({
          action: 'edited',
          details: { ...overrides, before: { features_added: [], features_removed: [] } },
        }),
      ]),
    });
    expect(await features()).toEqual(['api', 'beta']);
    expect((await call('activate', key)).json.features).toEqual(['api', 'beta']);
    const { file } = await createLicenceFile(app.platform, id, 1);
    const payload = JSON.parse(Buffer.from(file.split('.')[1] ?? '', 'base64url').toString());
    expect(payload.features).toEqual(['api', 'beta']);
    const both = await ask('PUT', `/${id}`, { features_added: ['export'] });
    expect([both.status, both.json.data.params]).toEqual([
      400,
      { features_removed: 'A feature is either added or removed, not both: export.' },
    ]);
  });

  it('keep the licences of an archived plan working, and issue no new ones', async () => {
    const product = await makeProduct();
    const expiresAt = app.clock.now() + DAY_MS;
    const { key, id } = await makeLicence(app.platform, { product, tier: 'solo', expiresAt });
    const [solo] = (await ask('GET', `/products/${product}`)).json.plans;
    const archived = await ask('PUT', `/plans/${solo.id}`, { archived: true });
    expect(archived.json).toMatchObject({ archived_at: expect.any(String), licences: 1 });
    expect((await call('validate', key)).json).toMatchObject({ valid: true, features: ['export'] });
    await expect(makeLicence(app.platform, { product, tier: 'solo' })).rejects.toMatchObject({
      reason: 'The plan solo is archived. tier must be one of: team.',
    });
    const extended = await ask('POST', `/${id}/extend`, { expires_at: '2030-01-01' });
    expect(extended.status).toBe(200);
    const checkout = await app.http.post('/checkout/session', { body: { product, tier: 'solo' } });
    expect([checkout.status, checkout.json.error]).toEqual([400, 'invalid_request']);
    expect(
      (await ask('PUT', `/plans/${solo.id}`, { archived: false })).json.archived_at,
    ).toBeNull();
    await makeLicence(app.platform, { product, tier: 'solo' });
  });

  it('are described to buyers by the text of the plan, otherwise by its features', async () => {
    const product = await makeProduct();
    const readPage = async (language = 'en', page = 'buy') => {
      const headers = { 'accept-language': language };
      return (await fetch(`${app.url}/account/${page}?product=${product}`, { headers })).text();
    };
    expect(await readPage()).toContain('2 sites. Includes export.');
    const { json } = await ask('GET', `/products/${product}`);
    const path = `/plans/${json.plans[0].id}`;
    const description = 'Exports forms to a spreadsheet.';
    expect((await ask('PUT', path, { description })).json.description).toBe(description);
    expect(await readPage()).toContain(`2 sites. ${description}`);
    // Screen readers pronounce it as the vendor wrote it.
    const marked = `<span lang="en">${description}</span>`;
    expect(await readPage('de')).toContain(`2 Websites. ${marked}`);
    await ask('PUT', path, { trial_days: 14, trial_without_card: true });
    expect(await readPage('de', 'trial')).toContain(`14 Tage. ${marked}`);
    expect(await readPage('en', 'trial')).toContain(`. ${description}<`);
    await ask('PUT', '/branding', { language: 'de' });
    expect(await readPage('de')).toContain(`2 Websites. ${description}`);
    // A description that Pavis brings, in English.
    const all = 'Data subject requests, retention, reporting and advanced integrations.';
    const open = async (language: string) =>
      (await fetch(`${app.url}/account/buy`, { headers: { 'accept-language': language } })).text();
    expect(await open('de')).toContain(`<span lang="en">${all}</span>`);
    expect(await open('en')).not.toContain('<span lang="de">');
    await ask('PUT', '/branding', { language: null });
    expect((await ask('PUT', path, { description: null })).json.description).toBeNull();
    const ours = await (await fetch(`${app.url}/account/buy`)).text();
    expect(ours).toContain('25 sites. Data subject requests');
    expect(ours).not.toMatch(/white.label/);
  });

  it('are sold in the checkout with what the plan says', async () => {
    const product = await makeProduct();
    const prices = await app.http.get(`/checkout/prices?product=${product}`);
    expect(prices.json).toMatchObject({ product, provider: 'test' });
    expect(new Set(prices.json.prices.map(({ tier }: { tier: string }) => tier))).toEqual(
      new Set(['solo', 'team']),
    );
    expect((await app.http.get('/checkout/prices?product=none')).status).toBe(400);
    const session = await app.http.post('/checkout/session', {
      body: { product, tier: 'solo', interval: 'year', email: `${product}@example.com` },
    });
    expect(session.status).toBe(200);
    const { pathname } = new URL(session.json.url);
    expect((await app.http.get(pathname)).text).toContain('<dt>Sites</dt><dd>2</dd>');
    const paid = await app.http.post(pathname, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    });
    const key = /pv_test_\w{32}/.exec(paid.text)?.[0] ?? '';
    expect((await call('validate', key, { product })).json).toMatchObject({
      valid: true,
      tier: 'solo',
      sites_allowed: 2,
      mode: 'test',
    });
    const [licence] = (await ask('GET', `?product=${product}`)).json;
    expect(licence.grace_days).toBe(14);
  });
});
