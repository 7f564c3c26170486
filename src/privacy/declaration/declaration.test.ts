import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { fixtureSite } from '../../../test/support/fixture-site.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { NO_NAME } from '../scanner/index.ts';

const ROOT = '/wp-json/svc/v1';
const site = await fixtureSite();
afterAll(() => site.close());

describe.each(ENGINES)('The declaration on %s', (engine) => {
  const app = useTestApp(engine, {
    PAVIS_SITE_URL: site.url,
    PAVIS_CHROMIUM: 'off',
    PAVIS_SITE_TIMEZONE: 'Pacific/Pago_Pago',
  });
  let headers: Record<string, string>;
  const post = async (path: string, body: object) =>
    (await app.http.post(`${ROOT}${path}`, { headers, body })).json;
  const read = async (language: string) =>
    (await app.http.get(`${ROOT}/declaration?language=${language}`)).json;
  const drift = async () => (await app.http.get(`${ROOT}/declaration/drift`, { headers })).json;
  const vendorId = async (slug: string) =>
    (await app.http.get(`${ROOT}/vendors?search=${slug}`, { headers })).json[0].id;

  async function scan(): Promise<number> {
    const { scan_id, urls } = await post('/scanner/start', { scan_depth: 1 });
    for (const url of urls) await post('/scanner/scan-page', { scan_id, url });
    await post('/scanner/complete', { scan_id });
    app.clock.advance(61_000);
    return scan_id;
  }

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
  });

  it('says before the first scan that there is none', async () => {
    expect(await read('de')).toMatchObject({
      language: 'de',
      scanned_at: null,
      categories: [],
      labels: { basis: expect.stringContaining('noch nicht gescannt') },
    });
    expect(await drift()).toEqual({ scan_id: null, scanned_at: null, undeclared: [], unseen: [] });
    app.clock.advance(61_000);
  });

  it('lists what the scan saw, with the observed duration, the data map and the labels of the site', async () => {
    await post('/data-map', {
      vendor_id: await vendorId('google-analytics'),
      purpose: 'Zählt Besuche',
      legal_basis: 'consent',
      third_countries: 'USA',
      safeguards: 'EU-US Data Privacy Framework',
    });
    await scan();
    const english = await read('en');
    const analytics = english.categories.find(({ id }: { id: string }) => id === 'analytics');
    expect(analytics.recipients[0]).toMatchObject({
      name: 'Google Analytics',
      kind: 'vendor',
      purposes: ['Zählt Besuche'],
      legal_bases: ['Consent, Art. 6(1)(a) GDPR'],
      third_countries: ['USA'],
      safeguards: ['EU-US Data Privacy Framework'],
      stored: [{ name: '_ga', duration: '1 year', usual_duration: 'typically 2 years' }],
    });
    const german = await read('de-AT');
    expect(german.categories[0]).toMatchObject({ id: 'functional', label: expect.any(String) });
    const site = german.categories[0].recipients.at(-1);
    expect(site).toMatchObject({
      kind: 'site',
      name: expect.stringMatching(/^Diese Website/),
      stored: [{ name: 'PHPSESSID', duration: 'bis zum Ende der Sitzung', usual_duration: null }],
    });
    const unknown = english.categories.at(-1);
    expect(unknown).toMatchObject({
      id: null,
      label: 'Not classified',
      recipients: [{ kind: 'host', name: 'cdn.nobody-known.example' }],
    });
  });

  it('says in its language that a cookie has no name', async () => {
    const findings = app.platform.datastore.db.updateTable('scan_findings');
    const rename = (from: string, name: string) =>
      findings.set({ name }).where('name', '=', from).execute();
    await rename('PHPSESSID', NO_NAME);
    app.clock.advance(61_000);
    const { categories } = await read('de');
    expect(categories[0].recipients.at(-1).stored).toMatchObject([{ name: '(ohne Namen)' }]);
    const preferences = await app.http.get(`${ROOT}/consent/vendors?language=de`);
    expect(preferences.json.categories.functional.at(-1).stored).toMatchObject([
      { name: '(ohne Namen)' },
    ]);
    await rename(NO_NAME, 'PHPSESSID');
    app.clock.advance(61_000);
  });

  it('says what the banner itself stores for, unless the owner of the site does', async () => {
    const findings = app.platform.datastore.db.updateTable('scan_findings');
    const rename = (from: string, name: string) =>
      findings.set({ name }).where('name', '=', from).execute();
    const inDeclaration = async (language: string) => {
      app.clock.advance(61_000);
      return (await read(language)).categories[0].recipients.at(-1).stored[0].purpose;
    };
    const inPreferences = async (language: string) =>
      (
        await app.http.get(`${ROOT}/consent/vendors?language=${language}`)
      ).json.categories.functional.at(-1).stored[0].purpose;
    const french = (await app.http.get(`${ROOT}/consent/languages/fr`, { headers })).json;
    const offer = (languages: string[], translations: object[]) =>
      app.http.request('PUT', `${ROOT}/settings`, {
        headers,
        body: { consent: { languages, translations } },
      });
    const { languages, translations } = (await app.http.get(`${ROOT}/settings`, { headers })).json
      .consent;
    await offer(['en', 'de', 'fr'], [...translations, french]);
    await rename('PHPSESSID', 'pavis_consent');
    expect(await inDeclaration('en')).toBe('Remembers your privacy choices.');
    expect(await inDeclaration('de')).toBe('Speichert Ihre Datenschutz-Einstellungen.');
    expect(await inPreferences('de')).toBe('Speichert Ihre Datenschutz-Einstellungen.');
    // The banner cannot mark it as English.
    expect(await inPreferences('fr')).toBeUndefined();

    const own = { pattern: 'pavis_consent', category: 'functional', purpose: 'Our own words' };
    const { id } = await post('/scanner/cookies', own);
    expect([await inDeclaration('de'), await inPreferences('fr')]).toEqual([
      own.purpose,
      own.purpose,
    ]);
    await app.http.request('DELETE', `${ROOT}/scanner/cookies/${id}`, { headers });
    await rename('pavis_consent', 'PHPSESSID');
    await offer(languages, translations);
    app.clock.advance(61_000);
  });

  it('has all texts in English and German, and the labels of the site in other languages', async () => {
    const [english, german, french] = await Promise.all([read('en'), read('de'), read('fr')]);
    expect(Object.keys(german.labels)).toEqual(Object.keys(english.labels));
    expect(german.labels.title).not.toBe(english.labels.title);
    expect(german.labels.basis).toContain('20. November 2026');
    expect(french).toMatchObject({ language: 'en', labels: english.labels });
  });

  it.each([
    ['uk', 'Consent, Art. 6(1)(a) UK GDPR', 'Einwilligung, Art. 6 Abs. 1 Buchst. a UK-DSGVO'],
    ['ccpa', 'Consent', 'Einwilligung'],
    ['lgpd', 'Consent', 'Einwilligung'],
    ['gdpr', 'Consent, Art. 6(1)(a) GDPR', 'Einwilligung, Art. 6 Abs. 1 Buchst. a DSGVO'],
  ])('cites the Article of a legal basis under the law of the site, %s', async (regime, en, de) => {
    const body = { dsar: { regime } };
    await app.http.request('PUT', `${ROOT}/settings`, { headers, body });
    for (const [language, basis] of [
      ['en', en],
      ['de', de],
    ] as const) {
      const { categories } = await read(language);
      const analytics = categories.find(({ id }: { id: string }) => id === 'analytics');
      expect(analytics.recipients[0].legal_bases).toEqual([basis]);
    }
  });

  it('is a page in which the labels of the site have the direction of their language', async () => {
    const label = 'ניתוח נתונים (Analytics)';
    const { consent } = (await app.http.get(`${ROOT}/settings`, { headers })).json;
    const categories = consent.categories.map((each: { id: string }) =>
      each.id === 'analytics' ? { ...each, label } : each,
    );
    const save = (changes: object) =>
      app.http.request('PUT', `${ROOT}/settings`, { headers, body: { consent: changes } });
    const { status } = await save({ languages: ['he'], translations: [], categories });
    expect(status).toBe(200);
    const { text } = await app.http.get('/privacy/declaration/?lang=en');
    expect(text).toContain(`<section lang="he" dir="rtl">\n<h2>${label}</h2>`);
    expect(text).toContain('<div lang="en" dir="ltr"><div class="card notice">');
    const { languages, translations, categories: before } = consent;
    expect((await save({ languages, translations, categories: before })).status).toBe(200);
  });

  it('lists vendors in the categories of their active scripts, as the preferences do, at once', async () => {
    const url = 'https://www.googletagmanager.com/gtm.js?id=GTM-ABC123';
    const script = { handle: 'gtm', label: 'Tags', category: 'marketing', script_url: url };
    const find = async () =>
      (await read('en')).categories
        .filter(({ recipients }: { recipients: { slug: string | null }[] }) =>
          recipients.some(({ slug }) => slug === 'google-tag-manager'),
        )
        .map(({ id }: { id: string }) => id);
    const preferred = async () =>
      Object.entries<{ slug?: string }[]>(
        (await app.http.get(`${ROOT}/consent/vendors?language=en`)).json.categories,
      )
        .filter(([, vendors]) => vendors.some(({ slug }) => slug === 'google-tag-manager'))
        .map(([id]) => id);
    const before = await find();
    expect(await preferred()).toEqual(before);
    const { id } = await post('/scripts', script);
    expect([await find(), await preferred()]).toEqual([['marketing'], ['marketing']]);
    const { undeclared } = await drift();
    expect(undeclared).toContainEqual(
      expect.objectContaining({ slug: 'google-tag-manager', category: 'marketing' }),
    );
    await app.http.request('DELETE', `${ROOT}/scripts/${id}`, { headers });
    expect([await find(), await preferred()]).toEqual([before, before]);
  });

  it('lists a host without a vendor in the category of its active script, as the preferences do', async () => {
    const script_url = 'https://cdn.nobody-known.example/other.js';
    const script = { handle: 'nobody', label: 'Nobody', category: 'marketing', script_url };
    const { id } = await post('/scripts', script);
    const { categories } = await read('en');
    const marketing = categories.find((category: { id: string }) => category.id === 'marketing');
    expect(marketing.recipients).toContainEqual(
      expect.objectContaining({ kind: 'host', name: 'cdn.nobody-known.example' }),
    );
    expect(categories).not.toContainEqual(expect.objectContaining({ id: null }));
    const preferences = await app.http.get(`${ROOT}/consent/vendors?language=en`);
    const names = preferences.json.categories.marketing.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => /nobody/i.test(name))).toEqual(['Nobody']);
    await app.http.request('DELETE', `${ROOT}/scripts/${id}`, { headers });
  });

  it('is revalidated by its ETag and may be read by pages of the site', async () => {
    const first = await app.http.get(`${ROOT}/declaration`, { headers: { origin: site.url } });
    expect(first.headers.get('access-control-allow-origin')).toBe(site.url);
    const etag = first.headers.get('etag') ?? '';
    const again = await app.http.get(`${ROOT}/declaration`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('ignores scans that check a decision, scans of other sites and incomplete scans', async () => {
    const before = await drift();
    const { db } = app.platform.datastore;
    const ids = [await scan(), await scan(), await scan()];
    const changes = [
      { started_by: 'proof' },
      { site_url: 'https://elsewhere.example' },
      { status: 'cancelled' },
    ] as const;
    for (const [at, change] of changes.entries())
      await db.updateTable('scans').set(change).where('id', '=', Number(ids[at])).execute();
    expect((await drift()).scan_id).toBe(before.scan_id);
  });

  it('reports what was seen but not declared, and what was declared but not seen', async () => {
    await post('/data-map', {
      vendor_id: await vendorId('hotjar'),
      purpose: 'Records visits',
      legal_basis: 'consent',
    });
    const found = await drift();
    const names = found.undeclared.map(({ name }: { name: string }) => name);
    expect(names).toContain('Google Tag Manager');
    expect(names.at(-1)).toBe('cdn.nobody-known.example');
    expect(names).not.toContain('Google Analytics');
    expect(found.unseen).toMatchObject([{ slug: 'hotjar', scans: 1, last_seen: null }]);
    expect(found.unseen[0].since).toBe(found.scanned_at);
  });
});
