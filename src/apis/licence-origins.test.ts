import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { basicAuth, createBearerHeader, makeLicence } from '../../test/support/makers.ts';
import { useTestApp } from '../../test/support/test-app.ts';

const SHOP = 'https://shop.example';
const STRANGER = 'https://stranger.example';

describe('Pages of other origins at the Licence API', () => {
  const app = useTestApp('sqlite', {
    PAVIS_ALLOWED_ORIGINS: SHOP,
    PAVIS_RATE_LIMIT_CHECKOUT: '5',
    PAVIS_BASE_URL: 'https://api.example.com/licences',
  });
  const path = (route: string) => `/licences${route}`;
  const preflight = (route: string, origin: string, method = 'POST') =>
    app.http.request('OPTIONS', path(route), {
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });

  it.each([
    ['POST', '/checkout/session'],
    ['GET', '/customer/licences'],
    ['GET', '/customer/licences/lic_x'],
    ['POST', '/customer/licences/lic_x/deactivate'],
    ['POST', '/customer/licences/lic_x/switch'],
    ['GET', '/licence/info'],
    ['POST', '/auth/magic-link'],
    ['POST', '/auth/token'],
  ])(
    'an allowed one gets its preflight request for %s %s answered, without cookies',
    async (method, route) => {
      const { status, headers } = await preflight(route, SHOP, method);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(SHOP);
      expect(headers.get('access-control-allow-methods')).toContain(method);
      expect(headers.get('access-control-allow-headers')).toContain('Authorization');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toBe('Origin');
      for (const origin of [STRANGER, 'null', `${SHOP}.evil.example`, `${SHOP}, ${STRANGER}`]) {
        const refused = await preflight(route, origin, method);
        expect(refused.headers.get('access-control-allow-origin')).toBeNull();
        expect(refused.headers.get('access-control-allow-headers')).toBeNull();
      }
    },
  );

  it('an allowed one reads answers and refusals, and others are kept from both', async () => {
    const { email, id } = await makeLicence(app.platform);
    const authorization = (await createBearerHeader(app.platform, email)).authorization ?? '';
    const list = (origin: string, headers: Record<string, string> = { authorization }) =>
      app.http.get(path('/customer/licences'), { headers: { origin, ...headers } });
    const mine = await list(SHOP);
    expect([mine.status, mine.json.licences[0].id]).toEqual([200, id]);
    expect(mine.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(mine.headers.get('vary')).toBe('Origin');
    const refused = await list(SHOP, {});
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      SHOP,
    ]);
    for (const origin of [STRANGER, 'null']) {
      expect((await list(origin)).headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('an allowed one reads that the server has failed', async () => {
    const { email } = await makeLicence(app.platform);
    const bearer = await createBearerHeader(app.platform, email);
    const { db } = app.platform.datastore;
    await sql`alter table licences rename to away`.execute(db);
    const headers = { origin: SHOP, ...bearer };
    const failed = await app.http.get(path('/customer/licences'), { headers });
    await sql`alter table away rename to licences`.execute(db);
    expect([failed.status, failed.json.error]).toEqual([500, 'internal_error']);
    expect(Object.fromEntries(failed.headers)).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': SHOP,
      'access-control-expose-headers': expect.stringContaining('Retry-After'),
    });
  });

  it('an allowed one reads that too many purchases were begun, and when to try again', async () => {
    const begin = () =>
      app.http.post(path('/checkout/session'), { headers: { origin: SHOP }, body: {} });
    for (let n = 0; n < 5; n++) expect((await begin()).status).toBe(200);
    const { status, headers } = await begin();
    expect([status, headers.get('access-control-allow-origin')]).toEqual([429, SHOP]);
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  it.each(['/licence/validate', '/licence/activate', '/webhooks/stripe', '/health'])(
    'none is let to %s, which is for servers',
    async (route) => {
      const answer = await preflight(route, SHOP);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('one that the settings allow is let in at once, and out again', async () => {
    const origin = 'https://front.example';
    const headers = await basicAuth(app.platform);
    const allow = (allowed: string[]) =>
      app.http.request('PUT', '/wp-json/svc/v1/settings', {
        headers,
        body: { origins: { allowed } },
      });
    const allowed = async () =>
      (await preflight('/checkout/session', origin)).headers.get('access-control-allow-origin');
    expect(await allowed()).toBeNull();
    expect((await allow([origin])).status).toBe(200);
    expect(await allowed()).toBe(origin);
    await allow([]);
    expect(await allowed()).toBeNull();
  });
});
