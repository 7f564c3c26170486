import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';

const ROOT = '/wp-json/svc/v1';
const SITE = 'https://www.example.com';
const STRANGER = 'https://stranger.example';

let made = 0;
const decision = () => ({ visitor_id: `origin-${++made}`, consent_action: 'accept_all' });
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe.each(ENGINES)('Allowed origins on %s', (engine) => {
  const app = useTestApp(engine, {
    PAVIS_SITE_URL: `${SITE}/`,
    PAVIS_REST_ROOT: `${SITE}/wp-json`,
  });
  const admin = async (method: string, path: string, body?: object) =>
    app.http.request(method, ROOT + path, {
      headers: await basicAuth(app.platform),
      ...(body && { body }),
    });
  const decide = (headers: Record<string, string>) =>
    app.http.post(`${ROOT}/consent`, { headers, body: decision() });
  const total = async () => (await admin('GET', '/consent/stats')).json.total;
  const refused = async () => (await admin('GET', '/consent/refused-origins')).json;
  const ownOrigin = () => new URL(app.url).origin;

  it.each([
    ['another origin', { origin: STRANGER }],
    ['another origin, with Sec-Fetch-Site', { origin: STRANGER, 'sec-fetch-site': 'cross-site' }],
    [
      'another host of the same site',
      { origin: 'https://shop.example.com', 'sec-fetch-site': 'same-site' },
    ],
    ['the site without TLS', { origin: 'http://www.example.com' }],
    ['the site on another port', { origin: `${SITE}:8443` }],
    ['a sandboxed frame or a local file', { origin: 'null' }],
    ['a page without an Origin header', { 'sec-fetch-site': 'cross-site' }],
    ['two origins', { origin: `${SITE}, ${STRANGER}` }],
  ])('returns 403 for a consent choice from %s', async (_name, headers) => {
    const before = await total();
    for (const form of [{}, FORM]) {
      const body = decision();
      const answer = await app.http.post(`${ROOT}/consent`, {
        headers: { ...headers, ...form } as Record<string, string>,
        body: 'content-type' in form ? String(new URLSearchParams(body as never)) : body,
      });
      expect([answer.status, answer.json.code]).toEqual([403, 'rest_forbidden_origin']);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(await total()).toBe(before);
  });

  it('names the refused origin in the error and how to allow it', async () => {
    const { json } = await decide({ origin: STRANGER });
    expect(json.message).toContain(`add ${STRANGER} to the allowed origins`);
    expect(json.message).toContain('PAVIS_ALLOWED_ORIGINS');
  });

  it.each([
    ['the plain permalink', 'POST', '/?rest_route=/svc/v1/consent', {}],
    ['a trailing slash', 'POST', `${ROOT}/consent/`, {}],
    ['a method override', 'POST', `${ROOT}/consent?_method=post`, {}],
    ['a method in a header', 'POST', `${ROOT}/consent`, { 'x-http-method-override': 'POST' }],
    ['a query', 'POST', `${ROOT}/consent?visitor_id=q&consent_action=accept_all`, {}],
  ])('returns 403 for another route to POST /consent: %s', async (_name, method, path, headers) => {
    const before = await total();
    const answer = await app.http.request(method, path, {
      headers: { ...headers, origin: STRANGER },
      body: decision(),
    });
    expect([answer.status, answer.json.code]).toEqual([403, 'rest_forbidden_origin']);
    expect(await total()).toBe(before);
  });

  it.each([
    ['a client without an Origin header', {}],
    ['the site', { origin: SITE, 'sec-fetch-site': 'cross-site' }],
    ['an address that was typed in', { 'sec-fetch-site': 'none' }],
    [
      'a page of the same origin',
      { origin: 'https://cdn.example', 'sec-fetch-site': 'same-origin' },
    ],
  ])('records consent from %s', async (_name, headers) => {
    expect((await decide(headers as Record<string, string>)).status).toBe(200);
  });

  it('records consent from the origin of the service itself', async () => {
    expect((await decide({ origin: ownOrigin() })).status).toBe(200);
  });

  it('returns the status without CORS headers to a refused origin', async () => {
    const { status, headers, json } = await app.http.get(`${ROOT}/consent/status`, {
      headers: { origin: STRANGER },
    });
    expect([status, json.enabled]).toEqual([200, true]);
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('vary')).toBe('Origin');
  });

  it('counts refused requests of each origin and no allowed ones', async () => {
    const origin = 'https://counted.example:8443';
    const first = app.clock.now();
    await app.http.get(`${ROOT}/consent/status`, { headers: { origin } });
    app.clock.advance(60_000);
    await app.http.request('OPTIONS', `${ROOT}/consent`, {
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    await decide({ origin });
    const expected = {
      id: expect.any(Number),
      origin,
      requests: 3,
      first_at: new Date(first).toISOString(),
      last_at: new Date(app.clock.now()).toISOString(),
    };
    expect((await refused())[0]).toEqual(expected);
    await decide({ origin });
    expect((await refused())[0]).toEqual({ ...expected, requests: 4 });
    const origins = (await refused()).map((each: { origin: string }) => each.origin);
    for (const never of [SITE, 'null', ownOrigin(), `${SITE}, ${STRANGER}`]) {
      expect(origins).not.toContain(never);
    }
  });

  it('allows an origin as soon as it is in the settings and refuses it once it is removed', async () => {
    const origin = 'https://allowed.example';
    expect((await decide({ origin })).status).toBe(403);
    const { status, json } = await admin('PUT', '/settings', { origins: { allowed: [origin] } });
    expect([status, json.origins]).toEqual([200, { allowed: [origin] }]);
    const answer = await decide({ origin });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    const preflight = await app.http.request('OPTIONS', `${ROOT}/consent`, { headers: { origin } });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect((await refused()).map((each: { origin: string }) => each.origin)).not.toContain(origin);
    await admin('PUT', '/settings', { origins: { allowed: [] } });
    expect((await decide({ origin })).status).toBe(403);
    expect((await decide({ origin: SITE })).status).toBe(200);
  });

  it.each([
    ['site1.example.com', 'https://site1.example.com'],
    ['shop.example.com:8443/cart', 'https://shop.example.com:8443'],
    ['http://shop.example.com/', 'http://shop.example.com'],
    ['ftp://shop.example.com', 'https://shop.example.com'],
    ['*.example.com', 'https://shop.example.com'],
  ])('proposes how to write %s', async (text, origin) => {
    const { status, json } = await admin('PUT', '/settings', { origins: { allowed: [text] } });
    expect(status).toBe(400);
    expect(json.data.params.origins).toContain(`Write ${origin} instead of ${text}.`);
  });

  it('does not list a dismissed origin again', async () => {
    const origin = 'https://dismissed.example';
    await decide({ origin });
    const [{ id }] = await refused();
    const { status, json } = await admin('DELETE', `/consent/refused-origins/${id}`);
    expect([status, json]).toMatchObject([200, { deleted: true, previous: { id, origin } }]);
    await decide({ origin });
    expect((await refused()).map((each: { origin: string }) => each.origin)).not.toContain(origin);
    expect((await admin('DELETE', `/consent/refused-origins/${id}`)).status).toBe(404);
  });

  it('keeps the 100 origins with the most requests', async () => {
    const often = 'https://often.example';
    for (let request = 0; request < 5; request++) await decide({ origin: often });
    for (let batch = 0; batch < 3; batch++) {
      await Promise.all(
        Array.from({ length: 90 }, (_, at) =>
          decide({ origin: `https://s${batch}-${at}.example` }),
        ),
      );
      await refused();
    }
    const { headers, json } = await admin('GET', '/consent/refused-origins?per_page=100');
    expect(Number(headers.get('x-wp-total'))).toBeLessThanOrEqual(100);
    expect(json.map((each: { origin: string }) => each.origin)).toContain(often);
  });

  it('lists a new origin although 100 others were refused more often, also once these are dismissed', async () => {
    const fill = async (name: string) => {
      const origins = Array.from({ length: 100 }, (_, at) => `https://${name}${at}.example`);
      for (let request = 0; request < 2; request++) {
        await Promise.all(origins.map((origin) => decide({ origin })));
        await refused();
      }
    };
    const dismissAll = async () => {
      const { json } = await admin('GET', '/consent/refused-origins?per_page=100');
      expect(json.length).toBeLessThanOrEqual(100);
      for (const { id } of json) await admin('DELETE', `/consent/refused-origins/${id}`);
    };
    const isListed = async (origin: string) => {
      app.clock.advance(60_000);
      await decide({ origin });
      return (await refused()).some((each: { origin: string }) => each.origin === origin);
    };
    await fill('twice');
    expect(await isListed('https://new.example')).toBe(true);
    // It grows, although each time another origin is refused after it.
    expect(await isListed('https://newer.example')).toBe(true);
    await decide({ origin: 'https://new.example' });
    const grown = (await refused()).find(
      ({ origin }: { origin: string }) => origin === 'https://new.example',
    );
    expect(grown.requests).toBe(2);

    await dismissAll();
    await fill('again');
    await dismissAll();
    // A dismissed one stays dismissed.
    expect(await isListed('https://newest.example')).toBe(true);
    await dismissAll();
    expect(await isListed('https://newest.example')).toBe(false);
    const { db } = app.platform.datastore;
    const rows = await db.selectFrom('refused_origins').select('id').execute();
    expect(rows.length).toBeLessThanOrEqual(200);
  });

  it.each([
    'https://shop.example.com/',
    'https://shop.example.com/path',
    'https://*.example.com',
    'https://shop..example.com',
    'https://-.example.com',
    '*',
    'shop.example.com',
    'HTTPS://Shop.example.com',
    'https://user:pass@shop.example.com',
    'https://shop.example.com:443',
    'ftp://shop.example.com',
    'null',
  ])('returns 400 for a setting that is not an origin: %s', async (text) => {
    const { status, json } = await admin('PUT', '/settings', { origins: { allowed: [text] } });
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(json.data.params.origins).toContain('scheme, host and port');
    expect((await admin('GET', '/settings')).json.origins).toEqual({ allowed: [] });
  });
});
