import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../test/support/users.ts';

const PATH = '/wp-json/svc/v1/settings';

describe.each(ENGINES)('/settings on %s', (engine) => {
  const app = useTestApp(engine);

  async function setUp() {
    const headers = await basicAuth(app.platform);
    return {
      read: async () => (await app.http.get(PATH, { headers })).json,
      save: (body: object) => app.http.request('PUT', PATH, { headers, body }),
      versions: async () => (await app.http.get(`${PATH}/consent-versions`, { headers })).json,
    };
  }

  it('returns defaults on a new installation', async () => {
    const { read } = await setUp();
    const { consent, dsar, mail, controller, scanner } = await read();
    expect(
      consent.categories.map(({ id, required }: Record<string, unknown>) => [id, required]),
    ).toEqual([
      ['functional', true],
      ['analytics', false],
      ['marketing', false],
      ['personalisation', false],
    ]);
    expect(consent).toMatchObject({
      enabled: true,
      position: 'bottom',
      expiry_days: 365,
      refused_until_days: 182,
      regimes: { mode: 'opt_in_everywhere', overrides: [] },
      privacy_url: `${app.url}/privacy/`,
    });
    expect([dsar, mail, controller, scanner]).toEqual([
      { enabled: true, regime: 'gdpr', auto_erase: false },
      { from_name: '', reply_to: '' },
      { name: '', address: '', email: '', dpo_name: '', dpo_email: '' },
      {
        ...{ max_pages: 200, concurrency: 2, ignore_robots: false, necessary_vendors: [] },
        states: ['before', 'accepted'],
        schedule: {
          ...{ enabled: false, cron: '0 3 * * *', depth: 1 },
          states: ['before', 'rejected', 'accepted', 'withdrawn', 'gpc'],
        },
      },
    ]);
  });

  it('updates only the given fields and returns all settings', async () => {
    const { read, save } = await setUp();
    const before = await read();
    const { status, json } = await save({
      consent: { title: 'Cookies?' },
      dsar: { regime: 'ccpa' },
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      ...before,
      consent: { ...before.consent, title: 'Cookies?' },
      dsar: { ...before.dsar, regime: 'ccpa' },
    });
    expect(await read()).toEqual(json);
  });

  it.each([
    [{ reject_text: ' ' }, 'consent[reject_text]'],
    [{ manage_text: '\u00a0' }, 'consent[manage_text]'],
    [{ title: ' \n\t' }, 'consent[title]'],
    [
      { categories: [{ id: 'functional', label: '  ', description: '', required: true }] },
      'consent[categories][0][label]',
    ],
    [
      { translations: [{ language: 'de', accept_text: '\u2003' }] },
      'consent[translations][0][accept_text]',
    ],
    [
      { translations: [{ language: 'de', categories: [{ id: 'functional', label: ' ' }] }] },
      'consent[translations][0][categories][0][label]',
    ],
  ])('returns 400 for blank text of the banner: %j', async (consent, field) => {
    const { read, save } = await setUp();
    const before = await read();
    const { status, json } = await save({ consent });
    expect([status, json.data.params.consent]).toEqual([
      400,
      `${field} must not be blank or contain control characters.`,
    ]);
    expect(await read()).toEqual(before);
  });

  it('returns and replaces blank text that an earlier version has stored', async () => {
    const { read, save } = await setUp();
    await save({ consent: { title: 'Before' } });
    const { db } = app.platform.datastore;
    const last = await db
      .selectFrom('consent_configs')
      .selectAll()
      .orderBy('version', 'desc')
      .executeTakeFirstOrThrow();
    const config = JSON.stringify({ ...JSON.parse(last.config), reject_text: ' ' });
    await db
      .updateTable('consent_configs')
      .set({ config, hash: createHash('sha256').update(config).digest('hex') })
      .where('version', '=', last.version)
      .execute();
    expect((await read()).consent.reject_text).toBe(' ');
    expect((await save({ consent: { title: 'Still blank' } })).status).toBe(200);
    const { status, json } = await save({ consent: { reject_text: 'Reject\r\nall' } });
    expect([status, json.consent.reject_text]).toEqual([200, 'Reject\nall']);
  });

  it('creates a banner version with a hash for each change, and none without one', async () => {
    const { save, versions } = await setUp();
    const count = (await versions()).length;
    const title = `Version ${count}`;
    await save({ consent: { title } });
    await save({ consent: { title } });
    await save({ mail: { from_name: 'Ada' } });
    await save({ consent: { title: 'Another' } });
    const kept = await versions();
    expect(kept).toHaveLength(count + 2);
    expect(kept[1].config.title).toBe(title);
    expect(kept[0].version).toBeGreaterThan(kept[1].version);
    for (const { hash, config } of kept) {
      expect(hash).toBe(createHash('sha256').update(JSON.stringify(config)).digest('hex'));
    }
  });

  it('lists a page of the banner versions', async () => {
    const { save, versions } = await setUp();
    for (const title of ['One', 'Two']) await save({ consent: { title } });
    const all = await versions();
    const headers = await basicAuth(app.platform);
    const page = await app.http.get(`${PATH}/consent-versions?per_page=1&offset=1`, { headers });
    expect(page.json).toEqual([all[1]]);
    expect(page.headers.get('x-wp-total')).toBe(String(all.length));
    const second = await app.http.get(`${PATH}/consent-versions?page=2`, { headers });
    expect([second.json, second.headers.get('x-wp-totalpages')]).toEqual([[], '1']);
  });

  it.each([
    ['mail', 'from_name'],
    ['controller', 'name'],
    ['controller', 'dpo_name'],
  ])('accepts one line only for %s.%s', async (section, field) => {
    const { save } = await setUp();
    for (const text of ['The shop\nBcc: all@example.com', 'The\tshop', 'The\u0085shop']) {
      const { status, json } = await save({ [section]: { [field]: text } });
      expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
      expect(JSON.stringify(json.data.params)).toContain(
        `${field}] must be one line, without line breaks, tabs and control characters.`,
      );
    }
    expect((await save({ [section]: { [field]: 'The “shop” — Zürich' } })).status).toBe(200);
    await save({ [section]: { [field]: '' } });
  });

  it('accepts strictly necessary vendors with every slug that a vendor can have', async () => {
    const { save } = await setUp();
    const headers = await basicAuth(app.platform);
    const body = { name: 'Acme CRM', slug: 'acme_crm-2' };
    const made = await app.http.post('/wp-json/svc/v1/vendors', { headers, body });
    expect(made.status).toBe(201);
    const { status, json } = await save({ scanner: { necessary_vendors: [body.slug] } });
    expect([status, json.scanner.necessary_vendors]).toEqual([200, [body.slug]]);
    expect((await save({ scanner: { necessary_vendors: ['_acme'] } })).status).toBe(400);
    await save({ scanner: { necessary_vendors: [] } });
  });

  it('returns 412 if the settings have changed since they were read', async () => {
    const headers = await basicAuth(app.platform);
    const grace = await makeUser(app.platform);
    const put = (body: object, more: Record<string, string>) =>
      app.http.request('PUT', PATH, { headers: { ...headers, ...more }, body });
    const read = await app.http.get(PATH, { headers });
    const etag = read.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const hers = await app.http.request('PUT', PATH, {
      headers: { ...basic(grace.login, grace.applicationPassword), 'if-match': etag },
      body: { consent: { title: 'Hers' } },
    });
    expect([hers.status, hers.headers.get('etag') === etag]).toEqual([200, false]);

    const late = await put({ consent: { message: 'Mine' } }, { 'if-match': etag });
    expect([late.status, late.json.code]).toEqual([412, 'rest_precondition_failed']);
    expect(late.json.data.etag).toBe(hers.headers.get('etag'));
    expect(late.json.data.changes).toContainEqual({
      section: 'consent',
      changed_at: expect.stringMatching(/^2026-/),
      changed_by: grace.login,
    });
    const now = await app.http.get(PATH, { headers });
    expect([now.json.consent.title, now.json.consent.message]).toEqual([
      'Hers',
      read.json.consent.message,
    ]);

    const again = await put(
      { consent: { message: 'Mine' } },
      { 'if-match': `"another", ${late.json.data.etag}` },
    );
    expect(again.status).toBe(200);
    const both = (await app.http.get(PATH, { headers })).json.consent;
    expect([both.title, both.message]).toEqual(['Hers', 'Mine']);
    // Without the header, or with `*`, the update is unconditional.
    for (const more of [{}, { 'if-match': '*' }])
      expect((await put({ consent: { message: 'Again' } }, more)).status).toBe(200);
  });

  it.each(['gzip', 'zstd', 'br', 'deflate'])(
    'accepts the ETag of a response that a proxy has compressed with %s',
    async (encoding) => {
      const headers = await basicAuth(app.platform);
      const etag = (await app.http.get(PATH, { headers })).headers.get('etag') ?? '';
      const put = (title: string) =>
        app.http.request('PUT', PATH, {
          headers: { ...headers, 'if-match': etag.replace(/"$/, `-${encoding}"`) },
          body: { consent: { title } },
        });
      expect((await put(`From ${encoding}`)).status).toBe(200);
      expect((await put('Late')).status).toBe(412);
    },
  );

  it('accepts one of two simultaneous updates and returns 412 for the other', async () => {
    const headers = await basicAuth(app.platform);
    const etag = (await app.http.get(PATH, { headers })).headers.get('etag') ?? '';
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((title) =>
        app.http.request('PUT', PATH, {
          headers: { ...headers, 'if-match': etag },
          body: { consent: { title } },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });

  it.each(['pt-PT-ao90', 'zh-yue', 'en-abc'])(
    'refuses %s, which is no language tag',
    async (tag) => {
      const { save } = await setUp();
      for (const consent of [
        { languages: ['en', tag] },
        { translations: [{ language: tag, title: 'Privacy' }] },
      ]) {
        const { status, json } = await save({ consent });
        expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
        expect(json.data.params.consent).toContain(`"${tag}" is not a language tag`);
      }
    },
  );

  it('stores translations with some texts missing', async () => {
    const { save } = await setUp();
    const categories = [{ id: 'analytics', label: 'Statistik' }];
    const translations = [{ language: 'de', title: 'Datenschutz', categories }];
    const { status, json } = await save({ consent: { translations } });
    expect([status, json.consent.translations]).toEqual([200, translations]);
    const texts = (await app.http.get('/wp-json/svc/v1/consent/texts?language=de')).json;
    expect(texts.title).toBe('Datenschutz');
    expect(texts.accept_text).toBe('Accept all');
    expect(texts.categories.analytics).toEqual({
      label: 'Statistik',
      description: 'Measures visits and how the website is used, so that it can be improved.',
    });
    const bad = await save({ consent: { translations: [{ title: 'No language' }] } });
    expect([bad.status, bad.json.code]).toEqual([400, 'rest_invalid_param']);
  });

  it('returns defaults for settings that were added later', async () => {
    const { read } = await setUp();
    const fields = JSON.stringify({ enabled: true, regime: 'ccpa' });
    await app.platform.datastore.db
      .insertInto('settings')
      .values({ section: 'dsar', fields })
      .onConflict((conflict) => conflict.column('section').doUpdateSet({ fields }))
      .execute();
    expect((await read()).dsar).toEqual({ enabled: true, regime: 'ccpa', auto_erase: false });

    const { regimes, refused_until_days, ...config } = (await read()).consent;
    await app.platform.datastore.db
      .insertInto('consent_configs')
      .values({ hash: 'old', config: JSON.stringify(config), created_at: 0 })
      .execute();
    expect((await read()).consent).toEqual({ ...config, regimes, refused_until_days });
  });

  it('updates the rules by country in part', async () => {
    const { read, save } = await setUp();
    const overrides = [{ country: 'CA', regime: 'us' }];
    await save({ consent: { regimes: { overrides } } });
    const { status } = await save({ consent: { regimes: { mode: 'by_country' } } });
    expect([status, (await read()).consent.regimes]).toEqual([
      200,
      { mode: 'by_country', overrides },
    ]);
  });

  it('stores the controller with normalised email addresses', async () => {
    const { read, save } = await setUp();
    const controller = {
      name: 'Example Ltd',
      address: '1 High Street\nLondon',
      email: ' Privacy@B\u00fccher.example ',
      dpo_name: 'Ada Lovelace',
      dpo_email: 'dpo@example.com',
    };
    expect((await save({ controller })).status).toBe(200);
    const kept = { ...controller, email: 'privacy@xn--bcher-kva.example' };
    expect((await read()).controller).toEqual(kept);
    await save({ controller: { dpo_email: '' }, mail: { reply_to: 'Answers@example.com' } });
    const { controller: changed, mail } = await read();
    expect(changed).toEqual({ ...kept, dpo_email: '' });
    expect(mail.reply_to).toBe('answers@example.com');
  });

  it.each([
    [{ mail: { reply_to: 'nobody' } }, 'mail[reply_to] must be one email address'],
    [{ mail: { reply_to: 'a@example.com, b@example.com' } }, 'must be one email address'],
    [{ controller: { email: 'privacy' } }, 'controller[email] must be one email address'],
    [{ controller: { dpo_email: 'x@y' } }, 'controller[dpo_email] must be one email address'],
    [{ consent: { position: 'sideways' } }, 'consent[position] is not one of'],
    [{ consent: { expiry_days: 0 } }, 'consent[expiry_days] must be between 1'],
    [{ consent: { refused_until_days: 0 } }, 'consent[refused_until_days] must be between 1'],
    [{ consent: { regimes: { mode: 'everywhere' } } }, 'consent[regimes][mode] is not one of'],
    [
      { consent: { regimes: { overrides: [{ country: 'DE', regime: 'us' }] } } },
      'consent[regimes][overrides][0][regime] must not be laxer than the rules for DE. The rule must_ask of eu',
    ],
    [
      {
        consent: {
          categories: [
            { id: 'a', label: 'A', description: '', required: true, own_use: 'adverts' },
          ],
        },
      },
      'consent[categories][0][own_use] is not one of',
    ],
    [
      { consent: { privacy_url: 'javascript:alert(1)' } },
      'consent[privacy_url] must be an http or https URL',
    ],
    [
      {
        consent: {
          categories: [
            { id: 'necessary', label: 'N', description: '', required: true },
            { id: 'functional', label: 'F', description: '', required: false },
          ],
        },
      },
      'The category functional must be required',
    ],
    [{ consent: { categories: [] } }, 'At least one category must be required'],
    [{ consent: 'yes' }, 'consent is not of type object'],
    [{ scanner: { concurrency: 'many' } }, 'scanner[concurrency] is not of type integer'],
  ])('returns 400 for %j and changes nothing', async (body, says) => {
    const { read, save } = await setUp();
    const before = await read();
    const { status, json } = await save(body);
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.values(json.data.params).join()).toContain(says);
    expect(await read()).toEqual(before);
  });
});

describe('The settings of a site at another address', () => {
  const app = useTestApp('sqlite', { PAVIS_SITE_URL: 'https://shop.example.com' });

  it('link to the request form of Pavis until the address of the privacy policy is entered', async () => {
    const { json } = await app.http.get('/wp-json/svc/v1/consent/status');
    expect(json.settings.privacy_url).toBe(`${app.url}/privacy/`);
  });
});
