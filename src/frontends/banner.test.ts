import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { basicAuth } from '../../test/support/makers.ts';
import { useTestApp } from '../../test/support/test-app.ts';

const KILOBYTE = 1_024;
const SIGNAL_GZIP_MAX = 400;
/** With automatic blocking. */
const BLOCKING_GZIP_MAX = 8.4 * KILOBYTE;
const FILES: [path: string, gzipMax: number][] = [
  ['/banner.js', 7 * KILOBYTE],
  ['/banner.esm.js', 7 * KILOBYTE],
  ['/banner.headless.js', 2.5 * KILOBYTE],
  ['/banner.details.js', 4 * KILOBYTE],
  ['/banner.preferences.js', 4 * KILOBYTE],
];
/** Those of the preferences, of some countries and of what the site has not switched on. */
const NOT_IN_THE_FILE =
  /^(save_text|receipt_text|required_text|consent_id_text|consent_id_help_text|withdraw_text|vendors_text|session_text|until_deleted_text|typical_text|always_vendor_text|shared_text|opt_out_message|opt_out_text|opted_out_text|own_use_text)$/;
/** Those with the configuration of the site. */
const CONFIGURED = ['/banner.js', '/banner.esm.js'];

/** What the server has put into a file. */
const readConfiguration = (text: string): Record<string, unknown> | undefined => {
  const [, json] = /Object\((\{.*),parts:\{/.exec(text) ?? [];
  return json === undefined ? undefined : JSON.parse(`${json}}`);
};

describe('The files of the banner', () => {
  const app = useTestApp('sqlite');
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.http.get(path, { headers: { 'accept-encoding': 'identity', ...headers } });

  it.each(FILES)(
    '%s is at most %i bytes, compressed, styles and configuration included',
    async (path, most) => {
      const { text } = await get(path);
      expect(text.length).toBeGreaterThan(2 * KILOBYTE);
      expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(most);
      const { headers } = await get(path, { 'accept-encoding': 'gzip' });
      expect(Number(headers.get('content-length'))).toBeLessThanOrEqual(most);
    },
  );

  it.each(FILES)(
    '%s is for pages of any origin, and asked about again rather than sent again',
    async (path) => {
      const { status, headers } = await get(path);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': CONFIGURED.includes(path)
          ? 'public, no-cache'
          : 'public, max-age=300, stale-while-revalidate=3600',
        vary: CONFIGURED.includes(path) ? 'Sec-GPC, Accept-Encoding' : 'Accept-Encoding',
        etag: expect.stringMatching(/^"[\w-]{43}-identity"$/),
      });
      const etag = headers.get('etag') ?? '';
      for (const known of [etag, `"other", W/${etag}`]) {
        const again = await get(path, { 'if-none-match': known });
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      }
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
      const head = await app.http.request('HEAD', path);
      expect([head.status, head.text]).toEqual([200, '']);
    },
  );

  it.each([
    ['/banner.js', '/banner.details.js'],
    ['/banner.details.js', '/banner.preferences.js'],
  ])('that %s loads are cached for their own version only', async (loader, path) => {
    const [address, version] =
      (await get(loader)).text.match(/banner\.\w+\.js\?v=([\w-]{8})/) ?? [];
    expect(path).toBe(`/${address?.replace(/\?.*/, '')}`);
    const own = await get(`${path}?v=${version}&1`);
    expect([own.status, own.text]).toEqual([200, (await get(path)).text]);
    for (const other of ['v=AAAAAAAA&0', 'v=', `v=${version}&v=AAAAAAAA`]) {
      const { status, headers, text } = await get(`${path}?${other}`);
      expect([other, status, headers.get('cache-control')]).toEqual([other, 200, 'no-store']);
      expect(text).toBe(own.text);
    }
  });

  it('come as the browser understands them, each encoding with a tag of its own', async () => {
    const plain = await get('/banner.js');
    const tags = new Set([plain.headers.get('etag')]);
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=0.5', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['deflate, *;q=0.1', null],
      ['', null],
    ] as const) {
      const { headers, text } = await get('/banner.js', { 'accept-encoding': accepted });
      expect([accepted, headers.get('content-encoding')]).toEqual([accepted, encoding]);
      expect(text).toBe(plain.text);
      tags.add(headers.get('etag'));
    }
    expect(tags.size).toBe(3);
  });

  it('ask where they came from unless told otherwise', async () => {
    for (const path of [...CONFIGURED, '/banner.headless.js']) {
      const { text } = await get(path);
      if (path !== '/banner.headless.js') expect(text).toContain('`/wp-json`');
      expect(text).not.toContain('#rest-root');
    }
  });

  it('hold the rules of the script registry, and change with the registry and the settings', async () => {
    const headers = await basicAuth(app.platform);
    const ask = async (method: string, path: string, body?: object) =>
      (await app.http.request(method, `/wp-json/svc/v1${path}`, { headers, body })).json;
    const rules = async (path = '/banner.js') => {
      const { rules } = readConfiguration((await get(path)).text) ?? {};
      return rules;
    };
    expect(await rules()).toBeUndefined();
    expect((await get('/banner.js')).text).not.toContain('XMLHttpRequest');
    const { headers: before } = await get('/banner.js');
    const register = (handle: string, category: string, url: string, more: object = {}) =>
      ask('POST', '/scripts', { handle, label: handle, category, script_url: url, ...more });
    await register('one', 'analytics', 'https://one.example/');
    for (const path of CONFIGURED) {
      const { text } = await get(path);
      expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(BLOCKING_GZIP_MAX);
    }
    const { id } = await register('two', 'marketing', 'http://two.example:81/a.js?id=1');
    await register('three', 'functional', 'https://three.example/necessary.js');
    await register('four', 'marketing', 'https://four.example/', { is_active: 0 });
    await register('video', 'marketing', 'https://video.example/embed/1', {
      blocking_method: 'iframe_placeholder',
    });
    await register('pixel', 'marketing', 'https://five.example/px', {
      blocking_method: 'data_src',
    });
    const served = [
      ['marketing', 'two.example:81/a.js?id=1'],
      ['marketing', 'video.example/embed/1', 'frame'],
      ['marketing', 'five.example/px', 'off'],
      ['analytics', 'one.example/'],
    ];
    expect(await rules()).toEqual(served);
    expect(await rules('/banner.esm.js')).toEqual(served);
    expect(readConfiguration((await get('/banner.headless.js')).text)).toBeUndefined();
    expect((await get('/banner.js')).headers.get('etag')).not.toBe(before.get('etag'));

    await ask('DELETE', `/scripts/${id}`);
    expect(await rules()).toHaveLength(3);

    const { categories } = (await ask('GET', '/settings')).consent;
    const others = categories.filter((each: { id: string }) => each.id !== 'marketing');
    await ask('PUT', '/settings', { consent: { categories: others } });
    // Nobody can accept a category that was removed.
    expect(await rules()).toEqual(served.slice(1));
    await ask('PUT', '/settings', { consent: { categories } });
  });

  it('contain what the API says, in the language of the page', async () => {
    const headers = await basicAuth(app.platform);
    const ask = async (path: string) => (await app.http.get(`/wp-json/svc/v1${path}`)).json;
    await app.http.request('PUT', '/wp-json/svc/v1/settings', {
      headers,
      body: {
        consent: {
          enabled: true,
          languages: ['en', 'fr'],
          translations: [{ language: 'fr', title: 'Votre vie privée' }],
        },
        origins: { allowed: ['https://shop.example'] },
      },
    });
    for (const [query, language] of [
      ['', 'en'],
      ['?language=fr', 'fr'],
      ['?language=FR-ca', 'fr'],
      ['?language=xx', 'en'],
      [`?language=${'x'.repeat(36)}`, 'en'],
    ] as const) {
      for (const path of CONFIGURED) {
        const { status, texts, scripts, languages, origins } =
          readConfiguration((await get(path + query)).text) ?? {};
        // The texts beside it are those of the language.
        const { title, message, accept_text, reject_text, ...settings } = (
          await ask('/consent/status')
        ).settings;
        expect(await ask('/consent/status')).toMatchObject(status as object);
        expect((status as { settings: object }).settings).toEqual(settings);
        // Visitors do not see the label.
        const listed: { label: string }[] = await ask('/consent/scripts');
        expect(listed.length).toBeGreaterThan(0);
        expect(scripts).toEqual(listed.map(({ label, ...script }) => script));
        const { version, categories, ...all } = await ask(`/consent/texts?language=${language}`);
        // The registry has a frame, see above.
        const more = Object.fromEntries(
          Object.entries(all).filter(([name]) => !NOT_IN_THE_FILE.test(name)),
        );
        const labels = Object.entries(categories as Record<string, { label: string }>).map(
          ([id, { label }]) => [id, { label }],
        );
        expect(texts).toEqual({
          ...more,
          hash: all.hash.slice(0, 16),
          asked_since: all.asked_since < version ? all.asked_since : undefined,
          categories: Object.fromEntries(labels),
        });
        expect(languages).toEqual(['en', 'fr']);
        expect(origins).toContain('https://shop.example');
      }
    }
  });

  it('begin with the signals that are switched on, and hold nothing of those that are off', async () => {
    const headers = await basicAuth(app.platform);
    const save = async (signals?: string[]) => {
      const body = { consent: { enabled: true, ...(signals && { signals }) } };
      return (await app.http.request('PUT', '/wp-json/svc/v1/settings', { headers, body })).json;
    };
    // Without the number and hash of the version, which each change of the settings raises.
    const read = async (path: string) => {
      const { text, headers } = await get(path);
      const same = text.replace(/"version":\d+/g, '').replace(/"hash":"\w+"/, '');
      return { text: same, etag: headers.get('etag') };
    };
    expect((await save()).consent.signals).toEqual(['google']);
    await save([]);
    const files = FILES.map(([path]) => path);
    const [off, module, headless] = await Promise.all(files.map(read));
    const parts = { google: 'ad_user_data', wordpress: 'wp_has_consent' };
    for (const [name, mark] of Object.entries(parts)) {
      expect(`${off?.text}${module?.text}${headless?.text}`).not.toContain(mark);
      await save([name]);
      const { text } = await read('/banner.js');
      expect(Object.values(parts).filter((each) => text.includes(each))).toEqual([mark]);
    }
    const marks = { uet: 'uetq', clarity: 'consentv2', meta: 'fbq', shopify: 'customerPrivacy' };
    for (const [name, mark] of Object.entries(marks)) {
      expect(`${off?.text}${module?.text}${headless?.text}`).not.toContain(mark);
      await save([name]);
      const on = await read('/banner.js');
      // The rules, too, are the same: visitors are not asked again.
      expect(on.text.endsWith(off?.text ?? '-')).toBe(true);
      expect(Object.values(marks).filter((each) => on.text.includes(each))).toEqual([mark]);
      const signal = on.text.slice(0, -(off?.text.length ?? 0));
      const size = gzipSync(signal, { level: 9 }).length;
      expect([name, size <= SIGNAL_GZIP_MAX ? 'small' : size]).toEqual([name, 'small']);
      expect(on.etag).not.toBe(off?.etag);
    }
    // In a fixed order, each once.
    expect((await save(['meta', 'uet', 'meta', 'uet'])).consent.signals).toEqual(['uet', 'meta']);
    const both = await read('/banner.esm.js');
    expect(both.text.indexOf('uetq')).toBeLessThan(both.text.indexOf('fbq'));
    expect(both.text.endsWith(module?.text ?? '-')).toBe(true);
    expect(await read('/banner.headless.js')).toEqual(headless);
    await save([]);
    expect((await read('/banner.js')).text).toEqual(off?.text);
  });

  it('hold only what differs from the default appearance', async () => {
    const headers = await basicAuth(app.platform);
    const save = async (appearance: object) => {
      const body = { consent: { enabled: true, signals: [], appearance } };
      const answer = await app.http.request('PUT', '/wp-json/svc/v1/settings', { headers, body });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    };
    const read = async () => {
      const { text } = await get('/banner.js');
      const { status } = readConfiguration(text) as { status: { appearance?: object } };
      return { text, appearance: status.appearance };
    };
    const off = await read();
    expect(off.appearance).toBeUndefined();
    await save({ layout: 'box', theme: 'dark' });
    const boxed = (await read()).appearance as { styles: string };
    expect(boxed.styles).toMatch(/^:host\{color-scheme:dark\}dialog:is\(/);
    expect(boxed.styles).not.toContain('--accent');
    await save({ layout: 'card', theme: 'system', font: 'inherit' });
    for (const path of CONFIGURED) expect((await get(path)).text).toMatch(/^.*getComputedStyle/);
    await save({ font: 'system' });
    expect((await read()).text).not.toContain('getComputedStyle');
    expect((await read()).appearance).toBeUndefined();
  });

  it('stand beside what says that Global Privacy Control is heeded', async () => {
    const { status, json, headers } = await get('/.well-known/gpc.json');
    expect([status, json.gpc]).toEqual([200, true]);
    expect(json.lastUpdate).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('The files of the banner while the database is away', () => {
  const app = useTestApp('sqlite');

  it('are the last ones, with the signal of the visitor who asks', async () => {
    const isSignalled = async (path: string, headers: Record<string, string>) =>
      (await app.http.get(path, { headers })).text.includes('gpc:true,');
    const signal = { 'sec-gpc': '1' };
    expect(await isSignalled('/banner.js', signal)).toBe(true);
    expect(await isSignalled('/banner.esm.js', {})).toBe(false);
    // What another language needs can no longer be read.
    await sql`alter table scripts rename to away`.execute(app.platform.datastore.db);
    for (const path of CONFIGURED) {
      expect(await isSignalled(`${path}?language=de`, {})).toBe(false);
      expect(await isSignalled(`${path}?language=de`, signal)).toBe(true);
    }
  });
});

describe('The files of the banner where the REST root is elsewhere', () => {
  const app = useTestApp('sqlite', { PAVIS_REST_ROOT: 'https://example.com/blog/wp-json' });

  it('ask there', async () => {
    const { text } = await app.http.get('/banner.js');
    expect(text).toContain('`https://example.com/blog/wp-json`');
  });
});

describe('The files of the banner of a process without the plugin interface', () => {
  const app = useTestApp('sqlite', { PAVIS_SERVICES: 'licence' });

  it('are not there', async () => {
    expect((await app.http.get('/banner.js')).status).toBe(404);
  });
});
