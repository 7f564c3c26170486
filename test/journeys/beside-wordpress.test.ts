import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { createUser } from '../../src/identity/users/index.ts';
import { resolveReferences } from '../../src/platform/http/openapi-schemas.ts';
import { basicAuth } from '../support/makers.ts';
import { reservePort } from '../support/ports.ts';
import { dataFolder, pavis } from '../support/process.ts';
import { useTestApp } from '../support/test-app.ts';
import { basic, makeUser, signIn } from '../support/users.ts';
import { useWordPress, WP } from '../support/wordpress.ts';

const VENDORS = '/wp-json/svc/v1/vendors?per_page=1';
const DENIED_FOR_MS = 10_000;
const GRANTED_FOR_MS = 60_000;

/** Of the WordPress stand-in, which starts after the application. */
const port = await reservePort();
const otherPort = await reservePort();

describe('authentication by WordPress', () => {
  const wordPress = useWordPress(port);
  const app = useTestApp('sqlite', { PAVIS_WORDPRESS_URL: `http://127.0.0.1:${port}/wp-json` });
  const ask = (headers: Record<string, string>, path = VENDORS) => app.http.get(path, { headers });
  const codeOf = async (headers: Record<string, string>, path?: string) => {
    const { status, json } = await ask(headers, path);
    return [status, json.code];
  };

  beforeEach(() => {
    // Cached responses have expired.
    app.clock.advance(GRANTED_FOR_MS);
    wordPress.asked.length = 0;
    wordPress.askedWho.length = 0;
    wordPress.namesPeople = true;
    wordPress.instead = undefined;
  });

  it('accepts application passwords of its administrators; other users get 403, everything else 401', async () => {
    expect((await ask(WP.admin)).status).toBe(200);
    expect(await codeOf(WP.editor)).toEqual([403, 'rest_forbidden']);
    expect(await codeOf(WP.wrong)).toEqual([401, 'rest_forbidden']);
    expect(wordPress.asked.map(({ url }) => url)).toEqual(
      Array(3).fill('/wp-json/wp/v2/settings?_fields=title'),
    );
    // No credentials, no request to WordPress.
    expect(await codeOf({})).toEqual([401, 'rest_forbidden']);
    expect(await codeOf({ cookie: WP.adminCookie })).toEqual([401, 'rest_forbidden']);
    expect(await codeOf({ 'x-wp-nonce': WP.nonce })).toEqual([401, 'rest_forbidden']);
    expect(wordPress.asked).toHaveLength(3);
  });

  it('accepts cookie and nonce, from the header or the query, and returns the renewed nonce', async () => {
    const cookie = `other=1; ${WP.adminCookie}; pavis_session=x`;
    const { status, headers } = await ask({ cookie, 'x-wp-nonce': WP.nonce });
    expect([status, headers.get('x-wp-nonce')]).toEqual([200, WP.renewed]);
    const query = `${VENDORS}&_wpnonce=${WP.nonce}`;
    expect((await ask({ cookie, 'x-wp-nonce': 'wrong' }, query)).status).toBe(200);
    // No other cookies.
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

  it('caches responses: grants for one minute, denials for ten seconds', async () => {
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

  it('does not ask WordPress on public routes, which accept any credentials', async () => {
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
      // After two seconds, with room for a busy machine.
      expect(Date.now() - startedAt).toBeLessThan(10_000);
      expect(app.logged()).not.toContain(WP.admin.authorization.slice(6));
      wordPress.instead = undefined;
      expect((await ask(WP.admin)).status).toBe(200);
    },
  );

  it.each([
    [401, 'rest_login_required'],
    [403, 'rest_cookie_check_failed'],
  ])('denies the caller if a security plugin responds with %i %s', async (status, code) => {
    wordPress.instead = (response) => response.writeHead(status).end(JSON.stringify({ code }));
    expect(await codeOf(WP.admin)).toEqual([status, 'rest_forbidden']);
  });

  describe('a WordPress user', () => {
    const ME = '/wp-json/svc/v1/users/me';
    const ACTOR = 'WordPress user 7 (wp-admin, Ada Lovelace)';

    it('is returned by /users/me, by password and by session, with or without the capability', async () => {
      const session = { cookie: WP.adminCookie, 'x-wp-nonce': WP.nonce };
      for (const headers of [WP.admin, session]) {
        const { status, json } = await ask(headers, ME);
        expect([status, json]).toEqual([
          200,
          {
            id: 7,
            username: 'wp-admin',
            name: 'Ada Lovelace',
            email: 'Ada@WordPress.example',
            email_confirmed: true,
            roles: ['administrator'],
            capabilities: { manage_options: true },
            registered_date: '2024-02-29T12:00:00.000Z',
            last_seen: null,
            locked_until: null,
            sessions: 0,
            application_passwords: 0,
            second_factor: false,
            single_sign_on: false,
            source: 'wordpress',
          },
        ]);
      }
      const editor = (await ask(WP.editor, ME)).json;
      expect(editor).toMatchObject({ id: 8, username: 'wp-editor', capabilities: {} });
      expect(await codeOf(WP.wrong, ME)).toEqual([401, 'rest_not_logged_in']);
      expect(await codeOf({ ...session, 'x-wp-nonce': 'x' }, ME)).toEqual([
        403,
        'rest_cookie_invalid_nonce',
      ]);
      // Pavis users name their source as well.
      const own = await ask(await basicAuth(app.platform), ME);
      expect(own.json.source).toBe('pavis');
    });

    it('gets a test email at the address that WordPress has, in the one spelling of Pavis', async () => {
      const { status, json } = await app.http.request('POST', '/wp-json/svc/v1/mail/test', {
        headers: WP.admin,
      });
      expect([status, json.recipient]).toEqual([201, 'ada@wordpress.example']);
    });

    it('gets their allowed methods from OPTIONS', async () => {
      const allowed = async (headers: Record<string, string>) =>
        (await app.http.request('OPTIONS', '/wp-json/svc/v1/vendors', { headers })).headers.get(
          'allow',
        );
      expect(await allowed(WP.admin)).toBe('GET, POST');
      expect(await allowed(WP.editor)).toBeNull();
      expect(await allowed(WP.wrong)).toBeNull();
      expect(await allowed({})).toBeNull();
    });

    it('is named in every log, and distinguished from a Pavis user with the same login', async () => {
      const { http, platform } = app;
      const namesake = { login: 'wp-admin', email: 'other@example.com', role: 'editor' } as const;
      await createUser(platform, namesake, 'test');
      const made = await http.post('/wp-json/svc/v1/users', {
        headers: WP.admin,
        body: { username: 'made-by-wp', email: 'made@example.com' },
      });
      expect(made.status).toBe(201);
      const request = await http.post('/wp-json/svc/v1/dsar/cases', {
        headers: WP.admin,
        body: {
          request_type: 'access',
          email: 'subject@example.com',
          channel: 'letter',
          received_on: '2026-11-20',
        },
      });
      expect(request.status).toBe(201);
      const exported = await ask(WP.admin, '/wp-json/svc/v1/consent/records/export?format=csv');
      expect(exported.status).toBe(200);

      const [event] = (await ask(WP.admin, '/wp-json/svc/v1/users/events')).json;
      expect(event).toMatchObject({ actor: ACTOR, action: 'created', username: 'made-by-wp' });
      const events = `/wp-json/svc/v1/dsar/cases/${request.json.id}/events`;
      const actors = (await ask(WP.admin, events)).json.map(
        ({ actor }: { actor: string }) => actor,
      );
      expect(actors).toContain(ACTOR);
      const log = (await ask(WP.admin, '/wp-json/svc/v1/security-log?user=wp-adm')).json;
      const acts = log.filter(({ actor }: { actor: string }) => actor === ACTOR);
      expect(acts.map(({ event }: { event: string }) => event).toSorted()).toEqual([
        'data_exported',
        'user_created',
      ]);
      for (const act of acts) expect(act.actor_id).toBeNull();
    });

    it('loses login and name in the logs through retention, which keeps the id', async () => {
      const { platform, clock } = app;
      clock.advance(40 * 86_400_000);
      const policies = (await ask(WP.admin, '/wp-json/svc/v1/retention/policies')).json;
      const policy = policies.find(
        ({ data_category }: { data_category: string }) => data_category === 'security_log',
      );
      const run = await app.http.post('/wp-json/svc/v1/retention/run', {
        headers: WP.admin,
        body: { dry_run: false, policy_id: policy.id },
      });
      expect([run.status, run.json.total_affected > 0]).toEqual([200, true]);
      const rows = await platform.datastore.db
        .selectFrom('security_events')
        .select('actor')
        .where('event', '=', 'user_created')
        .execute();
      expect(rows.map(({ actor }) => actor)).toContain('WordPress user 7');
      expect(JSON.stringify(rows)).not.toContain('Ada');
    });

    it('cannot change in Pavis what WordPress manages', async () => {
      const change = (method: string, path: string, body?: object) =>
        app.http.request(method, ME + path, { headers: WP.admin, ...(body && { body }) });
      for (const [method, path, body] of [
        ['PUT', '', { email: 'new@example.com' }],
        ['DELETE', '/sessions', undefined],
        ['GET', '/application-passwords', undefined],
        ['POST', '/application-passwords', { name: 'x' }],
      ] as const) {
        const { status, json } = await change(method, path, body);
        expect([method, path, status, json.code]).toEqual([method, path, 403, 'rest_cannot_edit']);
      }
    });

    it('gets only errors on these routes that the API reference names', async () => {
      const document = (await app.http.get('/wp-json/svc/v1/openapi.json')).json;
      const { paths } = resolveReferences(document) as {
        paths: Record<
          string,
          Record<string, { responses: Record<string, { description: string }> }>
        >;
      };
      const body = {
        ...{ current_password: 'x', name: 'x', setup: 'x', code: '123456', registration: 'x' },
        response: { id: 'x', response: { clientDataJSON: 'x', attestationObject: 'x' } },
      };
      for (const [path, item] of Object.entries(paths)) {
        if (!path.startsWith('/svc/v1/users/me')) continue;
        for (const [method, { responses }] of Object.entries(item)) {
          const refused = await app.http.request(
            method.toUpperCase(),
            `/wp-json${path.replace(/\{\w+\}/, '1')}`,
            { headers: WP.admin, ...(method !== 'get' && { body }) },
          );
          const name = `${method} ${path} ${refused.status} ${refused.json.code}`;
          if (name === 'get /svc/v1/users/me 200 undefined') continue;
          expect(name).toBe(`${method} ${path} 403 rest_cannot_edit`);
          expect(responses[403]?.description, name).toContain('`rest_cannot_edit`');
        }
      }
    });

    it('is authenticated without a name if a plugin closes users/me, and rejected if it does not respond', async () => {
      wordPress.namesPeople = false;
      expect((await ask(WP.admin)).status).toBe(200);
      const made = await app.http.post('/wp-json/svc/v1/users', {
        headers: WP.admin,
        body: { username: 'made-by-nobody', email: 'nobody@example.com' },
      });
      expect(made.status).toBe(201);
      const [event] = (await ask(WP.admin, '/wp-json/svc/v1/users/events')).json;
      expect(event.actor).toBe('WordPress');
      app.clock.advance(GRANTED_FOR_MS);
      wordPress.instead = (response) =>
        response.end(
          wordPress.askedWho.length > 1 ? '<h1>Maintenance</h1>' : JSON.stringify({ title: 'A' }),
        );
      expect(await codeOf(WP.admin)).toEqual([503, 'service_unavailable']);
    });
  });

  describe('a client that guesses', () => {
    const guess = (n: number | string, login = 'wp-admin') => basic(login, `guess ${n}`);
    const WINDOW_MS = 15 * 60_000;
    beforeEach(() => app.clock.advance(WINDOW_MS));

    it('is rejected after ten wrong application passwords for a login within 15 minutes', async () => {
      for (let n = 1; n <= 12; n++) expect(await codeOf(guess(n))).toEqual([401, 'rest_forbidden']);
      expect(wordPress.asked).toHaveLength(10);
      // Another login from the same address and Pavis users are not locked out.
      expect((await ask(WP.editor)).status).toBe(403);
      expect((await ask(await basicAuth(app.platform))).status).toBe(200);
      // Not even the right password is checked, unless it was accepted before.
      const before = wordPress.asked.length;
      expect((await ask(guess('the right one'))).status).toBe(401);
      expect(wordPress.asked).toHaveLength(before);
      app.clock.advance(WINDOW_MS);
      await ask(guess('the right one'));
      expect(wordPress.asked).toHaveLength(before + 1);
      await app.platform.securityLog.flush();
      const log = (await ask(WP.admin, '/wp-json/svc/v1/security-log?event=credential_refused'))
        .json;
      expect(log.map(({ details }: { details: object }) => details)).toContainEqual({
        method: 'application_password',
        reason: 'too_many_failures',
      });
    });

    it('does not lock out clients that authenticated before with the same credentials', async () => {
      expect((await ask(WP.admin)).status).toBe(200);
      for (let n = 1; n <= 11; n++) await ask(guess(n));
      app.clock.advance(GRANTED_FOR_MS);
      expect((await ask(WP.admin)).status).toBe(200);
      const session = { cookie: WP.adminCookie, 'x-wp-nonce': WP.nonce };
      expect((await ask(session)).status).toBe(200);
    });

    it('is counted when the guesses are concurrent', async () => {
      await Promise.all(Array.from({ length: 30 }, (_, n) => ask(guess(`at once ${n}`))));
      expect(wordPress.asked).toHaveLength(10);
    });

    it('is counted for all logins of its address together, and for a login from all addresses', async () => {
      for (let n = 1; n <= 105; n++) await ask(guess(n, `login-${n}`));
      expect(wordPress.asked).toHaveLength(100);
    });

    it('is checked with WordPress at growing intervals when it repeats the same wrong credentials', async () => {
      for (let second = 0; second < 600; second += 5) {
        expect((await ask(WP.wrong)).status).toBe(401);
        app.clock.advance(5_000);
      }
      // At 0, 10, 30, 70, 150, 310 and 610 seconds, the last of which is later.
      expect(wordPress.asked).toHaveLength(6);
    });
  });

  it('does not lock out Pavis users, even while WordPress is unreachable', async () => {
    wordPress.instead = (response) => response.destroy();
    expect((await ask(await basicAuth(app.platform))).status).toBe(200);
    const user = await makeUser(app.platform);
    const { cookie, nonce } = await signIn(app.http, user);
    expect((await ask({ cookie, 'x-wp-nonce': nonce })).status).toBe(200);
    expect(wordPress.asked).toEqual([]);
    // An invalid Pavis nonce stays invalid, unless a WordPress session is sent as well.
    expect(await codeOf({ cookie, 'x-wp-nonce': 'wrong' })).toEqual([
      403,
      'rest_cookie_invalid_nonce',
    ]);
    wordPress.instead = undefined;
    const both = { cookie: `${cookie}; ${WP.adminCookie}`, 'x-wp-nonce': WP.nonce };
    expect((await ask(both)).status).toBe(200);
  });

  it('pavis doctor reports whether WordPress is reachable, also with plain permalinks', async () => {
    const folder = dataFolder();
    const doctor = async (url: string) => {
      const env = { PAVIS_DATA_DIR: folder.path, PAVIS_WORDPRESS_URL: url };
      return (await pavis(['doctor'], env)).stdout;
    };
    try {
      const root = `http://127.0.0.1:${port}`;
      expect(await doctor(`${root}/?rest_route=/`)).toContain(
        `ok    WordPress: ${root}/?rest_route= reachable`,
      );
      expect(await doctor(`${root}/blog`)).toMatch(
        /FAIL {2}WordPress: \S+\/blog is not usable: unexpected status 404 .*Check PAVIS_WORDPRESS_URL/,
      );
    } finally {
      folder.remove();
    }
  });
});

describe('authentication by WordPress behind a proxy', () => {
  const wordPress = useWordPress(otherPort);
  const app = useTestApp('sqlite', {
    PAVIS_WORDPRESS_URL: `http://127.0.0.1:${otherPort}/wp-json`,
    PAVIS_TRUSTED_PROXIES: '127.0.0.1',
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
    ['nonsense', '127.0.0.1'],
  ])('passes the address of the caller on: %s becomes %s', async (forwarded, address) => {
    wordPress.asked.length = 0;
    wordPress.askedWho.length = 0;
    app.clock.advance(GRANTED_FOR_MS);
    const headers = { ...WP.admin, 'x-forwarded-for': forwarded };
    expect((await app.http.get(VENDORS, { headers })).status).toBe(200);
    for (const { headers: sent } of [...wordPress.asked, ...wordPress.askedWho])
      expect(sent['x-forwarded-for']).toBe(address);
    expect(wordPress.askedWho).toHaveLength(1);
  });

  it('counts guesses by this address', async () => {
    wordPress.asked.length = 0;
    const guess = (n: number, address: string) =>
      app.http.get(VENDORS, {
        headers: { ...basic('wp-admin', `guess ${n}`), 'x-forwarded-for': address },
      });
    for (let n = 0; n < 12; n++) await guess(n, '203.0.113.8');
    expect(wordPress.asked).toHaveLength(10);
    await guess(20, '203.0.113.9');
    expect(wordPress.asked).toHaveLength(11);
  });
});
