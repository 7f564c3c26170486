import { createServer, type ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { basicAuth } from '../support/makers.ts';
import { dataFolder, pavis } from '../support/process.ts';
import { useTestApp } from '../support/test-app.ts';
import { makeUser, signIn } from '../support/users.ts';
import { useWordPress, WP } from '../support/wordpress.ts';

const VENDORS = '/wp-json/svc/v1/vendors?per_page=1';
const DENIED_FOR_MS = 10_000;
const GRANTED_FOR_MS = 60_000;

/** A port that the stand-in will listen on: the application is told of it before it is there. */
const port = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address();
    const free = typeof address === 'object' && address ? address.port : 0;
    server.close(() => resolve(free));
  });
});

describe('Beside a WordPress that knows the users', () => {
  const wordPress = useWordPress(port);
  const app = useTestApp('sqlite', { PAVIS_WORDPRESS_URL: `http://127.0.0.1:${port}/wp-json` });
  const ask = (headers: Record<string, string>, path = VENDORS) => app.http.get(path, { headers });
  const codeOf = async (headers: Record<string, string>, path?: string) => {
    const { status, json } = await ask(headers, path);
    return [status, json.code];
  };

  beforeEach(() => {
    // Old enough for no verdict to hold any more.
    app.clock.advance(GRANTED_FOR_MS);
    wordPress.asked.length = 0;
    wordPress.instead = undefined;
  });

  it('its administrators are let in by application password; its other users get 403, all else 401', async () => {
    expect((await ask(WP.admin)).status).toBe(200);
    expect(await codeOf(WP.editor)).toEqual([403, 'rest_forbidden']);
    expect(await codeOf(WP.wrong)).toEqual([401, 'rest_forbidden']);
    expect(wordPress.asked.map(({ url }) => url)).toEqual(
      Array(3).fill('/wp-json/wp/v2/settings?_fields=title'),
    );
    // Nothing to show, nothing to ask.
    expect(await codeOf({})).toEqual([401, 'rest_forbidden']);
    expect(await codeOf({ cookie: WP.adminCookie })).toEqual([401, 'rest_forbidden']);
    expect(await codeOf({ 'x-wp-nonce': WP.nonce })).toEqual([401, 'rest_forbidden']);
    expect(wordPress.asked).toHaveLength(3);
  });

  it('they are let in by cookie and nonce, of the header or the query, and get their nonce renewed', async () => {
    const cookie = `other=1; ${WP.adminCookie}; pavis_session=x`;
    const { status, headers } = await ask({ cookie, 'x-wp-nonce': WP.nonce });
    expect([status, headers.get('x-wp-nonce')]).toEqual([200, WP.renewed]);
    const query = `${VENDORS}&_wpnonce=${WP.nonce}`;
    expect((await ask({ cookie, 'x-wp-nonce': 'wrong' }, query)).status).toBe(200);
    // No cookie of anybody else's, and not the address of the caller either.
    const sent = wordPress.asked[0]?.headers ?? {};
    expect(sent).toMatchObject({
      cookie: WP.adminCookie,
      'x-wp-nonce': WP.nonce,
      accept: 'application/json',
      'x-forwarded-proto': 'http',
    });
    expect(sent.origin).toBeUndefined();
    expect(sent.authorization).toBeUndefined();

    const editor = await ask({ cookie: WP.editorCookie, 'x-wp-nonce': WP.nonce });
    expect([editor.status, editor.headers.get('x-wp-nonce')]).toEqual([403, WP.renewed]);
    for (const nonce of ['wrong', '', 'é\u2713', 'a b']) {
      const path = `${VENDORS}&_wpnonce=${encodeURIComponent(nonce)}`;
      expect(await codeOf({ cookie }, path)).toEqual([403, 'rest_cookie_invalid_nonce']);
    }
  });

  it('a verdict is asked for once: grants hold for a minute, denials for ten seconds', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => ask(WP.admin)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    expect(wordPress.asked).toHaveLength(1);
    app.clock.advance(GRANTED_FOR_MS - 1);
    await ask(WP.admin);
    expect(wordPress.asked).toHaveLength(1);
    app.clock.advance(1);
    await ask(WP.admin);
    expect(wordPress.asked).toHaveLength(2);

    for (const after of [0, DENIED_FOR_MS - 1, 1]) {
      app.clock.advance(after);
      expect((await ask(WP.wrong)).status).toBe(401);
    }
    expect(wordPress.asked).toHaveLength(4);
    const session = { cookie: WP.adminCookie, 'x-wp-nonce': WP.nonce };
    expect((await ask(session)).headers.get('x-wp-nonce')).toBe(WP.renewed);
    expect((await ask(session)).headers.get('x-wp-nonce')).toBe(WP.renewed);
    expect(wordPress.asked).toHaveLength(5);
  });

  it('it is not asked on public routes, which stay open whatever comes', async () => {
    for (const headers of [WP.admin, WP.wrong, { cookie: WP.adminCookie, 'x-wp-nonce': 'stale' }]) {
      expect((await ask(headers, '/wp-json/svc/v1/consent/status')).status).toBe(200);
    }
    expect(await codeOf(WP.admin, '/wp-json/svc/v1/nothing')).toEqual([404, 'rest_no_route']);
    expect(wordPress.asked).toEqual([]);
  });

  it.each<[what: string, answer: (response: ServerResponse) => void]>([
    ['a page', (response) => response.end('<!doctype html><title>Maintenance</title>')],
    ['a refusal that is a page', (response) => response.writeHead(403).end('<h1>Blocked</h1>')],
    ['an error', (response) => response.writeHead(500).end('{"code":"internal_server_error"}')],
    ['no settings', (response) => response.end('{"name":"not the settings"}')],
    ['a list', (response) => response.end('[]')],
    ['null', (response) => response.end('null')],
    ['no such route', (response) => response.writeHead(404).end('{"code":"rest_no_route"}')],
    [
      'a way to elsewhere',
      (response) => response.writeHead(302, { location: 'https://example.com/' }).end(),
    ],
    [
      'what a cache had kept',
      (response) => response.writeHead(200, { age: '5' }).end('{"title":"A site"}'),
    ],
    ['nothing', (response) => response.destroy()],
    ['nothing in time', () => {}],
  ])(
    'where it answers %s, nobody is let in: 503 with Retry-After, and asked again next time',
    async (_what, answer) => {
      wordPress.instead = answer;
      const startedAt = Date.now();
      const refused = await ask(WP.admin);
      expect([refused.status, refused.json.code]).toEqual([503, 'service_unavailable']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Date.now() - startedAt).toBeLessThan(4_000);
      expect(app.logged()).not.toContain(WP.admin.authorization.slice(6));
      wordPress.instead = undefined;
      expect((await ask(WP.admin)).status).toBe(200);
    },
  );

  it.each([
    [401, 'rest_login_required'],
    [403, 'rest_cookie_check_failed'],
  ])('where a guard of its own says %i %s, the caller is denied', async (status, code) => {
    wordPress.instead = (response) => response.writeHead(status).end(JSON.stringify({ code }));
    expect(await codeOf(WP.admin)).toEqual([status, 'rest_forbidden']);
  });

  it('our own users still come in, also while it is away', async () => {
    wordPress.instead = (response) => response.destroy();
    expect((await ask(await basicAuth(app.platform))).status).toBe(200);
    const user = await makeUser(app.platform);
    const { cookie, nonce } = await signIn(app.http, user);
    expect((await ask({ cookie, 'x-wp-nonce': nonce })).status).toBe(200);
    expect(wordPress.asked).toEqual([]);
    // A bad nonce of ours stays one, unless its administrator's session comes along.
    expect(await codeOf({ cookie, 'x-wp-nonce': 'wrong' })).toEqual([
      403,
      'rest_cookie_invalid_nonce',
    ]);
    wordPress.instead = undefined;
    const both = { cookie: `${cookie}; ${WP.adminCookie}`, 'x-wp-nonce': WP.nonce };
    expect((await ask(both)).status).toBe(200);
  });

  it('pavis doctor says whether it answers, also with plain permalinks', async () => {
    const folder = dataFolder();
    const doctor = async (url: string) => {
      const env = { PAVIS_DATA_DIR: folder.path, PAVIS_WORDPRESS_URL: url };
      return (await pavis(['doctor'], env)).stdout;
    };
    try {
      const root = `http://127.0.0.1:${port}`;
      expect(await doctor(`${root}/?rest_route=/`)).toContain(
        `ok    WordPress: ${root}/?rest_route= answers`,
      );
      expect(await doctor(`${root}/blog`)).toMatch(/FAIL {2}WordPress: answered 404/);
    } finally {
      folder.remove();
    }
  });
});
