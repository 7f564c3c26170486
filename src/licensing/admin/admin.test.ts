import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence, makeMoreLicences } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser, signIn } from '../../../test/support/users.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { extendLicence, lockLicence, maskKey, updateLicence } from '../licences/index.ts';
import { NEVER } from '../products/index.ts';
import { deleteCustomer } from './customers/deletion.ts';

const ROOT = '/console/licences';
const KEY = /^pv_live_[A-Za-z0-9]{32}$/;
const TEXT = expect.stringMatching(/\S/);

describe.each(ENGINES)('Licence administration on %s', (engine) => {
  const app = useTestApp(engine);
  let staff: Promise<Awaited<ReturnType<typeof makeUser>>> | undefined;
  async function ask(method: string, path: string, body?: object, more: object = {}) {
    staff ??= makeUser(app.platform);
    const { login, applicationPassword } = await staff;
    const headers = { ...basic(login, applicationPassword), ...more };
    return app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
  }
  const actor = async () => `console (${(await staff)?.login})`;
  const ids = async (query: string) =>
    (await ask('GET', `?${query}`)).json.map(({ id }: { id: string }) => id);
  const validate = async (key: string) =>
    (await app.http.site('validate', key, 'https://a.example.com')).json;

  it('issues a licence, returns its key once, and logs the user', async () => {
    const { status, json } = await ask('POST', '', {
      email: 'Ada@Example.com',
      tier: 'pro',
      expires_at: '2027-11-21T23:59:59.000Z',
      grace_days: 7,
      development_sites_free: true,
      mail: true,
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      id: expect.stringMatching(/^lic_/),
      licence_key: expect.stringMatching(KEY),
      key: `${json.licence_key.slice(0, 12)}…${json.licence_key.slice(-4)}`,
      email: 'ada@example.com',
      mode: 'live',
      tier: 'pro',
      status: 'active',
      sites_allowed: 3,
      sites_used: 0,
      grace_days: 7,
      development_sites_free: true,
      expires_at: '2027-11-21T23:59:59.000Z',
      suspended_at: null,
      revoked_at: null,
      activations: [],
      events: [{ action: 'issued', actor: await actor() }],
    });
    expect(await validate(json.licence_key)).toMatchObject({ valid: true });
    const again = await ask('GET', `/${json.id}`);
    const { licence_key, ...shownAlways } = json;
    expect([again.status, again.json]).toEqual([200, shownAlways]);
    const mails = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['kind', 'recipient'])
      .execute();
    expect(mails).toEqual([{ kind: 'licence_issued', recipient: 'ada@example.com' }]);
    expect(app.logged()).not.toContain(licence_key);
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['tier', { tier: 'gold' }],
    ['expires_at', { expires_at: 'soon' }],
    ['expires_at', { expires_at: '2027-02-30' }],
    ['sites_allowed', { sites_allowed: 0 }],
    ['mode', { mode: 'dead' }],
  ])('issues nothing with an invalid %s: %j', async (param, wrong) => {
    const asked = { email: 'a@example.com', tier: 'pro', expires_at: '2027-11-21', ...wrong };
    const { status, json } = await ask('POST', '', asked);
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(json.data.params)).toEqual([param]);
  });

  it('issues one licence and email for a repeated Idempotency-Key', async () => {
    const email = 'once@example.com';
    const asked = { email, tier: 'pro', expires_at: '2027-11-21', mail: true };
    const issue = (key: string, body: object = asked) =>
      ask('POST', '', body, { 'idempotency-key': key });
    const same = await Promise.all([issue('form-1'), issue('form-1'), issue('form-1')]);
    const [first] = same;
    for (const { status, json } of same) expect([status, json]).toEqual([201, first?.json]);
    expect(await validate(first?.json.licence_key)).toMatchObject({ valid: true });
    const mails = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select('id')
      .where('recipient', '=', email)
      .execute();
    expect(mails).toHaveLength(1);
    // Another form or request is another licence.
    const others = [
      await issue('form-2'),
      await issue('form-1', { ...asked, tier: 'starter' }),
      await issue(''),
      await issue(''),
    ];
    expect(new Set([first, ...others].map((each) => each?.json.id)).size).toBe(5);
    await ask('POST', `/${first?.json.id}/reroll`, { overlap_hours: 0 });
    const rotated = await issue('form-1');
    expect([rotated.status, rotated.json.code]).toEqual([409, 'key_rotated']);
    expect(rotated.json.message).toContain(first?.json.id);
  });

  it('finds licences by email address, identifier, and start, end or whole of a key, also a rotated one', async () => {
    const { id, key } = await makeLicence(app.platform, { email: 'findme@search.example' });
    await makeLicence(app.platform, { email: 'other@search.example' });
    for (const search of [
      'findme@search.example',
      'FINDME',
      id,
      key.slice(0, 12),
      key.slice(-4),
      `${key.slice(0, 12)}...${key.slice(-4)}`,
      key,
    ]) {
      const found = await ids(new URLSearchParams({ search }).toString());
      expect([search, found.includes(id)]).toEqual([search, true]);
    }
    expect(await ids(new URLSearchParams({ search: key }).toString())).toEqual([id]);
    await ask('POST', `/${id}/reroll`);
    expect(await ids(new URLSearchParams({ search: key }).toString())).toEqual([id]);
    expect(await ids('search=search.example')).toHaveLength(2);
    expect(await ids('search=%25')).toEqual([]);
    // What lies between start and end of a key is not kept, so it finds nothing.
    expect(await ids(`search=${key.slice(14, 26)}`)).toEqual([]);
  });

  it('finds a licence by the URL of a site in any spelling, also of a deactivated site', async () => {
    const { id, key } = await makeLicence(app.platform);
    await app.http.site('activate', key, 'https://Blumen.Example.net/laden');
    await app.http.site('activate', key, 'https://münchen.example.net');
    await app.http.site('activate', key, 'https://gone.example.net');
    await app.http.site('deactivate', key, 'https://gone.example.net');
    for (const search of [
      'https://Blumen.Example.net/laden',
      'http://www.blumen.example.net/laden/?from=mail',
      'https://blumen.example.net/laden/wp-admin/plugins.php',
      'blumen.example.net',
      'BLUMEN',
      'https://MÜNCHEN.example.net/',
      'gone.example.net',
    ]) {
      const found = await ids(new URLSearchParams({ search }).toString());
      expect([search, found]).toEqual([search, [id]]);
    }
    for (const other of ['https://elsewhere.example.net', 'https://blumen.example.net/ladenburg'])
      expect(await ids(`search=${other}`)).toEqual([]);
  });

  it('edits a licence, and logs the user and each field before and after', async () => {
    const { id, key } = await makeLicence(app.platform);
    expect(await validate(key)).toMatchObject({ tier: 'pro', sites_allowed: 3 });
    const edit = {
      tier: 'agency',
      sites_allowed: 40,
      grace_days: 10,
      development_sites_free: true,
      notes: 'Pays by invoice.\nAsk Özge.',
    };
    const { status, json } = await ask('PUT', `/${id}`, edit);
    expect([status, json]).toEqual([200, expect.objectContaining({ ...edit, notice: null })]);
    expect(json.events.at(-1)).toMatchObject({
      actor: await actor(),
      action: 'edited',
      details: {
        ...edit,
        before: {
          tier: 'pro',
          sites_allowed: 3,
          grace_days: 0,
          development_sites_free: false,
          notes: '',
        },
      },
    });
    expect(await validate(key)).toMatchObject({ tier: 'agency', sites_allowed: 40 });
    const again = await ask('PUT', `/${id}`, { tier: 'agency' });
    expect(again.json.events).toHaveLength(json.events.length);
    const partial = await ask('PATCH', `/${id}`, { notes: '' });
    expect(partial.json).toMatchObject({ ...edit, notes: '' });
    expect((await ask('GET', `?search=${id}`)).json[0]).toMatchObject({ ...edit, notes: '' });
    expect((await ask('PUT', '/lic_none', { grace_days: 1 })).status).toBe(404);
  });

  it.each([
    ['tier', { tier: 'gold' }],
    ['sites_allowed', { sites_allowed: 0 }],
    ['sites_allowed', { sites_allowed: 1.5 }],
    ['grace_days', { grace_days: 366 }],
    ['development_sites_free', { development_sites_free: 'perhaps' }],
    ['notes', { notes: 'x'.repeat(5_001) }],
  ])('changes nothing with an invalid %s', async (param, wrong: object) => {
    const { id } = await makeLicence(app.platform);
    const { status, json } = await ask('PUT', `/${id}`, { notes: 'new', ...wrong });
    expect([status, Object.keys(json.data.params)]).toEqual([400, [param]]);
    expect((await ask('GET', `/${id}`)).json.notes).toBe('');
  });

  it('rejects an edit whose If-Match is out of date', async () => {
    const { id } = await makeLicence(app.platform);
    staff ??= makeUser(app.platform);
    const { login, applicationPassword } = await staff;
    const edit = (body: object, tag: string) =>
      app.http.request('PUT', `${ROOT}/${id}`, {
        headers: { ...basic(login, applicationPassword), 'if-match': tag },
        body,
      });
    const tag = (await ask('GET', `/${id}`)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    // A payment or a person that moves the end does not get in the way.
    await ask('POST', `/${id}/extend`, { expires_at: '2030-01-01' });
    const [one, other] = await Promise.all([
      edit({ sites_allowed: 5 }, tag),
      edit({ sites_allowed: 7 }, tag),
    ]);
    expect([one.status, other.status].sort()).toEqual([200, 412]);
    const [won, lost] = one.status === 200 ? [one, other] : [other, one];
    expect(lost.json).toMatchObject({
      code: 'rest_precondition_failed',
      message: expect.stringContaining('changed after you read it'),
    });
    const now = await ask('GET', `/${id}`);
    expect([now.json.sites_allowed, now.headers.get('etag')]).toEqual([
      won.json.sites_allowed,
      won.headers.get('etag'),
    ]);
    expect((await edit({ sites_allowed: 9 }, won.headers.get('etag') ?? '')).status).toBe(200);
  });

  it('returns a notice when fewer sites are allowed than active, and keeps them active', async () => {
    const { id, key } = await makeLicence(app.platform);
    const site = (name: string) => `https://${name}.example.org`;
    for (const name of ['a', 'b', 'c']) await app.http.site('activate', key, site(name));
    const { json } = await ask('PUT', `/${id}`, { sites_allowed: 2 });
    expect(json).toMatchObject({
      sites_used: 3,
      sites_allowed: 2,
      notice:
        '3 sites are active, but 2 are allowed. The active sites stay valid. No other site can be activated until ' +
        '2 sites are deactivated or more are allowed.',
    });
    for (const name of ['a', 'b', 'c'])
      expect((await app.http.site('validate', key, site(name))).json.valid).toBe(true);
    expect((await app.http.site('activate', key, site('a'))).status).toBe(200);
    const refused = () => app.http.site('activate', key, site('d'));
    expect((await refused()).json.error).toBe('activation_limit_reached');
    await app.http.site('deactivate', key, site('b'));
    expect((await refused()).json.error).toBe('activation_limit_reached');
    await app.http.site('deactivate', key, site('c'));
    expect((await refused()).status).toBe(200);
    expect((await ask('GET', `/${id}`)).json.notice).toBeNull();
  });

  it('recounts the slots of active development sites when the setting is changed', async () => {
    const { id, key } = await makeLicence(app.platform, { sitesAllowed: 1 });
    await app.http.site('activate', key, 'https://shop.test');
    expect((await app.http.site('activate', key, 'https://shop.example.com')).status).toBe(403);
    expect((await ask('PUT', `/${id}`, { development_sites_free: true })).json).toMatchObject({
      sites_used: 0,
      notice: null,
    });
    expect((await app.http.site('activate', key, 'https://shop.example.com')).status).toBe(200);
    expect((await ask('PUT', `/${id}`, { development_sites_free: false })).json).toMatchObject({
      sites_used: 2,
      notice: expect.stringContaining('2 sites are active, but 1 is allowed'),
    });
  });

  it('allows to edit only the notes of a revoked licence', async () => {
    const { id } = await makeLicence(app.platform);
    await ask('POST', `/${id}/revoke`);
    const { status, json } = await ask('PUT', `/${id}`, { tier: 'agency' });
    expect([status, json.code]).toEqual([409, 'not_possible']);
    expect((await ask('PUT', `/${id}`, { notes: 'Fraud.' })).json.notes).toBe('Fraud.');
  });

  it('clears the notes when a licence is transferred', async () => {
    const { id } = await makeLicence(app.platform);
    await ask('PUT', `/${id}`, { notes: 'Ada calls often.' });
    const { json } = await ask('POST', `/${id}/transfer`, { email: 'next@example.com' });
    expect(json.notes).toBe('');
    expect(json.events.at(-1).details.before).toEqual({ notes: 'Ada calls often.' });
  });

  it('names both customers of a transfer, until they are erased', async () => {
    const { id, email } = await makeLicence(app.platform);
    await ask('POST', `/${id}/transfer`, { email: 'buyer@transfer.example' });
    const details = async () => (await ask('GET', `/${id}`)).json.events.at(-1).details;
    expect(await details()).toMatchObject({
      from_email: email,
      to_email: 'buyer@transfer.example',
    });
    const stored = await app.platform.datastore.db
      .selectFrom('licence_events')
      .select('details')
      .where('action', '=', 'transferred')
      .execute();
    expect(JSON.stringify(stored)).not.toContain('@');
    await deleteCustomer(app.platform, email, 'test', async () => ({
      insert: async () => {},
      withdraw: async () => {},
    }));
    const { events } = (await ask('GET', `/${id}`)).json;
    const transfer = events.find(({ action }: { action: string }) => action === 'transferred');
    expect(transfer.details.from_email).toBeNull();
  });

  it('emails a rotated key to the customer unless mail is false', async () => {
    const { id, email } = await makeLicence(app.platform);
    const mails = () =>
      app.platform.datastore.db
        .selectFrom('outbox_mails')
        .select('kind')
        .where('recipient', '=', email)
        .execute();
    await ask('POST', `/${id}/reroll`, { mail: false });
    expect(await mails()).toEqual([]);
    await ask('POST', `/${id}/reroll`, { overlap_hours: 1 });
    expect(await mails()).toEqual([{ kind: 'licence_rerolled' }]);
  });

  it('issues many licences from a table, with a report and a key for each line', async () => {
    const csv =
      '\uFEFFEmail;Sites_allowed;Notes;Tier\r\nbulk-a@example.com;7;"Fair; stand 4";\r\n\r\nbulk-b@example.com;;;agency\r\n';
    const common = { csv, tier: 'pro', expires_at: '2028-01-01', mail: true };
    const dry = await ask('POST', '/bulk', { ...common, dry_run: true });
    const line = (at: number, email: string, tier: string, sites_allowed: number) => ({
      line: at,
      email,
      tier,
      sites_allowed,
      expires_at: '2028-01-01T00:00:00.000Z',
      error: null,
    });
    const lines = [
      line(2, 'bulk-a@example.com', 'pro', 7),
      line(4, 'bulk-b@example.com', 'agency', 25),
    ];
    const none = { id: null, licence_key: null };
    expect([dry.status, dry.json]).toEqual([
      200,
      { dry_run: true, issued: 0, failed: 0, lines: lines.map((each) => ({ ...each, ...none })) },
    ]);
    expect(await ids('search=bulk-a@example.com')).toEqual([]);
    const { json } = await ask('POST', '/bulk', common);
    const shown = { id: expect.stringMatching(/^lic_/), licence_key: expect.stringMatching(KEY) };
    expect(json).toEqual({
      dry_run: false,
      issued: 2,
      failed: 0,
      lines: lines.map((each) => ({ ...each, ...shown })),
    });
    expect(await validate(json.lines[0].licence_key)).toMatchObject({ sites_allowed: 7 });
    const issued = (await ask('GET', `/${json.lines[0].id}`)).json;
    expect(issued).toMatchObject({ notes: 'Fair; stand 4', events: [{ actor: await actor() }] });
    const mails = app.platform.datastore.db.selectFrom('outbox_mails').select('recipient');
    const sent = await mails.where('recipient', 'like', 'bulk-%').orderBy('recipient').execute();
    expect(sent.map(({ recipient }) => recipient)).toEqual([
      'bulk-a@example.com',
      'bulk-b@example.com',
    ]);
    expect(app.logged()).not.toContain(json.lines[1].licence_key);
  });

  it('issues the licences of a table once for a repeated Idempotency-Key, also with a validity in days', async () => {
    const csv = 'email,days\ntwice@once.example,30\ntwice@once.example,30\nlater@once.example,';
    const body = { csv, tier: 'pro', expires_at: '2028-01-01', mail: true };
    const issue = (key: string) => ask('POST', '/bulk', body, { 'idempotency-key': key });
    const [first, same] = await Promise.all([issue('table-1'), issue('table-1')]);
    app.clock.advance(60_000);
    for (const { status, json } of [same, await issue('table-1')])
      expect([status, json]).toEqual([200, first.json]);
    const keys = first.json.lines.map((line: { licence_key: string }) => line.licence_key);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(await validate(key)).toMatchObject({ valid: true });
    const mails = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select('id')
      .where('recipient', 'like', '%@once.example')
      .execute();
    expect(mails).toHaveLength(3);
    expect(await ids('search=once.example')).toHaveLength(3);
    const others = [await issue('table-2'), await issue(''), await issue('')];
    const all = others.flatMap(({ json }) => json.lines.map(({ id }: { id: string }) => id));
    expect(new Set(all).size).toBe(9);
    await ask('POST', `/${first.json.lines[1].id}/reroll`, { overlap_hours: 0 });
    const rotated = await issue('table-1');
    expect([rotated.status, rotated.json.code]).toEqual([409, 'key_rotated']);
  });

  it('issues nothing from a table with an invalid line, and reports each error', async () => {
    const csv = [
      'email,tier,expires_at,sites_allowed',
      'good@bulk.example,pro,2028-01-01,3',
      'nobody,pro,2028-01-01,3',
      'a@bulk.example,gold,2028-01-01,3',
      'b@bulk.example,pro,soon,3',
      'c@bulk.example,pro,2028-01-01,0',
      ',pro,2028-01-01,3',
      'd@bulk.example,pro,2028-01-01,3,7',
    ].join('\n');
    const { status, json } = await ask('POST', '/bulk', { csv });
    expect([status, json.issued, json.failed]).toEqual([200, 0, 6]);
    const errors = json.lines.map(({ error }: { error: string | null }) => error);
    expect(errors).toEqual([
      null,
      TEXT,
      expect.stringContaining('tier'),
      TEXT,
      expect.stringContaining('sites_allowed'),
      'Missing: email.',
      expect.stringContaining('more cells'),
    ]);
    expect(await ids('search=bulk.example')).toEqual([]);
  });

  it.each([
    ['an unknown column', { csv: 'email,colour\na@example.com,red' }],
    ['a quote that is not closed', { csv: 'email,tier\n"a@example.com,pro' }],
    ['a head alone', { csv: 'email,tier' }],
    ['nothing', {}],
    ['too many lines', { csv: `email\n${'a@b.example\n'.repeat(1_001)}` }],
  ])('rejects a table with %s', async (_, body) => {
    const { status, json } = await ask('POST', '/bulk', body);
    expect([status, Object.keys(json.data.params)]).toEqual([400, ['csv']]);
  });

  it('takes the validity in days instead of the expiry, of a line or of all lines', async () => {
    const csv = [
      'email,days,expires_at',
      'days-a@example.com,30,',
      'days-b@example.com,,2028-01-01',
      'days-c@example.com,,',
    ].join('\n');
    const now = app.clock.now();
    const inDays = (days: number) => new Date(now + days * DAY_MS).toISOString();
    const expiries = async (body: object) => {
      const { json } = await ask('POST', '/bulk', { csv, tier: 'pro', dry_run: true, ...body });
      return json.lines.map((line: { error: string | null; expires_at: string | null }) =>
        line.error ? line.error : line.expires_at,
      );
    };
    const day = '2028-01-01T00:00:00.000Z';
    expect(await expiries({ days: 365 })).toEqual([inDays(30), day, inDays(365)]);
    expect(await expiries({ expires_at: '2029-01-01' })).toEqual([
      inDays(30),
      day,
      '2029-01-01T00:00:00.000Z',
    ]);
    expect(await expiries({})).toEqual([inDays(30), day, 'Missing: expires_at or days.']);
    const both = 'Enter either expires_at or days.';
    expect(await expiries({ csv: 'email,days,expires_at\na@example.com,1,2028-01-01' })).toEqual([
      both,
    ]);
    expect(await expiries({ csv: 'email,days\na@example.com,0' })).toEqual([
      expect.stringContaining('days'),
    ]);
    const { status } = await ask('POST', '/bulk', { csv, days: 1, expires_at: '2028-01-01' });
    expect(status).toBe(400);
    const table = 'email,tier,days\ndays-d@example.com,pro,30';
    const { json } = await ask('POST', '/bulk', { csv: table });
    expect(json).toMatchObject({ issued: 1, lines: [{ expires_at: inDays(30) }] });
  });

  it('issues a number of licences to one customer', async () => {
    const asked = {
      count: 3,
      email: 'reseller@example.com',
      tier: 'starter',
      expires_at: '2028-01-01',
    };
    const { json } = await ask('POST', '/bulk', asked);
    expect(json).toMatchObject({ issued: 3, failed: 0 });
    expect(new Set(json.lines.map((each: { licence_key: string }) => each.licence_key)).size).toBe(
      3,
    );
    expect(await ids('search=reseller@example.com')).toHaveLength(3);
  });

  it('exports the licences that match a filter, with escaped formulas', async () => {
    const { id, key } = await makeLicence(app.platform, {
      email: 'export@csv.example',
      notes: '=1+1',
    });
    await makeLicence(app.platform, { email: 'other@csv.example', tier: 'agency' });
    const csv = await ask('GET', '/export?search=csv.example');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=UTF-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="licences.csv"');
    const [head = '', ...rows] = csv.text.trim().split('\r\n');
    expect(head).toMatch(/^id,key,mode,tier,status,sites_allowed,sites_used,expires_at,.*,notes$/);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain(`${id},${key.slice(0, 12)}…${key.slice(-4)},live,pro,active,3,0,`);
    expect(rows[0]).toMatch(/,'=1\+1$/);
    expect(csv.text).not.toContain(key);
    const json = await ask('GET', '/export?search=csv.example&tier=agency&format=json');
    expect(JSON.parse(json.text)).toMatchObject([{ email: 'other@csv.example', tier: 'agency' }]);
    const empty = await ask('GET', '/export?search=nobody@nowhere.example&format=json');
    expect(JSON.parse(empty.text)).toEqual([]);
    const { db } = app.platform.datastore;
    const logged = await db.selectFrom('security_events').selectAll().execute();
    expect(JSON.stringify(logged)).toContain('licences');
  });

  it('filters licences by status, tier and mode, with pagination', async () => {
    const email = 'filters@example.org';
    const end = app.clock.now() + DAY_MS;
    const make = async (more: object) => (await makeLicence(app.platform, { email, ...more })).id;
    const active = await make({ tier: 'starter' });
    const inGrace = await make({ expiresAt: end, graceDays: 2 });
    const expired = await make({ expiresAt: end, mode: 'test' });
    const suspended = await make({ expiresAt: end });
    const revoked = await make({});
    await ask('POST', `/${suspended}/suspend`);
    await ask('POST', `/${revoked}/suspend`);
    await ask('POST', `/${revoked}/revoke`);
    app.clock.advance(DAY_MS);
    const own = (query: string) => ids(`search=filters@example.org&${query}`);
    expect(await own('status=active')).toEqual([inGrace, active]);
    expect((await ask('GET', `/${inGrace}`)).json).toMatchObject({
      paid_until: new Date(end).toISOString(),
      expires_at: new Date(end + 2 * DAY_MS).toISOString(),
    });
    expect(await own('status=expired')).toEqual([expired]);
    expect(await own('status=suspended')).toEqual([suspended]);
    expect(await own('status=revoked')).toEqual([revoked]);
    expect(await own('tier=starter')).toEqual([active]);
    expect(await own('mode=test')).toEqual([expired]);
    const second = await ask('GET', `?search=${email}&per_page=2&page=2`);
    expect(second.json.map(({ id }: { id: string }) => id)).toEqual([expired, inGrace]);
    expect(second.headers.get('x-wp-total')).toBe('5');
    expect(second.json[0]).toMatchObject({ status: 'expired', email });
    expect((await ask('GET', '?status=lost')).status).toBe(400);
  });

  it('suspends, reinstates and revokes, with effect on the next validation', async () => {
    const { id, key } = await makeLicence(app.platform);
    expect(await validate(key)).toMatchObject({ valid: true });
    for (const [verb, status, valid] of [
      ['suspend', 'suspended', false],
      ['reinstate', 'active', true],
      ['revoke', 'revoked', false],
    ] as const) {
      const answer = await ask('POST', `/${id}/${verb}`);
      expect([answer.status, answer.json.status]).toEqual([200, status]);
      expect(answer.json.events.at(-1)).toMatchObject({ actor: await actor() });
      expect(await validate(key)).toMatchObject({ valid });
    }
    for (const verb of ['suspend', 'reinstate', 'revoke', 'reroll']) {
      const { status, json } = await ask('POST', `/${id}/${verb}`);
      expect([status, json]).toEqual([
        409,
        { code: 'not_possible', message: TEXT, data: { status: 409 } },
      ]);
    }
  });

  it('keeps the reason of a suspension and a revocation in the activity', async () => {
    const { id } = await makeLicence(app.platform);
    const reason = 'Chargeback of order 1001.\nAsked twice.';
    const latest = async (verb: string, body?: object) =>
      (await ask('POST', `/${id}/${verb}`, body)).json.events.at(-1);
    expect(await latest('suspend', { reason: ` ${reason}\n` })).toMatchObject({
      action: 'suspended',
      details: { reason },
    });
    await ask('POST', `/${id}/reinstate`);
    expect((await latest('suspend', { reason: '  ' })).details).toEqual({});
    const wrong = await ask('POST', `/${id}/revoke`, { reason: 'x'.repeat(5_001) });
    expect([wrong.status, Object.keys(wrong.json.data.params)]).toEqual([400, ['reason']]);
    expect(await latest('revoke', { reason })).toMatchObject({
      action: 'revoked',
      details: { reason },
    });
  });

  it('changes the expiry, and transfers a licence to another customer', async () => {
    const { id, email } = await makeLicence(app.platform);
    const moved = await ask('POST', `/${id}/extend`, { expires_at: '2030-01-31T00:00:00Z' });
    expect(moved.json).toMatchObject({ expires_at: '2030-01-31T00:00:00.000Z' });
    const same = await ask('POST', `/${id}/extend`, { expires_at: '2030-01-31' });
    expect(same.json.events.map(({ action }: { action: string }) => action)).toEqual([
      'issued',
      'extended',
    ]);
    const given = await ask('POST', `/${id}/transfer`, { email: 'Heir@Example.com' });
    expect([given.status, given.json.email]).toEqual([200, 'heir@example.com']);
    expect(await ids(`search=${email}`)).not.toContain(id);
    const again = await ask('POST', `/${id}/transfer`, { email: 'heir@example.com' });
    expect([again.status, again.json.code]).toEqual([409, 'not_possible']);
    expect((await ask('POST', `/${id}/transfer`, { email: 'nobody' })).status).toBe(400);
    expect((await ask('POST', `/${id}/extend`, { expires_at: 'soon' })).status).toBe(400);
  });

  it('rotates the key at once or with an overlap, and returns it once', async () => {
    const { id, key } = await makeLicence(app.platform);
    const first = (await ask('POST', `/${id}/reroll`)).json.licence_key;
    expect(first).toMatch(KEY);
    expect(await validate(key)).toMatchObject({ error: 'licence_not_found' });
    const { json } = await ask('POST', `/${id}/reroll`, { overlap_hours: 168 });
    app.clock.advance(7 * DAY_MS - 1_000);
    expect(await validate(first)).toMatchObject({ valid: true });
    expect(await validate(json.licence_key)).toMatchObject({ valid: true });
    app.clock.advance(1_000);
    expect(await validate(first)).toMatchObject({ error: 'licence_not_found' });
    expect((await ask('POST', `/${id}/reroll`, { overlap_hours: 169 })).status).toBe(400);
  });

  it('deactivates a site and frees its slot', async () => {
    const { id, key } = await makeLicence(app.platform, { sitesAllowed: 1 });
    const other = await makeLicence(app.platform);
    await app.http.site('activate', key, 'https://one.example.com');
    await app.http.site('activate', other.key, 'https://other.example.com');
    const [site] = (await ask('GET', `/${id}`)).json.activations;
    expect(site).toMatchObject({ site_url: 'https://one.example.com', deactivated_at: null });
    const { status, json } = await ask('POST', `/${id}/release`, { activation_id: site.id });
    expect([status, json.sites_used]).toEqual([200, 0]);
    expect(json.activations).toMatchObject([{ id: site.id, deactivated_at: TEXT }]);
    expect(json.events.at(-1)).toMatchObject({ action: 'deactivated', actor: await actor() });
    expect((await app.http.site('activate', key, 'https://two.example.com')).status).toBe(200);
    const [theirs] = (await ask('GET', `/${other.id}`)).json.activations;
    const misplaced = await ask('POST', `/${id}/release`, { activation_id: theirs.id });
    expect([misplaced.status, misplaced.json.code]).toEqual([404, 'activation_not_found']);
  });

  it('allows only administrators, by application password or by cookie and nonce', async () => {
    const { id } = await makeLicence(app.platform);
    const editor = await makeUser(app.platform, 'editor');
    const known = await signIn(app.http, await makeUser(app.platform));
    const ways: [headers: Record<string, string>, status: number, code: string | undefined][] = [
      [{}, 401, 'rest_forbidden'],
      [basic(editor.login, editor.applicationPassword), 403, 'rest_forbidden'],
      [{ cookie: known.cookie }, 401, 'rest_forbidden'],
      [{ cookie: known.cookie, 'x-wp-nonce': 'wrong' }, 403, 'rest_cookie_invalid_nonce'],
      [{ cookie: known.cookie, 'x-wp-nonce': known.nonce }, 200, undefined],
    ];
    for (const [headers, expected, code] of ways) {
      for (const path of ['', `/${id}`]) {
        const { status, json } = await app.http.get(ROOT + path, { headers });
        expect([status, json.code]).toEqual([expected, code]);
      }
      const changed = await app.http.post(`${ROOT}/${id}/extend`, {
        headers,
        body: { expires_at: '2030-01-01' },
      });
      expect([changed.status, changed.json.code]).toEqual([expected, code]);
    }
  });

  it('returns 404 for unknown licences, and is not listed in the REST index', async () => {
    for (const [method, path] of [
      ['GET', '/lic_none'],
      ['POST', '/lic_none/suspend'],
    ] as const) {
      const { status, json } = await ask(method, path, method === 'POST' ? {} : undefined);
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
    for (const path of ['/console', '/console/', '/console/nothing']) {
      const { status, json } = await app.http.get(path);
      expect([path, status, json.code]).toEqual([path, 404, 'rest_no_route']);
    }
    // On one page: the header also has the addresses of other pages.
    expect((await ask('GET', '?per_page=100')).headers.get('link')).toBeNull();
  });

  describe('the customer of a licence', () => {
    it('is not recorded as erased when a licence is issued just before the deletion', async () => {
      const { id, email } = await makeLicence(app.platform);
      await ask('POST', `/${id}/revoke`);
      const noted = new Set<string>();
      const recordErasure = async (address: string) => {
        noted.add(address);
        await makeLicence(app.platform, { email });
        return { insert: async () => {}, withdraw: async () => void noted.delete(address) };
      };
      await expect(deleteCustomer(app.platform, email, 'test', recordErasure)).rejects.toThrow(
        'cannot be deleted yet',
      );
      expect(noted.size).toBe(0);
    });

    it('is not noted if the database fails', async () => {
      const { email, id } = await makeLicence(app.platform);
      await ask('POST', `/${id}/revoke`);
      const noted = new Set<string>();
      const recordErasure = async (address: string) => {
        noted.add(address);
        const insert = () => Promise.reject(new Error('The disk is full.'));
        return { insert, withdraw: async () => void noted.delete(address) };
      };
      await expect(deleteCustomer(app.platform, email, 'test', recordErasure)).rejects.toThrow(
        'The disk is full.',
      );
      expect(noted.size).toBe(0);
    });

    it('is deleted once no licence is active, and lists the reasons before', async () => {
      const first = await makeLicence(app.platform);
      const second = await makeLicence(app.platform, { email: first.email });
      await app.http.site('activate', first.key, 'https://theirs.example.com');
      const path = `/${first.id}/customer`;
      const contract = { ground: 'contract', reason: TEXT };
      const shown = ({ id, key }: { id: string; key: string }) => ({ id, key: maskKey(key) });
      expect((await ask('GET', path)).json).toEqual({
        email: first.email,
        remaining: [{ ...contract, licences: [shown(second), shown(first)] }],
      });
      const refused = await ask('DELETE', path);
      expect([refused.status, refused.json.code]).toEqual([409, 'customer_in_use']);
      expect(refused.json.message).toContain(first.id);
      await ask('POST', `/${first.id}/revoke`);
      expect((await ask('GET', path)).json.remaining).toEqual([
        { ...contract, licences: [shown(second)] },
      ]);
      await ask('POST', `/${second.id}/revoke`);
      expect((await ask('GET', path)).json.remaining).toEqual([]);

      const { status, json } = await ask('DELETE', path);
      expect([status, json.deleted]).toEqual([200, true]);
      const became = (category: string) =>
        json.records.find((each: { category: string }) => each.category === category);
      expect(became('customers')).toMatchObject({ anonymised: 1, kept: [] });
      expect(became('activation_history')).toMatchObject({ anonymised: 1, kept: [] });
      expect(became('audit_log')).toMatchObject({
        anonymised: 0,
        kept: [{ count: 7, ground: 'evidence' }],
      });
      const { json: licence } = await ask('GET', `/${first.id}`);
      expect(licence).toMatchObject({ email: null, status: 'revoked', sites_used: 0 });
      expect(licence.events.at(-1)).toMatchObject({
        action: 'customer_deleted',
        actor: await actor(),
      });
      expect(JSON.stringify(licence.activations)).not.toContain('theirs');
      expect((await ask('GET', path)).json).toEqual({ email: null, remaining: [] });
      expect((await ask('DELETE', path)).status).toBe(404);
      const { json: found } = await ask('GET', `?search=${first.email}`);
      expect(found).toEqual([]);
    });

    it('is not deleted if another customer is meant', async () => {
      const { id, email } = await makeLicence(app.platform);
      await ask('POST', `/${id}/revoke`);
      const heir = `heir-of-${email}`;
      await ask('POST', `/${id}/transfer`, { email: heir });
      const { status, json } = await ask('DELETE', `/${id}/customer`, { email });
      expect([status, json.code]).toEqual([409, 'customer_changed']);
      expect((await ask('GET', `/${id}`)).json.email).toBe(heir);
      const done = await ask('DELETE', `/${id}/customer`, { email: heir.toUpperCase() });
      expect([done.status, done.json.deleted]).toEqual([200, true]);
    });

    it('is deleted by their id when their only licence was transferred', async () => {
      const { id, email } = await makeLicence(app.platform);
      const { customer_id } = (await ask('GET', `/${id}`)).json;
      const path = `/customers/${customer_id}`;
      const refused = await ask('DELETE', path);
      expect([refused.status, refused.json.code]).toEqual([409, 'customer_in_use']);
      await ask('POST', `/${id}/transfer`, { email: `next-of-${email}` });
      expect((await ask('GET', path)).json).toMatchObject({ email, licences: [], remaining: [] });
      const { status, json } = await ask('DELETE', path);
      expect([status, json.deleted]).toEqual([200, true]);
      expect((await ask('GET', path)).json.email).toBeNull();
      expect((await ask('DELETE', path)).status).toBe(404);
      expect((await ask('DELETE', '/customers/999999')).status).toBe(404);
    });

    it('is kept by a transferred licence with a site that they activated, which is named', async () => {
      const given = await makeLicence(app.platform);
      const { json: record } = await ask('GET', `/${given.id}`);
      const site = 'https://before-the-transfer.example.com';
      await app.http.site('activate', given.key, site);
      const email = `new-of-${given.email}`;
      await ask('POST', `/${given.id}/transfer`, { email });
      const { json: giver } = await ask('GET', `/customers/${record.customer_id}`);
      expect(giver.remaining).toEqual([
        { ground: 'contract', reason: TEXT, licences: [{ id: given.id, key: record.key }] },
      ]);
      const remove = () =>
        deleteCustomer(app.platform, given.email, 'test', async () => ({
          insert: async () => {},
          withdraw: async () => {},
        }));
      await expect(remove()).rejects.toThrow(
        `(${given.id}, transferred to ${email} with a site that is still active or a subscription of theirs that still runs).`,
      );
      await app.http.site('deactivate', given.key, site);
      await expect(remove()).resolves.toContainEqual(
        expect.objectContaining({ category: 'customers', anonymised: 1, kept: [] }),
      );
    });

    it('is returned with licences, activated sites, purchases and reasons against deletion', async () => {
      const licence = await makeLicence(app.platform);
      await app.http.site('activate', licence.key, 'https://shown.example.com');
      const { json: record } = await ask('GET', `/${licence.id}`);
      const { status, json } = await ask('GET', `/customers/${record.customer_id}`);
      expect(status).toBe(200);
      expect(json).toMatchObject({
        id: record.customer_id,
        email: licence.email,
        licences: [{ id: licence.id, customer_id: record.customer_id }],
        sites: [{ licence: licence.id, site_url: 'https://shown.example.com' }],
        purchases: [],
        remaining: [{ ground: 'contract', licences: [{ id: licence.id, key: record.key }] }],
      });
      const { json: found, headers } = await ask('GET', `/customers?search=${licence.email}`);
      expect(headers.get('x-wp-total')).toBe('1');
      expect(found).toEqual([
        {
          id: record.customer_id,
          email: licence.email,
          created_at: expect.any(String),
          active_until: record.expires_at,
          licences: 1,
          active_licences: 1,
        },
      ]);
      await ask('POST', `/${licence.id}/suspend`);
      expect((await ask('GET', `/customers?search=${licence.email}`)).json).toMatchObject([
        { licences: 1, active_licences: 0 },
      ]);
      expect((await ask('GET', '/customers/999999')).json).toMatchObject({ code: 'not_found' });
    });

    it('has all of very many licences', async () => {
      const { id, key, email } = await makeLicence(app.platform);
      await app.http.site('activate', key, 'https://first.example.com');
      await makeMoreLicences(app.platform, email, 1_100);
      const { customer_id } = (await ask('GET', `/${id}`)).json;
      const { licences, sites } = (await ask('GET', `/customers/${customer_id}`)).json;
      expect(licences).toHaveLength(1_101);
      expect(sites).toMatchObject([{ licence: id, site_url: 'https://first.example.com' }]);
    });

    it('is active until the end of a lifetime licence, without its grace period', async () => {
      const { email } = await makeLicence(app.platform, { expiresAt: NEVER, graceDays: 14 });
      expect((await ask('GET', `/customers?search=${email}`)).json).toMatchObject([
        { active_until: '9999-12-31T23:59:59.000Z' },
      ]);
    });

    it('gets several licences that are issued at the same time', async () => {
      const { email } = await makeLicence(app.platform);
      await Promise.all(Array.from({ length: 10 }, () => makeLicence(app.platform, { email })));
      expect((await ask('GET', `/customers?search=${email}`)).json).toMatchObject([
        { licences: 11 },
      ]);
    });

    it('is active until a licence was transferred, also after their other licence was changed', async () => {
      const { id, email } = await makeLicence(app.platform);
      const ended = await makeLicence(app.platform, { email });
      await ask('POST', `/${ended.id}/revoke`);
      app.clock.advance(DAY_MS);
      await ask('POST', `/${id}/transfer`, { email: 'heir-of-two@example.com' });
      const active_until = new Date(app.clock.now()).toISOString();
      app.clock.advance(DAY_MS);
      await ask('PATCH', `/${ended.id}`, { notes: 'Asked for an invoice.' });
      expect((await ask('GET', `/customers?search=${email}`)).json).toMatchObject([
        { active_until },
      ]);
    });

    it('is active until the last of two licences that change at the same time', async () => {
      const { platform } = app;
      const { id, email } = await makeLicence(platform);
      const other = await makeLicence(platform, { email });
      const last = platform.clock.now() + 900 * DAY_MS;
      const earlier = platform.clock.now() + 800 * DAY_MS;
      let change: Promise<unknown> | undefined;
      await platform.datastore.transaction(async (trx) => {
        const licence = await lockLicence(trx, id);
        if (licence) await updateLicence(trx, licence.id, { expires_at: last });
        change = extendLicence(platform, other.id, earlier, 'test');
        if (engine === 'postgres') {
          const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
          const { db } = platform.datastore;
          await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
        }
      });
      await change;
      expect((await ask('GET', `/customers?search=${email}`)).json).toMatchObject([
        { active_until: new Date(last).toISOString() },
      ]);
    });

    it('is counted among the renewals while its paid period ends within the period', async () => {
      const before = (await ask('GET', '/renewals?days=7')).json;
      const soon = new Date(app.platform.clock.now() + 5 * DAY_MS);
      const licence = await makeLicence(app.platform);
      await ask('POST', `/${licence.id}/extend`, { expires_at: soon.toISOString() });
      const after = (await ask('GET', '/renewals?days=7')).json;
      expect(after).toEqual({ days: 7, expiring: before.expiring + 1, renewing: before.renewing });
      expect(await ids('expires_within=7&status=active')).toContain(licence.id);
      expect(await ids('expires_within=4')).not.toContain(licence.id);
      // It has ended for a licence in its grace period, which works for ten more days.
      const inGrace = await makeLicence(app.platform, { graceDays: 15 });
      const ended = new Date(app.platform.clock.now() - 5 * DAY_MS);
      await ask('POST', `/${inGrace.id}/extend`, { expires_at: ended.toISOString() });
      expect((await ask('GET', `/${inGrace.id}`)).json.status).toBe('active');
      expect((await ask('GET', '/renewals?days=7')).json).toEqual(after);
      expect(await ids('expires_within=7')).not.toContain(inGrace.id);
      await ask('POST', `/${licence.id}/suspend`);
      expect((await ask('GET', '/renewals?days=7')).json).toEqual(before);
    });

    it('is a new customer when the email address is used again', async () => {
      const gone = await makeLicence(app.platform);
      await ask('POST', `/${gone.id}/revoke`);
      await ask('DELETE', `/${gone.id}/customer`);
      const back = await makeLicence(app.platform, { email: gone.email });
      expect(await ids(`search=${gone.email}`)).toEqual([back.id]);
    });
  });
});

describe('A server that issues no licences', () => {
  const app = useTestApp('sqlite', { PAVIS_SERVICES: 'plugin' });

  it('has no licence administration', async () => {
    const { login, applicationPassword } = await makeUser(app.platform);
    const headers = basic(login, applicationPassword);
    const { status, json } = await app.http.get(ROOT, { headers });
    expect([status, json.code]).toEqual([404, 'rest_no_route']);
  });
});
