import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts';
import { deleteCustomer, getLicenceDetail } from '../admin/index.ts';
import { createToken, revokeToken, TOKEN_SCOPES, type TokenCreation } from '../api-tokens/index.ts';
import { rotateKey } from '../licences/index.ts';
import { createPlan, createProduct } from '../products/index.ts';

const ROOT = '/admin/licences';
const BY = { actor: 'test', login: null };
const TEXT = expect.stringMatching(/\S/);

describe.each(ENGINES)('the Administration API on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_RATE_LIMIT_ADMIN: '2000' });
  let made = 0;
  const newToken = (wanted: Partial<TokenCreation> = {}) =>
    createToken(app.platform, { name: `Shop ${++made}`, scopes: [...TOKEN_SCOPES], ...wanted }, BY);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  let shop: ReturnType<typeof newToken> | undefined;
  async function ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ) {
    shop ??= newToken();
    const all = { ...bearer((await shop).secret), ...headers };
    return app.http.request(method, ROOT + path, { headers: all, ...(body && { body }) });
  }
  const name = async () => (await shop)?.record.name;
  const ids = async (query: Record<string, string>) =>
    (await ask('GET', `?${new URLSearchParams(query)}`)).json.licences.map(
      ({ id }: { id: string }) => id,
    );
  const order = { email: 'ada@example.com', tier: 'pro', days: 365 };
  const countLicences = async () => {
    const { rows } = await app.platform.datastore.db
      .selectFrom('licences')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  const listSecurityEvents = async (event: string) => {
    await app.platform.securityLog.flush();
    const rows = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['actor', 'details', 'count'])
      .where('event', '=', event as 'sign_in')
      .orderBy('id')
      .execute();
    return rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) }));
  };

  it('issues a licence, returns its key, and names the token in the audit log', async () => {
    const { status, json } = await ask('POST', '', {
      ...order,
      sites_allowed: 7,
      notes: 'Order 1',
      features_added: ['beta'],
      mail: true,
    });
    expect([status, json]).toEqual([
      201,
      expect.objectContaining({
        id: expect.stringMatching(/^lic_/),
        licence_key: expect.stringMatching(/^pv_live_[A-Za-z0-9]{32}$/),
        email: 'ada@example.com',
        tier: 'pro',
        status: 'active',
        sites_allowed: 7,
        sites_used: 0,
        notes: 'Order 1',
        features_added: ['beta'],
        features: expect.arrayContaining(['beta']),
        paid_until: new Date(app.clock.now() + 365 * DAY_MS).toISOString(),
        activations: [],
      }),
    ]);
    const site = await app.http.site('validate', json.licence_key, 'https://a.example.com');
    expect(site.json).toMatchObject({ valid: true });
    const { db } = app.platform.datastore;
    const events = await db.selectFrom('licence_events').select(['actor', 'action']).execute();
    expect(events).toEqual([{ actor: `API token (${await name()})`, action: 'issued' }]);
    const mails = await db.selectFrom('outbox_mails').select(['kind', 'recipient']).execute();
    expect(mails).toEqual([{ kind: 'licence_issued', recipient: 'ada@example.com' }]);
    const { licence_key, ...shown } = json;
    expect((await ask('GET', `/${json.id}`)).json).toEqual(shown);
    expect(app.logged()).not.toContain(licence_key);
    expect(app.logged()).not.toContain((await shop)?.secret);
  });

  it.each([
    [{ email: 'nobody' }, /email address/],
    [{ tier: 'gold' }, /tier must be one of: starter, pro/],
    [{ product: 'none' }, /product must be one of: pavis/],
    [{ days: undefined }, /either expires_at or days/],
    [{ expires_at: '2031-01-01' }, /either expires_at or days/],
    [{ days: undefined, expires_at: 'soon' }, /a date, or a time with its offset/],
    [{ features_added: ['a'], features_removed: ['a'] }, /either added or removed/],
    [{ sites_allowed: 0 }, /sites_allowed/],
  ])('issues nothing for %j', async (wrong, message) => {
    const before = await countLicences();
    const { status, json } = await ask('POST', '', { ...order, ...wrong });
    expect([status, json]).toEqual([
      400,
      { error: 'invalid_request', message: expect.stringMatching(message) },
    ]);
    expect(await countLicences()).toBe(before);
  });

  it('returns the same licence and key for a repeated Idempotency-Key, however late', async () => {
    const once = { 'idempotency-key': 'order-1001' };
    const first = await ask('POST', '', order, once);
    const before = await countLicences();
    app.clock.advance(60 * DAY_MS);
    const { days, tier, email } = order;
    const again = await ask('POST', '', { days, tier, email }, once);
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect(await countLicences()).toBe(before);
    const valid = await app.http.site('validate', again.json.licence_key, 'https://a.example.com');
    expect(valid.json).toMatchObject({ valid: true });

    const other = await ask('POST', '', { ...order, tier: 'starter' }, once);
    expect([other.status, other.json]).toEqual([
      409,
      { error: 'idempotency_key_used', message: TEXT },
    ]);
    // Another token has its own keys.
    const foreign = await ask('POST', '', order, { ...once, ...bearer((await newToken()).secret) });
    expect(foreign.status).toBe(201);
    expect(foreign.json.id).not.toBe(first.json.id);
    expect(foreign.json.licence_key).not.toBe(first.json.licence_key);
    // An invalid request uses up no key.
    const retried = { 'idempotency-key': 'order-1002' };
    expect((await ask('POST', '', { ...order, tier: 'gold' }, retried)).status).toBe(400);
    expect((await ask('POST', '', order, retried)).status).toBe(201);
  });

  it('issues one licence for concurrent requests with one Idempotency-Key', async () => {
    const before = await countLicences();
    const all = await Promise.all(
      Array.from({ length: 8 }, () =>
        ask(
          'POST',
          '',
          { ...order, mail: true, email: 'once@example.com' },
          {
            'idempotency-key': 'order-1003',
          },
        ),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(all.map(({ json }) => json.licence_key)).size).toBe(1);
    expect(await countLicences()).toBe(before + 1);
    const mails = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select('id')
      .where('recipient', '=', 'once@example.com')
      .execute();
    expect(mails).toHaveLength(1);
  });

  it('does not show a key that was rotated, or of a customer who was deleted', async () => {
    const once = { 'idempotency-key': 'order-1004' };
    const { id } = (await ask('POST', '', order, once)).json;
    await rotateKey(app.platform, id, 24, 'test');
    const rotated = await ask('POST', '', order, once);
    expect([rotated.status, rotated.json]).toEqual([
      409,
      { error: 'key_rotated', message: expect.stringContaining(id) },
    ]);
    const gone = { ...order, email: 'gone@example.com' };
    const key = { 'idempotency-key': 'order-1005' };
    const issued = await ask('POST', '', gone, key);
    await ask('POST', `/${issued.json.id}/revoke`);
    await deleteCustomer(app.platform, 'gone@example.com', 'test', async () => ({
      insert: async () => {},
      withdraw: async () => {},
    }));
    expect((await ask('POST', '', gone, key)).json.error).toBe('idempotency_key_used');
  });

  it('finds licences by site URL, email address and page', async () => {
    const one = await makeLicence(app.platform, { email: 'find@example.com' });
    const two = await makeLicence(app.platform, { email: 'find@example.com' });
    await app.http.site('activate', one.key, 'https://www.Found.example/shop');
    await app.http.site('activate', two.key, 'https://found.example/shop/more');
    expect(await ids({ site_url: 'http://found.example/shop/' })).toEqual([one.id]);
    expect(await ids({ site_url: 'https://nowhere.example' })).toEqual([]);
    expect(await ids({ email: 'FIND@example.com' })).toEqual([two.id, one.id]);
    expect(await ids({ search: 'found.example' })).toEqual([two.id, one.id]);
    expect(await ids({ search: one.key })).toEqual([one.id]);
    const ending = await makeLicence(app.platform, { expiresAt: app.clock.now() + DAY_MS });
    expect(await ids({ expires_within: '2' })).toContain(ending.id);
    await ask('POST', `/${two.id}/suspend`);
    expect(await ids({ email: 'find@example.com', status: 'active' })).toEqual([one.id]);

    const page = await ask('GET', '?email=find@example.com&limit=1');
    expect(page.json).toMatchObject({ licences: [{ id: two.id }], next_cursor: two.id });
    const next = await ask(
      'GET',
      `?email=find@example.com&limit=1&cursor=${page.json.next_cursor}`,
    );
    expect(next.json).toMatchObject({ licences: [{ id: one.id }], next_cursor: null });
    expect(page.text).not.toContain(two.key);
    for (const wrong of [
      'site_url=none',
      'cursor=none',
      'email=none',
      'tier=gold',
      'limit=0',
      'limit=x',
    ])
      expect((await ask('GET', `?${wrong}`)).json.error).toBe('invalid_request');
  });

  it('rejects identifiers with control characters', async () => {
    const asked: [string, string, object?][] = [
      ['GET', '?cursor=%00'],
      ['GET', '/lic_%00'],
      ['GET', '/lic_%00/activations'],
      ['PATCH', '/lic_%00', { tier: 'pro' }],
      ['POST', '/lic_%00/suspend'],
      ['POST', '/lic_%00/reinstate'],
      ['POST', '/lic_%00/deactivate', { activation_id: 1 }],
    ];
    for (const [method, path, body] of asked) {
      const { status, json } = await ask(method, path, body);
      expect([path, status, json.error]).toEqual([path, 400, 'invalid_request']);
    }
  });

  it('changes all fields of a licence or none, and logs each change', async () => {
    const { id } = (await ask('POST', '', order)).json;
    const { status, json } = await ask('PATCH', `/${id}`, {
      tier: 'starter',
      sites_allowed: 9,
      notes: 'Upgraded',
      features_added: ['beta'],
      expires_at: '2031-05-06T00:00:00.000Z',
    });
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({
        tier: 'starter',
        sites_allowed: 9,
        notes: 'Upgraded',
        features_added: ['beta'],
        paid_until: '2031-05-06T00:00:00.000Z',
      }),
    ]);
    const wrong = await ask('PATCH', `/${id}`, { expires_at: '2032-01-01', tier: 'gold' });
    expect([wrong.status, wrong.json.error]).toEqual([400, 'invalid_request']);
    expect((await ask('GET', `/${id}`)).json).toEqual(json);
    expect((await ask('PATCH', `/${id}`, {})).json).toEqual(json);

    expect((await ask('POST', `/${id}/suspend`)).json.status).toBe('suspended');
    expect((await ask('POST', `/${id}/reinstate`)).json.status).toBe('active');
    expect((await ask('POST', `/${id}/revoke`)).json.status).toBe('revoked');
    const again = await ask('POST', `/${id}/revoke`);
    expect([again.status, again.json.error]).toEqual([409, 'not_possible']);
    const revoked = await ask('PATCH', `/${id}`, { tier: 'pro', expires_at: '2033-01-01' });
    expect([revoked.status, revoked.json.error]).toEqual([409, 'not_possible']);
    const events = await app.platform.datastore.db
      .selectFrom('licence_events')
      .innerJoin('licences', 'licences.id', 'licence_events.licence_id')
      .select(['action', 'actor'])
      .where('licences.public_id', '=', id)
      .orderBy('licence_events.id')
      .execute();
    expect(new Set(events.map(({ actor }) => actor))).toEqual(
      new Set([`API token (${await name()})`]),
    );
    expect(events.map(({ action }) => action)).toEqual([
      'issued',
      'edited',
      'extended',
      'suspended',
      'reinstated',
      'revoked',
    ]);
  });

  it.each([
    [{ days: 730 }, 'days'],
    [{ status: 'revoked' }, 'status'],
    [{ tier: 'starter', email: 'other@example.com' }, 'email'],
  ])('changes nothing for %j, and lists the fields that can be changed', async (body, field) => {
    const { id } = (await ask('POST', '', order)).json;
    const before = (await ask('GET', `/${id}`)).json;
    const { status, json } = await ask('PATCH', `/${id}`, body);
    expect([status, json]).toEqual([
      400,
      {
        error: 'invalid_request',
        message:
          `${field} cannot be set. Fields that can be set: tier, sites_allowed, grace_days, ` +
          'development_sites_free, notes, features_added, features_removed, expires_at.',
      },
    ]);
    expect((await ask('GET', `/${id}`)).json).toEqual(before);
  });

  it('keeps the reason of a suspension and a revocation', async () => {
    const { id } = (await ask('POST', '', order)).json;
    for (const wrong of [{ reason: 1 }, { reason: 'x'.repeat(5_001) }]) {
      const { status, json } = await ask('POST', `/${id}/suspend`, wrong);
      expect([status, json.error]).toEqual([400, 'invalid_request']);
    }
    await ask('POST', `/${id}/suspend`, { reason: 'Unpaid since May' });
    const { status, json } = await ask('POST', `/${id}/revoke`, { reason: 'Chargeback' });
    expect([status, json.status]).toEqual([200, 'revoked']);
    const { detail } = await getLicenceDetail(app.platform, id);
    expect(detail.events.slice(1)).toMatchObject([
      { action: 'suspended', details: { reason: 'Unpaid since May' } },
      { action: 'revoked', details: { reason: 'Chargeback' } },
    ]);
  });

  it('lists activations and deactivates one', async () => {
    const { id, licence_key } = (await ask('POST', '', order)).json;
    const { activation_id } = (
      await app.http.site('activate', licence_key, 'https://a.example.com')
    ).json;
    const list = async () => (await ask('GET', `/${id}/activations`)).json.activations;
    const active = {
      id: activation_id,
      site_url: 'https://a.example.com',
      activated_at: TEXT,
      deactivated_at: null,
    };
    expect(await list()).toEqual([active]);
    const ended = await ask('POST', `/${id}/deactivate`, { activation_id });
    expect([ended.status, ended.json]).toEqual([200, { success: true, message: TEXT }]);
    expect(await list()).toEqual([{ ...active, deactivated_at: TEXT }]);
    const none = await ask('POST', `/${id}/deactivate`, { activation_id: 999_999 });
    expect([none.status, none.json.error]).toEqual([404, 'activation_not_found']);
  });

  it('answers 401 with a challenge without a token, and with one that is not valid', async () => {
    const { secret } = await newToken();
    const expiring = await newToken({
      expires_at: new Date(app.clock.now() + DAY_MS).toISOString(),
    });
    const use = (authorization?: string) =>
      app.http.get(ROOT, { headers: { ...(authorization && { authorization }) } });
    expect((await use(`Bearer ${expiring.secret}`)).status).toBe(200);
    app.clock.advance(DAY_MS);
    for (const [sent, challenge] of [
      [undefined, 'Bearer realm="Pavis Administration API"'],
      ...[
        `Bearer pv_api_${'x'.repeat(40)}`,
        `Bearer ${secret.slice(0, -1)}`,
        `Basic ${secret}`,
        'Bearer x',
        `Bearer ${expiring.secret}`,
      ].map((each) => [each, 'Bearer realm="Pavis Administration API", error="invalid_token"']),
    ] as const) {
      const { status, json, headers } = await use(sent);
      expect([sent, status, json]).toEqual([sent, 401, { error: 'unauthorised', message: TEXT }]);
      expect(headers.get('www-authenticate')).toBe(challenge);
    }
    const refused = await listSecurityEvents('credential_refused');
    expect(refused.reduce((sum, { count }) => sum + count, 0)).toBe(5);
    expect(refused[0]?.details).toMatchObject({ method: 'api_token' });
    expect(app.logged()).not.toContain('pv_api_');
  });

  it('refuses a revoked token from the next request', async () => {
    const { record, secret } = await newToken();
    const use = () => app.http.get(ROOT, { headers: bearer(secret) });
    expect((await use()).status).toBe(200);
    await revokeToken(app.platform, record.id, 'test');
    const { status, json } = await use();
    expect([status, json.message]).toEqual([401, expect.stringContaining('revoked')]);
  });

  it.each([
    ['licences:read', 'GET', '', undefined],
    ['licences:read', 'GET', '/lic_x', undefined],
    ['licences:read', 'GET', '/lic_x/activations', undefined],
    ['licences:issue', 'POST', '', order],
    ['licences:write', 'PATCH', '/lic_x', { notes: 'x' }],
    ['licences:write', 'POST', '/lic_x/suspend', undefined],
    ['licences:write', 'POST', '/lic_x/reinstate', undefined],
    ['licences:write', 'POST', '/lic_x/revoke', undefined],
    ['licences:write', 'POST', '/lic_x/deactivate', { activation_id: 1 }],
  ] as const)('needs the scope %s for %s %s', async (scope, method, path, body) => {
    const { secret } = await newToken({ scopes: TOKEN_SCOPES.filter((each) => each !== scope) });
    const { status, json, headers } = await ask(method, path, body, bearer(secret));
    expect([status, json]).toEqual([
      403,
      { error: 'scope_missing', message: expect.stringContaining(scope) },
    ]);
    expect(headers.get('www-authenticate')).toContain(`insufficient_scope", scope="${scope}"`);
    const { secret: only } = await newToken({ scopes: [scope] });
    expect([200, 201, 404]).toContain((await ask(method, path, body, bearer(only))).status);
  });

  it('keeps a token of one product from the licences of others', async () => {
    await createProduct(app.platform, { slug: 'forms', name: 'Forms' }, 'test');
    await createPlan(app.platform, 'forms', { tier: 'solo' }, 'test');
    const { secret } = await newToken({ product: 'forms' });
    const own = (method: string, path: string, body?: object) =>
      ask(method, path, body, bearer(secret));
    const { id } = await makeLicence(app.platform);
    const mine = await own('POST', '', { ...order, tier: 'solo' });
    expect([mine.status, mine.json.product]).toEqual([201, 'forms']);
    const listed = await own('GET', '');
    expect(listed.json.licences.map((each: { id: string }) => each.id)).toEqual([mine.json.id]);
    expect((await own('GET', '?product=forms')).status).toBe(200);
    const [foreign, unknown] = [await own('GET', `?cursor=${id}`), await own('GET', '?cursor=x')];
    expect([foreign.status, foreign.json]).toEqual([400, unknown.json]);
    const product = { error: 'product_not_allowed', message: TEXT };
    expect((await own('GET', '?product=pavis')).json).toEqual(product);
    expect((await own('POST', '', { ...order, product: 'pavis' })).json).toEqual(product);
    for (const [method, path, body] of [
      ['GET', `/${id}`],
      ['GET', `/${id}/activations`],
      ['PATCH', `/${id}`, { notes: 'x' }],
      ['POST', `/${id}/suspend`],
      ['POST', `/${id}/revoke`],
      ['POST', `/${id}/deactivate`, { activation_id: 1 }],
    ] as const) {
      const { status, json } = await own(method, path, body);
      expect([path, status, json.error]).toEqual([path, 404, 'licence_not_found']);
    }
    expect((await ask('GET', `/${id}`)).json.status).toBe('active');
  });

  it('records the last use to the hour', async () => {
    const { record, secret } = await newToken();
    const read = async () =>
      (
        await app.platform.datastore.db
          .selectFrom('api_tokens')
          .select('last_used_at')
          .where('id', '=', record.id)
          .executeTakeFirstOrThrow()
      ).last_used_at;
    const use = () => app.http.get(ROOT, { headers: bearer(secret) });
    expect(await read()).toBeNull();
    await use();
    const first = app.clock.now();
    expect(await read()).toBe(first);
    app.clock.advance(HOUR_MS - 1);
    await use();
    expect(await read()).toBe(first);
    app.clock.advance(1);
    await use();
    expect(await read()).toBe(first + HOUR_MS);
  });

  it('has no CORS headers, because tokens belong on servers', async () => {
    const headers = { origin: app.url, 'access-control-request-method': 'GET' };
    const { headers: answered } = await app.http.request('OPTIONS', ROOT, { headers });
    expect(answered.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the limits of the Administration API', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_ADMIN: '3' });
  const use = (token: string) =>
    app.http.get(ROOT, { headers: { authorization: `Bearer ${token}` } });
  const create = async (name: string) =>
    (await createToken(app.platform, { name, scopes: ['licences:read'] }, BY)).secret;

  it('are per token, with Retry-After', async () => {
    const [busy, other] = [await create('Busy'), await create('Other')];
    for (let n = 0; n < 3; n++) expect((await use(busy)).status).toBe(200);
    const { status, json, headers } = await use(busy);
    expect([status, json.error, headers.get('retry-after')]).toEqual([429, 'rate_limited', '60']);
    expect((await use(other)).status).toBe(200);
  });

  it('refuse an address after 20 invalid tokens in 15 minutes, and let valid tokens pass', async () => {
    const valid = await create('Valid');
    for (let n = 0; n < 20; n++) expect((await use(`pv_api_${n}`)).status).toBe(401);
    const { status, json, headers } = await use('pv_api_21');
    expect([status, json.error, headers.get('retry-after')]).toEqual([429, 'rate_limited', '900']);
    expect((await use(valid)).status).toBe(200);
    app.clock.advance(15 * 60_000);
    expect((await use('pv_api_22')).status).toBe(401);
  });
});

describe('the addresses of the Administration API', () => {
  const app = useTestApp('sqlite');
  const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const isPage = ({ headers }: { headers: Headers }) =>
    headers.get('content-type')?.startsWith('text/html');

  it('are those of the console for a browser that opens them', async () => {
    for (const path of [
      ROOT,
      `${ROOT}?status=active`,
      `${ROOT}/lic_1`,
      `${ROOT}/lic_1/activations`,
    ])
      expect([path, isPage(await app.http.get(path, { headers: page }))]).toEqual([path, true]);
  });

  it('answer every other client as the API, also without a token', async () => {
    const requests = [
      ['GET', ROOT, {}],
      ['GET', `${ROOT}/lic_1`, { accept: 'application/json' }],
      ['GET', ROOT, { ...page, authorization: 'Bearer pv_api_x' }],
      ['POST', ROOT, page],
    ] as const;
    for (const [method, path, headers] of requests) {
      const { status, json } = await app.http.request(method, path, { headers });
      expect([method, path, status, json.error]).toEqual([method, path, 401, 'unauthorised']);
    }
    expect(isPage(await app.http.get('/admin/users'))).toBe(true);
    for (const [path, expected] of [
      [`${ROOT}/lic_1/nope`, 404],
      [`${ROOT}/lic_1/suspend`, 405],
    ] as const) {
      const { status, json } = await app.http.get(path);
      expect([path, status, isPage(await app.http.get(path, { headers: page }))]).toEqual([
        path,
        expected,
        true,
      ]);
      expect(json.message).toEqual(expect.any(String));
    }
  });

  it('include those of version 0.2.0', async () => {
    const by = await createToken(app.platform, { name: 'Old', scopes: [...TOKEN_SCOPES] }, BY);
    const headers = { authorization: `Bearer ${by.secret}` };
    const at = '/admin-api/licences';
    const body = { email: 'ada@example.com', tier: 'pro', days: 30 };
    const { status, json } = await app.http.post(at, { headers, body });
    expect(status).toBe(201);
    expect((await app.http.get(`${at}/${json.id}?x=1`, { headers })).json.id).toBe(json.id);
    expect((await app.http.get(at, { headers: page })).status).toBe(401);
    expect((await app.http.get('/admin-api/users', { headers: page })).status).toBe(404);
  });
});

describe('the Administration API below a path', () => {
  const app = useTestApp('sqlite', { PAVIS_BASE_URL: 'https://licences.example/v1' });

  it('leaves the addresses of the console alone', async () => {
    const accept = 'text/html';
    const below = await app.http.get(`/v1${ROOT}`, { headers: { accept } });
    expect([below.status, below.json.error]).toEqual([401, 'unauthorised']);
    const earlier = await app.http.get('/v1/admin-api/licences');
    expect([earlier.status, earlier.json.error]).toEqual([401, 'unauthorised']);
    const { headers } = await app.http.get(ROOT);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
  });
});
