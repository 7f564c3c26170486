import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';

const ROOT = '/wp-json/svc/v1';
const PUBLIC = `${ROOT}/consent/scripts`;

describe.each(ENGINES)('/scripts on %s', (engine) => {
  const app = useTestApp(engine);
  let made = 0;

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: unknown) =>
      app.http.request(method, ROOT + path, { headers, ...(body === undefined ? {} : { body }) });
    const body = (more: object = {}) => ({
      handle: `script-${++made}`,
      label: `Script ${made}`,
      category: 'analytics',
      script_url: 'https://cdn.example.com/a.js?id=1',
      ...more,
    });
    const create = async (more: object = {}) => (await ask('POST', '/scripts', body(more))).json;
    const handles = async (query: string) =>
      (await ask('GET', `/scripts?${query}`)).json.map(({ handle }: { handle: string }) => handle);
    return { ask, body, create, handles };
  }

  it('registers a script and returns 201 with its Location', async () => {
    const { ask } = await setUp();
    const given = {
      handle: 'ada_analytics-2',
      label: 'Ada Analytics',
      category: 'analytics',
      script_url: 'https://cdn.example.com/ada.js',
      blocking_method: 'data_src',
    };
    const { status, headers, json } = await ask('POST', '/scripts', given);
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.any(Number),
      ...given,
      is_active: 1,
      source: 'custom',
      created_at: '2026-11-21T09:30:00.000Z',
      updated_at: '2026-11-21T09:30:00.000Z',
    });
    expect(headers.get('location')).toBe(`${app.url}${ROOT}/scripts/${json.id}`);
    expect((await ask('GET', `/scripts/${json.id}`)).json).toEqual(json);
  });

  it('accepts four blocking methods and defaults to type_attribute', async () => {
    const { create } = await setUp();
    expect((await create()).blocking_method).toBe('type_attribute');
    for (const blocking_method of [
      'type_attribute',
      'data_src',
      'iframe_placeholder',
      'dynamic_load',
    ]) {
      expect((await create({ blocking_method })).blocking_method).toBe(blocking_method);
    }
  });

  it.each([
    [1, 1],
    [0, 0],
    ['1', 1],
    ['0', 0],
    [true, 1],
    [false, 0],
    ['false', 0],
  ])('stores is_active %j as %i', async (is_active, shown) => {
    const { ask, create } = await setUp();
    const script = await create({ is_active });
    expect(script.is_active).toBe(shown);
    const { json } = await ask('PUT', `/scripts/${script.id}`, { is_active: !shown });
    expect(json.is_active).toBe(1 - shown);
  });

  it('returns 400 for a handle that is taken, on creation and update', async () => {
    const { ask, body, create } = await setUp();
    const [one, two] = [await create(), await create()];
    const { handle } = one;
    for (const { status, json } of [
      await ask('POST', '/scripts', body({ handle })),
      await ask('PUT', `/scripts/${two.id}`, { handle }),
    ]) {
      expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
      expect(json.data.params).toEqual({
        handle: `The handle ${handle} is already taken. Choose another one.`,
      });
    }
    expect((await ask('GET', `/scripts/${two.id}`)).json).toEqual(two);
  });

  it('gives a handle to one of several simultaneous requests', async () => {
    const { ask, body, create } = await setUp();
    const scripts = await Promise.all(Array.from({ length: 4 }, () => create()));
    const handle = `wanted-${++made}`;
    const answers = await Promise.all([
      ...scripts.map(({ id }) => ask('PUT', `/scripts/${id}`, { handle })),
      ...scripts.map(() => ask('POST', '/scripts', body({ handle }))),
    ]);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(answers.length - 1);
    for (const { json } of refused) expect(Object.keys(json.data.params)).toEqual(['handle']);
  });

  it('updates only the given fields with PUT, PATCH and POST', async () => {
    const { ask, create } = await setUp();
    const script = await create({ blocking_method: 'dynamic_load', is_active: 0 });
    for (const method of ['PUT', 'PATCH', 'POST']) {
      const { status, json } = await ask(method, `/scripts/${script.id}`, { label: method });
      expect([status, json]).toEqual([200, { ...script, label: method }]);
    }
    const changes = {
      handle: `${script.handle}_new`,
      label: 'New',
      category: 'marketing',
      script_url: 'http://example.com/b.js',
      blocking_method: 'data_src',
      is_active: 1,
    };
    app.clock.advance(1_000);
    const { json } = await ask('PUT', `/scripts/${script.id}`, changes);
    expect(json).toEqual({ ...script, ...changes, updated_at: expect.any(String) });
    expect(Date.parse(json.updated_at) - Date.parse(script.updated_at)).toBe(1_000);
    expect((await ask('PUT', `/scripts/${script.id}`, { handle: changes.handle })).status).toBe(
      200,
    );
    const missing = await ask('PUT', '/scripts/999999', { handle: script.handle });
    expect([missing.status, missing.json.code]).toEqual([404, 'not_found']);
  });

  it('deletes a script, returns it, and returns 404 afterwards', async () => {
    const { ask, create } = await setUp();
    const script = await create();
    const first = await ask('DELETE', `/scripts/${script.id}`);
    expect([first.status, first.json]).toEqual([200, { deleted: true, previous: script }]);
    for (const method of ['DELETE', 'GET', 'PUT']) {
      const again = await ask(method, `/scripts/${script.id}`);
      expect([again.status, again.json.code]).toEqual([404, 'not_found']);
    }
  });

  it('lists scripts newest first, with pagination and totals', async () => {
    const { ask, create, handles } = await setUp();
    const mark = `page${++made}`;
    const list = ['a', 'b', 'c'].map((letter) => `${mark}${letter}`);
    for (const handle of list) await create({ handle });
    const [a, b, c] = list;
    expect(await handles(`search=${mark}`)).toEqual([c, b, a]);
    const { headers } = await ask('GET', `/scripts?search=${mark}&per_page=2`);
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['3', '2']);
    expect(headers.get('link')).toContain('page=2>; rel="next"');
    expect(await handles(`search=${mark}&per_page=2&page=2`)).toEqual([a]);
    expect(await handles(`search=${mark}&per_page=2&offset=1`)).toEqual([b, a]);
    expect(await handles(`search=${mark}&offset=99`)).toEqual([]);
    expect((await ask('GET', '/scripts?per_page=0')).json.code).toBe('rest_invalid_param');
  });

  it('filters by category and is_active', async () => {
    const { ask, create, handles } = await setUp();
    const mark = `filter${++made}`;
    await create({ handle: `${mark}a`, category: 'marketing' });
    await create({ handle: `${mark}b`, category: 'marketing', is_active: 0 });
    await create({ handle: `${mark}c`, category: 'functional', is_active: 0 });
    const found = (query: string) => handles(`search=${mark}&${query}`);
    expect(await found('category=marketing')).toEqual([`${mark}b`, `${mark}a`]);
    expect(await found('is_active=1')).toEqual([`${mark}a`]);
    expect(await found('is_active=0')).toEqual([`${mark}c`, `${mark}b`]);
    expect(await found('is_active=0&category=functional')).toEqual([`${mark}c`]);
    expect(await found('category=other')).toEqual([]);
    for (const query of ['category=', 'is_active=2', 'is_active=']) {
      expect((await ask('GET', `/scripts?${query}`)).json.code, query).toBe('rest_invalid_param');
    }
  });

  it('searches handle and label without wildcards and case-insensitively', async () => {
    const { create, handles } = await setUp();
    const mark = `search${++made}`;
    await create({ handle: `${mark}_x`, label: 'Zähler' });
    await create({ handle: `${mark}-y`, label: `${mark} 100% \\ ÄRGER` });
    const found = (text: string) => handles(`search=${encodeURIComponent(text)}`);
    expect(await found(mark.toUpperCase())).toEqual([`${mark}-y`, `${mark}_x`]);
    expect(await found(`${mark}_`)).toEqual([`${mark}_x`]);
    expect(await found(`${mark}%`)).toEqual([]);
    expect(await found('100% \\')).toEqual([`${mark}-y`]);
    expect(await found('ÄRGER')).toEqual([`${mark}-y`]);
  });

  it('reports missing parameters before invalid ones', async () => {
    const { ask } = await setUp();
    const { status, json } = await ask('POST', '/scripts', { blocking_method: 'none' });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { params: ['handle', 'label', 'category', 'script_url'] },
    });
  });

  it.each([
    ['handle', ['', 'A', '-a', 'a b', 'a\n', 'ä', 'a'.repeat(65), 5]],
    ['label', ['', ' \u00a0', 'x'.repeat(201), 'a\u0000b', 5, ['x']]],
    ['category', ['', 'other', 'Analytics', 1]],
    [
      'script_url',
      [
        '',
        'a.js',
        '//cdn.example.com/a.js',
        'javascript:alert(1)',
        'data:text/javascript,1',
        'ftp://example.com/a.js',
        'https://',
        'https://example.com/a b.js',
        'https://example.com/\u0000',
        'https://example.com/\ud800',
        'https://user@cdn.example.com/a.js',
        'https://user:secret@cdn.example.com/a.js',
        'https://@cdn.example.com/a.js',
        'https://cdn.example.com\\@evil.example/a.js',
        'https:\\\\cdn.example.com/a.js',
        'https:cdn.example.com/a.js',
        'https://cdn..example.com/a.js',
        'https://*.example.com/a.js',
        `https://${'x'.repeat(64)}.example.com/a.js`,
        'https://cdn.example.com/"onload="alert(1)',
        'https://cdn.example.com/<script>',
        ' javascript:alert(1)',
        'java\nscript:alert(1)',
        `https://example.com/${'x'.repeat(2_048)}`,
        5,
      ],
    ],
    ['blocking_method', ['', 'none', 1]],
    ['is_active', ['', 2, 'yes', null]],
  ])('returns 400 for an invalid %s, on creation and update', async (name, values) => {
    const { ask, body, create } = await setUp();
    const script = await create();
    for (const value of values) {
      for (const { status, json } of [
        await ask('POST', '/scripts', body({ [name]: value })),
        await ask('PUT', `/scripts/${script.id}`, { [name]: value }),
      ]) {
        expect([value, status, json.code]).toEqual([value, 400, 'rest_invalid_param']);
        expect(Object.keys(json.data.params)).toEqual([name]);
      }
    }
    expect((await ask('GET', `/scripts/${script.id}`)).json).toEqual(script);
  });

  it('lists active scripts for the banner, oldest first and without internal fields', async () => {
    const { ask, create } = await setUp();
    const [one, off, two] = [await create(), await create({ is_active: 0 }), await create()];
    const { status, headers, json } = await app.http.get(PUBLIC);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    const { id, is_active, source, created_at, updated_at, ...shown } = two;
    expect(json.at(-1)).toEqual(shown);
    const handles = json.map(({ handle }: { handle: string }) => handle);
    expect(handles.slice(-2)).toEqual([one.handle, two.handle]);
    expect(handles).not.toContain(off.handle);
    expect((await ask('GET', '/consent/scripts')).json).toEqual(json);
  });

  it('returns 304 until the list changes', async () => {
    const { ask, create } = await setUp();
    const script = await create();
    const etag = (await app.http.get(PUBLIC)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const asked = (tag: string) => app.http.get(PUBLIC, { headers: { 'if-none-match': tag } });
    const compressed = etag.replace(/"$/, '-gzip"');
    for (const tag of [etag, `W/${etag}`, compressed, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await asked(tag);
      expect([tag, status, text]).toEqual([tag, 304, '']);
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([etag, 'no-cache']);
    }
    expect((await asked('"other"')).status).toBe(200);
    await ask('PUT', `/scripts/${script.id}`, { is_active: 0 });
    const changed = await asked(etag);
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
  });

  it('accepts only categories of the settings and blocks the scripts of a removed one', async () => {
    const { ask, body, create } = await setUp();
    const { categories } = (await ask('GET', '/settings')).json.consent;
    const own = { id: 'statistics', label: 'Statistics', description: '', required: false };
    const askAbout = (list: object[]) => ask('PUT', '/settings', { consent: { categories: list } });
    const open = async () =>
      (await app.http.get(PUBLIC)).json.map(({ handle }: { handle: string }) => handle);

    const early = await ask('POST', '/scripts', body({ category: own.id }));
    expect(early.json.data.params).toEqual({
      category: 'category is not one of functional, analytics, marketing, and personalisation.',
    });
    expect(early.json.data.details.category.code).toBe('rest_not_in_enum');

    await askAbout([...categories, own]);
    const script = await create({ category: own.id });
    expect(await open()).toContain(script.handle);
    expect((await ask('GET', '/scripts?category=statistics')).json).toEqual([script]);

    await askAbout(categories);
    expect(await open()).not.toContain(script.handle);
    expect((await ask('GET', `/scripts/${script.id}`)).json).toEqual(script);
    expect((await ask('GET', '/scripts?category=statistics')).json).toEqual([script]);
    for (const { status, json } of [
      await ask('PUT', `/scripts/${script.id}`, { category: own.id }),
      await ask('POST', '/vendors', { name: 'V', slug: 'v', category: own.id }),
    ]) {
      expect([status, Object.keys(json.data.params)]).toEqual([400, ['category']]);
    }
    expect((await ask('PUT', `/scripts/${script.id}`, { label: 'Renamed' })).status).toBe(200);
    await ask('PUT', `/scripts/${script.id}`, { category: 'marketing' });
    expect(await open()).toContain(script.handle);
  });
});
