import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../test/support/users.ts';
import { mailKey } from '../checkout/mails.ts';
import { issueLicenceWithin } from '../licences/index.ts';
import { createPlan, createProduct, NEVER } from '../products/index.ts';

const PATH = '/console/licences/branding';
const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';

describe.each(ENGINES)('The branding on %s', (engine) => {
  const app = useTestApp(engine);
  let staff: Promise<Awaited<ReturnType<typeof makeUser>>> | undefined;
  async function ask(method: string, body?: object, more: object = {}) {
    staff ??= makeUser(app.platform);
    const { login, applicationPassword } = await staff;
    const headers = { ...basic(login, applicationPassword), ...more };
    return app.http.request(method, PATH, { headers, ...(body && { body }) });
  }
  const open = async (language: string, path = '/account/') => {
    const answer = await fetch(app.url + path, { headers: { 'accept-language': language } });
    return { headers: answer.headers, html: await answer.text() };
  };
  const readMail = (recipient: string) =>
    app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['subject', 'body_text', 'body_html'])
      .where('recipient', '=', recipient)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();

  it('is empty at first, and pages name nobody', async () => {
    const { status, json } = await ask('GET');
    expect([status, json]).toEqual([
      200,
      { name: null, support_url: null, color: null, logo: null, language: null },
    ]);
    const { html, headers } = await open('en');
    expect(html).toContain('<title>Sign in – Licences</title>');
    expect(html).not.toMatch(/pavis/i);
    expect(headers.get('content-security-policy')).toContain('; img-src data:;');
    expect(html).toContain('<link rel="icon" href="data:image/svg+xml,');
  });

  it('appears on the pages, which allow nothing else', async () => {
    const body = {
      name: 'Forms & Co',
      color: '#0f766e',
      logo: PICTURE,
      support_url: 'mailto:help@forms.example.com',
    };
    const { status, json } = await ask('PUT', body);
    expect([status, json]).toEqual([200, { ...body, language: null }]);
    const { html, headers } = await open('en');
    expect(html).toContain('<title>Sign in – Forms &#38; Co</title>');
    expect(html).toContain(`<img src="${PICTURE}" alt="" height="40">`);
    expect(html).toContain('<a href="mailto:help@forms.example.com">Help</a>');
    expect(html).toContain('<style>:root{--button:#0f766e;--on-button:#ffffff}</style>');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.match(/'sha256-/g)).toHaveLength(2);
    expect(policy).toContain('; img-src data:;');
    expect(html).toContain(`<link rel="icon" href="${PICTURE}">`);
    await ask('PUT', { logo: null });
    expect((await open('en')).html).toMatch(/<link rel="icon" href="data:image.svg[^"]+%230f766e/);
    await ask('PUT', { logo: PICTURE });
  });

  it('speaks German to browsers that prefer it, and to others if the vendor does', async () => {
    const german = await open('de-DE,de;q=0.9');
    expect(german.html).toContain('<html lang="de"');
    expect(german.html).toContain('Link zum Anmelden senden');
    expect(german.headers.get('content-language')).toBe('de');
    expect((await open('fr')).html).toContain('<html lang="en"');
    await ask('PUT', { language: 'de' });
    expect((await open('fr')).html).toContain('<html lang="de"');
    expect((await open('en')).html).toContain('<html lang="en"');
    expect((await open('de', '/account/nothing')).html).toContain('Seite nicht gefunden');
    expect((await open('de', '/checkout/cancelled')).html).toContain('abgebrochen');
    await ask('PUT', { language: null });
  });

  it('is in emails, which name the product', async () => {
    const { platform } = app;
    const slug = `forms-${engine}`;
    await createProduct(platform, { slug, name: 'Forms Pro' }, 'test');
    await createPlan(platform, slug, { tier: 'solo', label: 'Solo' }, 'test');
    const send = async (email: string) => {
      await platform.datastore.transaction(async (trx, announce) => {
        const request = {
          email,
          product: slug,
          tier: 'solo',
          expiresAt: NEVER,
          mode: 'live' as const,
        };
        const issued = await issueLicenceWithin(platform, trx, announce, request, 'test');
        await mailKey(platform, trx, announce, issued);
      });
      return readMail(email);
    };
    const english = await send('ada@example.com');
    expect(english.subject).toBe('Your licence key for Forms Pro');
    expect(english.body_text).toMatch(/Product: Forms Pro\nTier: Solo\n/);
    expect(english.body_text).toMatch(/\n\nForms & Co\n\nHelp: help@forms\.example\.com\n$/);
    expect(english.body_html).toContain('>Forms &#38; Co</p>');
    await ask('PUT', { language: 'de' });
    const german = await send('bert@example.com');
    expect(german.subject).toBe('Ihr Lizenzschlüssel für Forms Pro');
    expect(german.body_html).toContain('<html lang="de">');
    expect(german.body_text).toContain('Läuft ab: nie (unbegrenzt)');
    const { email } = await makeLicence(platform);
    await app.http.post('/auth/magic-link', { body: { email } });
    const link = await readMail(email);
    expect(link.subject).toBe('Ihr Link zum Anmelden');
    expect(link.body_html).toContain('background:#0f766e;color:#ffffff');
    await ask('PUT', { language: null });
  });

  it('is refused with the field that is wrong, and changes nothing then', async () => {
    const before = (await ask('GET')).json;
    for (const [field, value] of [
      ['color', 'teal'],
      ['logo', 'https://forms.example.com/logo.png'],
      ['logo', 'data:text/html;base64,PGI+'],
      ['language', 'fr'],
      ['name', ' \t '],
      ['support_url', 'javascript:alert(1)'],
    ] as const) {
      const { status, json } = await ask('PUT', { [field]: value });
      expect([status, Object.keys(json.data.params)]).toEqual([400, [field]]);
    }
    expect((await ask('GET')).json).toEqual(before);
  });

  it('is recorded in the security log, and a change of an older version is refused', async () => {
    const { headers } = await ask('GET');
    const etag = headers.get('etag') as string;
    expect((await ask('PUT', { logo: null }, { 'if-match': etag })).status).toBe(200);
    const late = await ask('PUT', { name: 'Late' }, { 'if-match': etag });
    expect([late.status, late.json.code]).toEqual([412, 'rest_precondition_failed']);
    const { name } = (await ask('GET')).json;
    // It changes nothing, so it is not recorded.
    expect((await ask('PUT', { name })).status).toBe(200);
    const { details } = await app.platform.datastore.db
      .selectFrom('security_events')
      .select('details')
      .where('event', '=', 'branding_changed')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(String(details))).toEqual({ logo: 'removed' });
  });

  it('can be changed by administrators only', async () => {
    const { login, applicationPassword } = await makeUser(app.platform, 'editor');
    const headers = basic(login, applicationPassword);
    const { status } = await app.http.request('PUT', PATH, { headers, body: { name: 'Mine' } });
    expect(status).toBe(403);
  });
});
