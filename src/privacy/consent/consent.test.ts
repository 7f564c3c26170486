import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { openCallers } from '../../../test/support/callers.ts';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { CONSENT_ACTIONS } from './rules.ts';

const ROOT = '/wp-json/svc/v1';
const ALL = ['functional', 'analytics', 'marketing', 'personalisation'];
const OPTIONAL = ALL.slice(1);

interface Decision {
  visitor_id: string;
  consent_action: string;
  categories_accepted: string[];
  categories_rejected: string[];
}

/** A choice as a banner can send it: the lists of `accept_all` and `reject_all` are complete, partial or empty. */
function randomDecision(visitor_id: string): Decision {
  const die = () => Math.random();
  const consent_action = CONSENT_ACTIONS[Math.floor(die() * 3)] ?? 'manage';
  const some = OPTIONAL.filter(() => die() < 0.5);
  const others = OPTIONAL.filter((id) => !some.includes(id) && die() < 0.7);
  return {
    visitor_id,
    consent_action,
    categories_accepted: consent_action === 'reject_all' ? [] : some,
    categories_rejected: consent_action === 'accept_all' ? [] : others,
  };
}

/** The expected record of a choice. */
function expected({ consent_action, categories_accepted, categories_rejected }: Decision) {
  if (consent_action === 'accept_all') return [consent_action, ALL, []];
  if (consent_action === 'reject_all') return [consent_action, ['functional'], OPTIONAL];
  return [consent_action, ['functional', ...categories_accepted], categories_rejected];
}

const decided = (record: Decision) => [
  record.consent_action,
  record.categories_accepted,
  record.categories_rejected,
];

describe.each(ENGINES)('/consent on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_TIMEZONE: 'Europe/Berlin' });
  const decide = (body: object) => app.http.post(`${ROOT}/consent`, { body });
  const admin = async (path: string) =>
    app.http.get(`${ROOT}${path}`, { headers: await basicAuth(app.platform) });
  const records = async (query: string) => (await admin(`/consent/records?${query}`)).json;

  it('records a choice without credentials, completes it and stores the proof', async () => {
    const { status, json } = await decide({
      visitor_id: 'proof-1',
      consent_action: 'accept_all',
      categories_accepted: ['analytics'],
      config_version: (await app.http.get(`${ROOT}/consent/status`)).json.version,
      source: 'banner',
      language: 'de',
      page_url: 'https://example.com/shop?email=a@example.com#top',
      gpc: false,
    });
    expect([status, json]).toEqual([200, { id: expect.any(Number), message: 'Consent recorded.' }]);
    const at = app.clock.now();
    expect(await records('search=proof-1')).toEqual([
      {
        id: json.id,
        visitor_id: 'proof-1',
        categories_accepted: ALL,
        categories_rejected: [],
        consent_action: 'accept_all',
        created_at: new Date(at).toISOString(),
        config_version: 1,
        expires_at: new Date(at + 365 * 86_400_000).toISOString(),
        source: 'banner',
        language: 'de',
        page_url: 'https://example.com/shop',
        gpc: false,
        banner_pictures: null,
        vendors_accepted: [],
        vendors_rejected: [],
        day: expect.any(String),
        anonymised: false,
      },
    ]);
  });

  it.each([
    [{ consent_action: 'manage' }, 'rest_missing_callback_param'],
    [{ visitor_id: 'x', consent_action: 'maybe' }, 'rest_invalid_param'],
    [{ visitor_id: 'x'.repeat(129), consent_action: 'manage' }, 'rest_invalid_param'],
    [{ visitor_id: 'x\u0000', consent_action: 'manage' }, 'rest_invalid_param'],
    [
      { visitor_id: 'x', consent_action: 'manage', categories_accepted: ['nonsense'] },
      'rest_invalid_param',
    ],
    [
      { visitor_id: 'x', consent_action: 'manage', categories_accepted: ['analytics', 1] },
      'rest_invalid_param',
    ],
    [
      { visitor_id: 'x', consent_action: 'accept_all', categories_rejected: ['analytics'] },
      'rest_invalid_param',
    ],
    [{ visitor_id: 'x', consent_action: 'reject_all', source: 'erasure' }, 'rest_invalid_param'],
  ])('returns 400 for %j and records nothing', async (body, code) => {
    const before = (await admin('/consent/stats')).json;
    const { status, json } = await decide(body);
    expect([status, json.code]).toEqual([400, code]);
    expect((await admin('/consent/stats')).json).toEqual(before);
  });

  it.each([
    [{ page_url: `https://example.com/?${'x'.repeat(9_000)}` }, 'https://example.com/', null],
    [{ page_url: `https://example.com/${'x'.repeat(2_029)}` }, null, null],
    [{ page_url: 'app://localhost/' }, null, null],
    [{ page_url: '', language: '' }, null, null],
    [{ language: `de-\u0000${'x'.repeat(40)}` }, null, `de-${'x'.repeat(32)}`],
    [{ subject_token: 'x'.repeat(2_000), config_version: 1 }, null, null],
  ])('records a choice in spite of what the page sends: %j', async (given, page_url, language) => {
    const body = { visitor_id: randomUUID(), consent_action: 'reject_all', ...given };
    expect((await decide(body)).status).toBe(200);
    expect(await records(`search=${body.visitor_id}`)).toMatchObject([{ page_url, language }]);
  });

  it('ignores stale nonces and wrong credentials of cached pages', async () => {
    const headers = { 'x-wp-nonce': 'stale', authorization: 'Basic bm9ib2R5Ong=' };
    const body = { visitor_id: 'cached', consent_action: 'reject_all' };
    expect((await app.http.post(`${ROOT}/consent`, { headers, body })).status).toBe(200);
  });

  it('returns 429 after 60 choices of one visitor within a minute', async () => {
    const body = { visitor_id: 'busy', consent_action: 'reject_all' };
    const answers = await Promise.all(Array.from({ length: 61 }, () => decide(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 429,
      json: { code: 'rate_limited' },
    });
    expect((await decide({ ...body, visitor_id: 'calm' })).status).toBe(200);
  });

  it('records 10,000 choices from 64 clients exactly once and counts them', async () => {
    const before = (await admin('/consent/stats')).json;
    const sent = Array.from({ length: 10_000 }, (_, n) => randomDecision(`mix-${n}`));
    const ids = new Map<string, number>();
    const callers = openCallers(64);
    let next = 0;
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (let body = sent[next++]; body; body = sent[next++]) {
          const { status, json } = await callers.post(`${app.url}${ROOT}/consent`, body);
          if (status !== 200) expect.fail(`${body.visitor_id}: ${status}`);
          ids.set(body.visitor_id, json.id);
        }
      }),
    );
    callers.close();
    expect(new Set(ids.values()).size).toBe(sent.length);
    // biome-ignore lint/suspicious/noExplicitAny: JSON of the response
    const stored: any[] = [];
    for (let offset = 0; offset < sent.length; offset += 1_000) {
      stored.push(...(await records(`search=mix-&per_page=1000&offset=${offset}`)));
    }
    expect(stored.map(({ id }) => id)).toEqual(
      [...ids.values()].sort((earlier, later) => later - earlier),
    );
    expect(new Map(stored.map((record) => [record.visitor_id, decided(record)]))).toEqual(
      new Map(sent.map((decision) => [decision.visitor_id, expected(decision)])),
    );

    const { json: after } = await admin('/consent/stats');
    expect(after.total - before.total).toBe(sent.length);
    for (const action of CONSENT_ACTIONS) {
      const count = sent.filter(({ consent_action }) => consent_action === action).length;
      expect(after.by_action[action] - before.by_action[action]).toBe(count);
    }
    for (const category of ALL) {
      const was = before.categories[category] ?? { accepted: 0, rejected: 0 };
      const now = after.categories[category];
      const count = (list: string) =>
        stored.filter((record) => record[list].includes(category)).length;
      expect(now.accepted - was.accepted).toBe(count('categories_accepted'));
      expect(now.rejected - was.rejected).toBe(count('categories_rejected'));
      expect(now.acceptance_rate).toBeCloseTo(now.accepted / (now.accepted + now.rejected));
    }
    expect(after.daily).toHaveLength(30);
    expect(after.daily.reduce((sum: number, day: { total: number }) => sum + day.total, 0)).toBe(
      after.total,
    );
  }, 120_000);

  it('filters records by whole days in the time zone of the site', async () => {
    const now = app.clock.now();
    app.clock.set('2026-12-01T22:59:59.999Z');
    await decide({ visitor_id: 'edge-last-of-1', consent_action: 'manage' });
    app.clock.set('2026-12-01T23:00:00.000Z');
    await decide({ visitor_id: 'edge-first-of-2', consent_action: 'reject_all' });
    const visitors = async (query: string) =>
      (await records(`search=edge-&${query}`)).map(
        ({ visitor_id }: { visitor_id: string }) => visitor_id,
      );
    expect(await visitors('date_from=2026-12-01&date_to=2026-12-01')).toEqual(['edge-last-of-1']);
    expect(await visitors('date_from=2026-12-02')).toEqual(['edge-first-of-2']);
    expect(await visitors('date_to=2026-12-01')).toEqual(['edge-last-of-1']);
    expect(await visitors('date_from=2026-12-02&date_to=2026-12-01')).toEqual([]);
    expect(await visitors('consent_action=manage')).toEqual(['edge-last-of-1']);
    expect(await visitors('offset=99')).toEqual([]);
    const whole = await admin(
      '/consent/records?date_from=2026-12-01&date_to=2026-12-02&per_page=1',
    );
    expect([whole.headers.get('x-wp-total'), whole.json.length]).toEqual(['2', 1]);
    for (const query of [
      'date_from=2026-02-30',
      'date_to=tomorrow',
      'per_page=0',
      'per_page=-1',
      'per_page=1e9',
      'per_page=abc',
      'offset=-1',
      'consent_action=x',
    ]) {
      expect((await records(query)).code, query).toBe('rest_invalid_param');
    }
    app.clock.set(new Date(now).toISOString());
  });

  it('searches visitor ids by their start without wildcards', async () => {
    for (const visitor_id of ['find_me', 'findXme', 'not find_me', '100%'])
      await decide({ visitor_id, consent_action: 'manage' });
    const found = async (search: string) =>
      (await records(`search=${encodeURIComponent(search)}`)).map(
        ({ visitor_id }: { visitor_id: string }) => visitor_id,
      );
    expect(await found('find_')).toEqual(['find_me']);
    expect(await found('find')).toEqual(['findXme', 'find_me']);
    expect(await found('100%')).toEqual(['100%']);
    expect(await found('%')).toEqual([]);
  });

  it('returns the status with an ETag, and a new one after a change of settings', async () => {
    const { status, json, headers } = await app.http.get(`${ROOT}/consent/status`);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['enabled', 'categories', 'settings', 'version']);
    expect(json.categories.functional).toEqual({
      id: 'functional',
      label: 'Strictly necessary',
      required: true,
    });
    expect(Object.keys(json.settings)).toEqual([
      'position',
      'title',
      'message',
      'accept_text',
      'reject_text',
      'expiry_days',
      'privacy_url',
    ]);
    expect(headers.get('cache-control')).toBe('no-cache');
    const etag = headers.get('etag') ?? '';
    const again = await app.http.get(`${ROOT}/consent/status`, {
      headers: { 'if-none-match': etag },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    await app.http.request('PUT', `${ROOT}/settings`, {
      headers: await basicAuth(app.platform),
      body: { consent: { title: 'New words' } },
    });
    const changed = await app.http.get(`${ROOT}/consent/status`, {
      headers: { 'if-none-match': etag },
    });
    expect([changed.status, changed.json.settings.title]).toEqual([200, 'New words']);
    const { json: recorded } = await decide({
      visitor_id: 'after-change',
      consent_action: 'accept_all',
      config_version: changed.json.version,
    });
    expect((await records('search=after-change'))[0]).toMatchObject({
      id: recorded.id,
      config_version: changed.json.version,
    });
  });

  it('returns texts in the best matching language, missing ones in the first language', async () => {
    const headers = await basicAuth(app.platform);
    const translations = [
      {
        language: 'de',
        title: 'Ihre Daten',
        categories: [{ id: 'analytics', label: 'Statistik', description: 'Zählt.' }],
      },
      { language: 'ar', title: 'خصوصيتك' },
    ];
    await app.http.request('PUT', `${ROOT}/settings`, {
      headers,
      body: { consent: { translations } },
    });
    const texts = (language: string) => app.http.get(`${ROOT}/consent/texts?language=${language}`);
    for (const language of ['de', 'DE', 'de-AT']) {
      const { json } = await texts(language);
      expect(json).toMatchObject({ language: 'de', direction: 'ltr', title: 'Ihre Daten' });
      expect(json.categories.analytics).toEqual({ label: 'Statistik', description: 'Zählt.' });
      expect(json.categories.marketing.label).toBe('Marketing');
      expect(json.accept_text).toBe('Accept all');
    }
    expect((await texts('ar-EG')).json).toMatchObject({ language: 'ar', direction: 'rtl' });
    for (const language of ['', 'en', 'en-GB', 'fr', '%F0%9F%98%80', '-']) {
      expect((await texts(language)).json.language, language).toBe('en');
    }
    expect((await texts('x'.repeat(36))).status).toBe(400);
    const { json, headers: answered } = await texts('de');
    const etag = answered.get('etag') ?? '';
    const again = await app.http.get(`${ROOT}/consent/texts?language=de`, {
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
    expect(json.version).toBe((await app.http.get(`${ROOT}/consent/status`)).json.version);
  });

  it('raises asked_since for changed texts and categories, not for looks and new languages', async () => {
    const headers = await basicAuth(app.platform);
    const save = (consent: object) =>
      app.http.request('PUT', `${ROOT}/settings`, { headers, body: { consent } });
    const read = async () => (await app.http.get(`${ROOT}/consent/texts`)).json;
    await save({ message: 'Asked anew.' });
    const { version, asked_since } = await read();
    expect(asked_since).toBe(version);
    await save({ position: 'top', accept_text: 'Yes', expiry_days: 180, translations: [] });
    await save({ translations: [{ language: 'fr', title: 'Vos données' }] });
    expect(await read()).toMatchObject({ version: version + 2, asked_since: version });
    const { consent } = (await app.http.get(`${ROOT}/settings`, { headers })).json;
    await save({ categories: consent.categories.slice(0, 3) });
    expect(await read()).toMatchObject({ version: version + 3, asked_since: version + 3 });
    await save({ categories: consent.categories });
    expect((await read()).asked_since).toBe(version + 4);
  });

  it('records a repeated request with the same Idempotency-Key once within ten seconds', async () => {
    const body = randomDecision('again-1');
    const send = (idempotencyKey: string, decision: object = body) =>
      app.http.post(`${ROOT}/consent`, {
        headers: { 'idempotency-key': idempotencyKey },
        body: decision,
      });
    const first = (await send('k-1')).json.id;
    const repeats = await Promise.all(Array.from({ length: 8 }, () => send('k-1')));
    expect(repeats.map(({ status, json }) => [status, json.id])).toEqual(
      repeats.map(() => [200, first]),
    );
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => send('k-2')));
    expect(new Set(atOnce.map(({ json }) => json.id)).size).toBe(1);
    expect((await send('k-1', { ...body, language: 'de' })).json.id).not.toBe(first);
    app.clock.advance(10_001);
    expect((await send('k-1')).json.id).not.toBe(first);
    expect(await records('search=again-1')).toHaveLength(4);
  });

  it('records every choice that comes with an empty Idempotency-Key', async () => {
    const send = (visitor_id: string) =>
      app.http.post(`${ROOT}/consent`, {
        headers: { 'idempotency-key': '' },
        body: { visitor_id, consent_action: 'reject_all' },
      });
    const one = (await send('keyless-1')).json.id;
    expect((await send('keyless-2')).json.id).not.toBe(one);
    expect(await records('search=keyless-')).toHaveLength(2);
  });

  it('keeps the texts of the banner version of an old record, with their hash', async () => {
    const status = async () => (await app.http.get(`${ROOT}/consent/status`)).json;
    const seen = await status();
    const rejection = { consent_action: 'reject_all' };
    await decide({ visitor_id: 'text-1', ...rejection, config_version: seen.version });
    const headers = await basicAuth(app.platform);
    const changed = { consent: { message: 'We changed what we ask.' } };
    await app.http.request('PUT', `${ROOT}/settings`, { headers, body: changed });
    const config_version = (await status()).version;
    await decide({ visitor_id: 'text-2', ...rejection, config_version });

    const [older] = await records('search=text-1');
    const [newer] = await records('search=text-2');
    expect(newer.config_version).toBe(older.config_version + 1);
    const versions = (await admin('/settings/consent-versions')).json;
    const textOf = ({ config_version }: { config_version: number }) =>
      versions.find(({ version }: { version: number }) => version === config_version);
    expect(textOf(older).config.message).toBe(seen.settings.message);
    expect(textOf(newer).config.message).toBe('We changed what we ask.');
    for (const { hash, config } of [textOf(older), textOf(newer)]) {
      expect(createHash('sha256').update(JSON.stringify(config)).digest('hex')).toBe(hash);
    }
  });

  it('exports each filtered record once as CSV and JSON', async () => {
    await decide({ visitor_id: '=cmd()', consent_action: 'reject_all' });
    const all = (await admin('/consent/stats')).json.total;
    const csv = await admin('/consent/records/export');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=UTF-8');
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(all + 1);
    expect(csv.text).toContain(",'=cmd(),");
    const { json } = await admin('/consent/records/export?format=json');
    expect(new Set(json.map(({ id }: { id: number }) => id)).size).toBe(all);
    const one = await admin('/consent/records/export?format=json&search=%3Dcmd');
    expect(one.json).toEqual(await records('search=%3Dcmd'));
    const none = await admin('/consent/records/export?format=json&date_to=2001-01-01');
    expect(none.json).toEqual([]);
  });

  it('runs svc_consent_recorded after the response and ignores its errors', async () => {
    const { hooks } = app.platform;
    const heard: unknown[] = [];
    const stuck = Promise.withResolvers<void>();
    const removals = [
      hooks.addAction('svc_consent_recorded', () => {
        throw new Error('no use');
      }),
      hooks.addAction('svc_consent_recorded', (record) => heard.push(record)),
      hooks.addAction('svc_consent_recorded', () => stuck.promise),
    ];
    const { json, status } = await decide({ visitor_id: 'hooked', consent_action: 'reject_all' });
    expect(status).toBe(200);
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 20_000 });
    const [record] = await records('search=hooked');
    expect(heard).toEqual([
      {
        id: json.id,
        visitor_id: 'hooked',
        categories_accepted: record.categories_accepted,
        categories_rejected: record.categories_rejected,
        vendors_accepted: [],
        vendors_rejected: [],
        consent_action: 'reject_all',
        created_at: record.created_at,
      },
    ]);
    // A rejected choice fires no action.
    await decide({ visitor_id: 'hooked', consent_action: 'maybe' });
    for (const remove of removals) remove();
    await decide({ visitor_id: 'hooked', consent_action: 'accept_all' });
    stuck.resolve();
    expect(heard).toHaveLength(1);
    expect(app.logged()).toContain('a callback of a hook failed');
  });

  it('sets the consent cookie if site and service share an origin', async () => {
    const decision = {
      consent_action: 'manage',
      categories_accepted: ['analytics'],
      config_version: (await app.http.get(`${ROOT}/consent/status`)).json.version,
      gpc: true,
    };
    const { headers } = await decide({ visitor_id: 'cookie-1', ...decision });
    const [pair = '', ...attributes] = (headers.get('set-cookie') ?? '').split('; ');
    const { at, until, ...choice } = JSON.parse(decodeURIComponent(pair.split('=')[1] ?? ''));
    const [record] = await records('search=cookie-1');
    expect(choice).toEqual({
      visitor_id: 'cookie-1',
      consent_action: 'manage',
      categories_accepted: record.categories_accepted,
      categories_rejected: record.categories_rejected,
      version: record.config_version,
      gpc: true,
    });
    expect([at, until]).toEqual(
      [record.created_at, record.expires_at].map((moment) => Math.floor(Date.parse(moment) / 1000)),
    );
    expect(attributes).toEqual(['Path=/', `Max-Age=${until - at}`, 'SameSite=Lax']);
  });

  it.each([
    ['is that of the browser', 3, 3],
    ['is that of the server if the clock of the browser is wrong', 60, 0],
    ['is that of the server if the choice was sent late', -60, 0],
  ])('sets a cookie whose time %s', async (_name, ahead, kept) => {
    const now = Math.floor(app.clock.now() / 1_000);
    const body = { visitor_id: 'b', consent_action: 'accept_all', at: now + ahead };
    const { headers } = await app.http.post(`${ROOT}/consent`, { body });
    const [, value = ''] = /^pavis_consent=([^;]*)/.exec(headers.get('set-cookie') ?? '') ?? [];
    expect(JSON.parse(decodeURIComponent(value)).at).toBe(now + kept);
  });

  it('keeps in the cookie that the choice must be sent again for the other devices of the person', async () => {
    const body = { visitor_id: 'b', consent_action: 'reject_all', shared: 'abcdefgh.1' };
    const read = async (unshared?: boolean) => {
      const { headers } = await app.http.post(`${ROOT}/consent`, { body: { ...body, unshared } });
      const [, value = ''] = /^pavis_consent=([^;]*)/.exec(headers.get('set-cookie') ?? '') ?? [];
      return JSON.parse(decodeURIComponent(value)).unshared;
    };
    expect([await read(true), await read(false), await read()]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['a later choice', { consent_action: 'reject_all', at: 200 }, false],
    ['another choice of the same second', { consent_action: 'reject_all', at: 100 }, false],
    ['this choice', { consent_action: 'accept_all', at: 100 }, true],
    ['an earlier choice', { consent_action: 'reject_all', at: 99 }, true],
    ['the choice of another visitor', { visitor_id: 'b', at: 200 }, true],
    ['something else', 'nonsense', true],
    ['null', 'null', true],
    ['a time that is not a number', '{"visitor_id":"a","at":{"valueOf":1,"toString":1}}', true],
    [
      'a list of objects',
      '{"visitor_id":"a","at":100,"categories_accepted":[{"toString":1}]}',
      true,
    ],
    ['an object in place of a list', { at: 100, vendors_rejected: { toString: 1 } }, true],
  ])(
    'sets the cookie for a choice of second 100 unless the browser has a newer one: %s',
    async (_name, held, replaces) => {
      const body = { visitor_id: 'a', consent_action: 'accept_all', categories_accepted: ALL };
      const choice = typeof held === 'string' ? held : JSON.stringify({ ...body, ...held });
      const { status, headers } = await app.http.post(`${ROOT}/consent`, {
        headers: { cookie: `x=1; pavis_consent=${encodeURIComponent(choice)}` },
        body: { ...body, at: 100 },
      });
      expect([status, headers.get('set-cookie') !== null]).toEqual([200, replaces]);
    },
  );
});

describe('/consent of a site on another origin', () => {
  const app = useTestApp('sqlite', { PAVIS_SITE_URL: 'https://shop.example.com' });

  it('sets no cookie', async () => {
    const body = { visitor_id: 'far', consent_action: 'accept_all' };
    const { status, headers } = await app.http.post(`${ROOT}/consent`, { body });
    expect([status, headers.get('set-cookie')]).toEqual([200, null]);
  });
});
