import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../../test/support/engines.ts';
import { basicAuth } from '../../../../../test/support/makers.ts';
import { useTestApp } from '../../../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../../../test/support/users.ts';
import { DEFAULT_APPEARANCE } from './rules.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('consent.appearance on %s', (engine) => {
  const app = useTestApp(engine);

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    const save = (appearance: object, more: object = {}) =>
      ask('PUT', '/settings', { consent: { appearance }, ...more });
    const status = async () => (await app.http.get(`${ROOT}/consent/status`)).json;
    const texts = async () => (await app.http.get(`${ROOT}/consent/texts`)).json;
    return { ask, save, status, texts };
  }
  const refusal = ({ status, json }: Awaited<ReturnType<typeof app.http.get>>) => [
    status,
    json.data?.params.consent,
  ];

  it('is today’s look by default, of which the status says nothing', async () => {
    const { ask, status } = await setUp();
    const { consent } = (await ask('GET', '/settings')).json;
    expect(consent.appearance).toEqual(DEFAULT_APPEARANCE);
    expect((await status()).appearance).toBeUndefined();
  });

  it('is updated in part, creates a version, and never asks visitors again', async () => {
    const { ask, save, status, texts } = await setUp();
    const before = await texts();
    const first = await save({ radius: 4, colors: { light: { accent: '#0A6B50' } } });
    expect(first.json.consent.appearance).toEqual({
      ...DEFAULT_APPEARANCE,
      radius: 4,
      colors: {
        ...DEFAULT_APPEARANCE.colors,
        light: { ...DEFAULT_APPEARANCE.colors.light, accent: '#0a6b50' },
      },
    });
    const second = await save({
      layout: 'bar',
      font: 'serif',
      button_order: ['accept', 'reject', 'manage'],
      reopen_button: 'off',
      logo: { url: '/logo.svg', alt: '', height: 32 },
      colors: { dark: { accent: '#7fd1ab' } },
    });
    expect(second.json.consent.appearance).toMatchObject({
      radius: 4,
      layout: 'bar',
      colors: { light: { accent: '#0a6b50' }, dark: { accent: '#7fd1ab' } },
    });
    const after = await texts();
    expect([after.version, after.asked_since]).toEqual([before.version + 2, before.asked_since]);
    expect((await status()).appearance).toEqual({
      styles: expect.stringContaining(
        '--accent:var(--pavis-accent,light-dark(#0a6b50,#7fd1ab));--radius:var(--pavis-radius,4px)',
      ),
      button_order: ['accept', 'reject', 'manage'],
      reopen_button: 'off',
    });
    // The same again, written differently, is no change.
    await save({
      colors: { light: { accent: '#0a6B50' } },
      logo: { height: 32, alt: '', url: '/logo.svg' },
    });
    expect((await texts()).version).toBe(after.version);
    const back = await save({ ...DEFAULT_APPEARANCE });
    expect(back.json.consent.appearance).toEqual(DEFAULT_APPEARANCE);
    expect((await status()).appearance).toBeUndefined();
    const { config } = (await ask('GET', '/settings/consent-versions')).json[1];
    expect(config.appearance.layout).toBe('bar');
  });

  it('refuses colours below WCAG 2.2 AA and saves nothing', async () => {
    const { save, texts } = await setUp();
    const { version } = await texts();
    const answer = await save({ radius: 2, colors: { light: { muted: '#999999' } } });
    expect(refusal(answer)).toEqual([
      400,
      'consent[appearance][colors][light][muted] must give a contrast of at least 4.5:1 (WCAG 2.2 AA). #999999 on the background, #ffffff, has 2.84:1. The nearest colour that passes is #767676.',
    ]);
    expect((await texts()).version).toBe(version);
  });

  it.each([
    ['https://cdn.example/logo.svg'],
    ['//cdn.example/logo.svg'],
    ['/\\cdn.example/logo.svg'],
    ['/\t/cdn.example/logo.svg'],
    ['logo.svg'],
    ['data:image/svg+xml,<svg/>'],
    ['javascript:alert(1)'],
  ])('refuses a logo of third parties: %s', async (url) => {
    const { save } = await setUp();
    const [status, reason] = refusal(await save({ logo: { url, alt: '', height: 24 } }));
    expect([status, reason]).toEqual([400, expect.stringMatching(/logo\]\[url\] must be a path/)]);
  });

  it('takes a logo on an allowed origin, which then cannot be removed', async () => {
    const { ask, save } = await setUp();
    const logo = { url: 'https://cdn.example.org/logo.svg', alt: 'Example', height: 24 };
    const allowed = ['https://cdn.example.org'];
    expect((await save({ logo }, { origins: { allowed } })).status).toBe(200);
    const removed = await ask('PUT', '/settings', { origins: { allowed: [] } });
    expect(refusal(removed)[1]).toMatch('consent[appearance][logo][url]');
    expect((await save({ logo: null }, { origins: { allowed: [] } })).status).toBe(200);
    expect((await save({ logo: { ...logo, url: `${app.url}/logo.svg` } })).status).toBe(200);
    await save({ logo: null });
  });

  it('writes texts of the logo so that they end nothing in the styles', async () => {
    const { save, status } = await setUp();
    await save({ logo: { url: '/a").svg\\', alt: '"}*{display:none}\n\\', height: 24 } });
    const { styles } = (await status()).appearance;
    expect(styles).toContain('content:""/"\\22 }*{display:none}\\a \\5c "');
    expect(styles).toContain('url("/a\\22 ).svg\\5c ")');
    await save({ logo: null });
  });

  it.each([
    [{ radius: 33 }, 'radius'],
    [{ layout: 'wall' }, 'layout'],
    [{ colors: { light: { accent: 'red' } } }, 'accent'],
    [{ button_order: ['accept', 'reject'] }, 'button_order'],
    [{ button_order: ['accept', 'accept', 'manage'] }, 'button_order'],
    [{ logo: { url: '/a.svg', alt: '', height: 8 } }, 'height'],
    [{ accept_weight: 'bold' }, undefined],
  ])('refuses what has another form: %j', async (appearance, field) => {
    const { save } = await setUp();
    const answer = await save(appearance);
    if (field === undefined) {
      expect(answer.json.consent.appearance).toEqual((await save({})).json.consent.appearance);
      expect(answer.json.consent.appearance).not.toHaveProperty('accept_weight');
      return;
    }
    const [status, reason] = refusal(answer);
    expect([status, reason]).toEqual([400, expect.stringContaining(`[${field}]`)]);
  });

  it('is for administrators, and editors can check one', async () => {
    const { login, applicationPassword } = await makeUser(app.platform, 'editor');
    const headers = basic(login, applicationPassword);
    const appearance = { colors: { light: { accent: '#ffffff' } } };
    const body = { consent: { appearance: { radius: 9 } } };
    expect((await app.http.request('PUT', `${ROOT}/settings`, { headers, body })).status).toBe(403);
    const checked = await app.http.request('POST', `${ROOT}/consent/banner/appearance`, {
      headers,
      body: { appearance },
    });
    expect(checked.status).toBe(200);
    expect(checked.json.shown.styles).toContain('light-dark(#ffffff,#a9c2ff)');
    expect(checked.json.contrasts).toHaveLength(8);
    expect(checked.json.contrasts.find(({ passes }: { passes: boolean }) => !passes)).toMatchObject(
      { scheme: 'light', color: 'accent', against: 'background', ratio: 1 },
    );
  });
});
