import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { fixtureSite } from '../../../../test/support/fixture-site.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';

const ROOT = '/wp-json/svc/v1';
const site = await fixtureSite();
afterAll(() => site.close());

describe.each(ENGINES)('The vendors of the preferences on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_URL: site.url, PAVIS_CHROMIUM: 'off' });
  let headers: Record<string, string>;
  const post = async (path: string, body: object) =>
    (await app.http.post(`${ROOT}${path}`, { headers, body })).json;
  const read = async (language: string) => {
    app.clock.advance(61_000);
    return (await app.http.get(`${ROOT}/consent/vendors?language=${language}`)).json;
  };
  const vendorId = async (slug: string) =>
    (await app.http.get(`${ROOT}/vendors?search=${slug}`, { headers })).json[0].id;
  const register = (handle: string, category: string, script_url: string, more: object = {}) =>
    post('/scripts', { handle, label: `Label of ${handle}`, category, script_url, ...more });

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
  });

  it('are none as long as nothing is registered, declared or scanned', async () => {
    expect(await read('en')).toEqual({ language: 'en', categories: {} });
  });

  it('are those of active scripts, by the category of the script, with typical lifetimes', async () => {
    await register('video', 'personalisation', 'https://www.youtube-nocookie.com/embed/');
    await register('own', 'analytics', 'https://nobody-known.example/px.js');
    await register('off', 'marketing', 'https://static.hotjar.com/h.js', { is_active: 0 });
    const { categories } = await read('de');
    expect(Object.keys(categories)).toEqual(['analytics', 'personalisation']);
    expect(categories.analytics).toEqual([{ name: 'Label of own' }]);
    const [youtube] = categories.personalisation;
    expect(youtube).toMatchObject({
      slug: 'youtube',
      name: 'YouTube',
      purpose: expect.stringMatching(/^Spielt Videos/),
      privacy_url: 'https://policies.google.com/privacy',
    });
    expect(youtube.purpose_language).toBeUndefined();
    const lifetimes = Object.fromEntries(
      youtube.stored.map((each: { name: string; lifetime: string }) => [each.name, each.lifetime]),
    );
    expect(lifetimes).toMatchObject({
      YSC: 'bis Sie den Browser schließen (üblich)',
      VISITOR_INFO1_LIVE: '6 Monate (üblich)',
    });
  });

  it('are those of the data map with consent as legal basis, in the words of the owner', async () => {
    const entry = async (slug: string, legal_basis: string) =>
      post('/data-map', { vendor_id: await vendorId(slug), purpose: `With ${slug}`, legal_basis });
    await entry('matomo', 'consent');
    await entry('stripe', 'contract');
    const { categories } = await read('en');
    expect(categories.analytics.map(({ name }: { name: string }) => name)).toEqual([
      'Label of own',
      'Matomo',
    ]);
    expect(categories.analytics[1]).toMatchObject({ purpose: 'With matomo', slug: 'matomo' });
    expect(JSON.stringify(categories)).not.toContain('Stripe');
  });

  it('link to the privacy policy that the owner has entered for a vendor of their own', async () => {
    const privacy_url = 'https://ada.example/privacy';
    const own = { name: 'Ada Analytics', slug: 'ada', category: 'analytics', privacy_url };
    const { id: vendor_id } = await post('/vendors', own);
    const entry = { vendor_id, purpose: 'Counts visits', legal_basis: 'consent' };
    const { id } = await post('/data-map', entry);
    const { categories } = await read('en');
    expect(categories.analytics).toContainEqual(
      expect.objectContaining({ slug: 'ada', name: 'Ada Analytics', privacy_url }),
    );
    await app.http.request('DELETE', `${ROOT}/data-map/${id}`, { headers });
  });

  it('are what the scan saw, with observed lifetimes, the site itself last', async () => {
    const { scan_id, urls } = await post('/scanner/start', { scan_depth: 1 });
    for (const url of urls) await post('/scanner/scan-page', { scan_id, url });
    await post('/scanner/complete', { scan_id });
    const { categories } = await read('en');
    const analytics = categories.analytics.find(
      ({ slug }: { slug: string }) => slug === 'google-analytics',
    );
    expect(analytics.stored).toEqual([{ name: '_ga', lifetime: '1 year' }]);
    const own = categories.functional.at(-1);
    expect(own).toEqual({
      name: new URL(site.url).host,
      stored: [{ name: 'PHPSESSID', lifetime: 'until you close the browser' }],
    });
  });

  it('have purposes in English, marked as such, in a language without vendor texts', async () => {
    const texts = (await app.http.get(`${ROOT}/consent/languages/fr`, { headers })).json;
    const body = { consent: { languages: ['en', 'de', 'fr'], translations: [texts] } };
    await app.http.request('PUT', `${ROOT}/settings`, { headers, body });
    const { language, categories } = await read('fr');
    expect(language).toBe('fr');
    expect(categories.personalisation[0]).toMatchObject({ purpose_language: 'en' });
    expect(JSON.stringify(categories)).toContain('jusqu’à la fermeture du navigateur');
    const matomo = categories.analytics.find(({ slug }: { slug: string }) => slug === 'matomo');
    expect(matomo.purpose_language).toBeUndefined();
  });

  it('are revalidated by their ETag', async () => {
    const first = await app.http.get(`${ROOT}/consent/vendors`);
    const etag = first.headers.get('etag') ?? '';
    const again = await app.http.get(`${ROOT}/consent/vendors`, {
      headers: { 'if-none-match': etag },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
