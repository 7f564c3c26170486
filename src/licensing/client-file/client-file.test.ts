import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLicence } from '../../../test/support/makers.ts';
import { PHP, type PhpProcess, startPhp } from '../../../test/support/php.ts';
import { dataFolder } from '../../../test/support/process.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS } from '../../platform/durations.ts';
import {
  editLicence,
  extendLicence,
  reinstateLicence,
  revokeLicence,
  rotateKey,
  suspendLicence,
} from '../licences/index.ts';
import { createPlan, createProduct } from '../products/index.ts';
import { addReleaseKey, createReleaseKey, retireReleaseKey } from '../releases/index.ts';
import { rotateSigningKey } from '../signing-keys/index.ts';

const SITE = 'https://shop.example';
const DAY = 86_400;

describe('GET /licence/client/{product}.php', () => {
  const app = useTestApp('sqlite', { PAVIS_BASE_URL: 'https://licence.example.com/its' });

  it('has the product, the address of the server and all valid public keys', async () => {
    await createProduct(app.platform, { slug: 'forms-pro', name: '*/ Forms' }, 'test');
    const { kid } = await rotateSigningKey(app.platform, false, 'test');
    const { status, text, headers } = await app.http.get('/its/licence/client/forms-pro.php');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="forms-pro-licence.php"');
    expect(text).toContain('class Forms_Pro_Licence {');
    expect(text).toContain("const PRODUCT = 'forms-pro';");
    expect(text).toContain("const API = 'https://licence.example.com/its';");
    const { keys } = (await app.http.get('/its/licence/public-key')).json;
    expect(keys[0].kid).toBe(kid);
    expect(text).toContain(
      `const KEYS = ['${keys[0].kid}' => '${keys[0].x}', '${keys[1].kid}' => '${keys[1].x}'];`,
    );
    // Without a key of releases, the file does not look for updates.
    expect(text).toContain('const RELEASE_KEYS = [];');
    expect(text).not.toMatch(/\{\{|Product_Licence_Client|\*\/ Forms/);
    expect(text.split('\n').length).toBeLessThanOrEqual(301);
  });

  it('has the keys that sign releases of the product, without retired ones', async () => {
    const { platform } = app;
    const product = await createProduct(platform, { slug: 'signed', name: 'Signed' }, 'test');
    const other = await createProduct(platform, { slug: 'other', name: 'Other' }, 'test');
    const add = (to: typeof product) =>
      addReleaseKey(platform, to, { publicKey: createReleaseKey().publicKey, name: '' }, 'test');
    const [first, retired, last] = [await add(product), await add(product), await add(product)];
    await add(other);
    await retireReleaseKey(platform, retired.id, 'test');
    const { text } = await app.http.get('/its/licence/client/signed.php');
    const listed = `['${first.publicKey}', '${last.publicKey}']`;
    expect(text).toContain(`const RELEASE_KEYS = ${listed};`);
  });

  it('is 404 for an unknown product', async () => {
    const { status, json } = await app.http.get('/its/licence/client/none.php');
    expect([status, json]).toEqual([
      404,
      { error: 'product_not_found', message: 'No product has the slug none.' },
    ]);
  });
});

describe.skipIf(PHP === undefined)('The PHP licence client', () => {
  const app = useTestApp('sqlite');
  const folder = dataFolder();
  const clients: PhpProcess[] = [];
  let dead: Server;
  const waiting = new Set<Socket>();
  let made = 0;
  /** Seconds, as the client has them. */
  let now = 0;

  beforeAll(async () => {
    // The server says the real time in its responses, so the clocks begin there.
    app.clock.set(new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString());
    now = app.clock.now() / 1_000;
    await createProduct(app.platform, { slug: 'forms-pro', name: 'Forms' }, 'test');
    const plan = { tier: 'solo', features: ['export'], sites_allowed: 1, grace_days: 5 };
    await createPlan(app.platform, 'forms-pro', plan, 'test');
    // A server that accepts connections and never answers is worse than none.
    dead = createServer((socket) => waiting.add(socket.on('error', () => {})));
    await new Promise<void>((done) => dead.listen(0, '127.0.0.1', done));
  });
  afterAll(() => {
    for (const client of clients) client.close();
    for (const socket of waiting) socket.destroy();
    dead.close();
    folder.remove();
  });

  const getPort = (server: Server): number => (server.address() as AddressInfo).port;
  /** Two clients with one store: one with the server, one whose server never answers. */
  async function open(port = getPort(dead)) {
    const id = ++made;
    const content = (await app.http.get('/licence/client/forms-pro.php')).text;
    const store = join(folder.path, `licence-${id}.json`);
    const [alive = '', silent = ''] = ['alive', 'dead'].map((name) =>
      join(folder.path, `${name}-${id}.php`),
    );
    writeFileSync(alive, content);
    writeFileSync(silent, content.replace(app.url, `http://127.0.0.1:${port}`));
    return { client: start(alive, store), offline: start(silent, store), alive, store };
  }
  function start(file: string, store: string, site = SITE): PhpProcess {
    const client = startPhp('client.php', file, 'Forms_Pro_Licence', site, store);
    clients.push(client);
    return client;
  }
  const issue = (request: Parameters<typeof makeLicence>[1] = {}) =>
    makeLicence(app.platform, { product: 'forms-pro', tier: 'solo', ...request });
  async function activated(request: Parameters<typeof makeLicence>[1] = {}, port?: number) {
    const licence = await issue(request);
    const opened = await open(port);
    const { result } = await opened.client.run({ do: 'activate', now, key: licence.key });
    return { ...licence, ...opened, result };
  }
  const describePages = (pages: { median: number; slowest: number }) =>
    `median ${pages.median.toFixed(3)} ms, slowest ${pages.slowest.toFixed(3)} ms`;
  /** Moves the clocks of the server and of the client. */
  const advance = (seconds: number): void => {
    app.clock.advance(seconds * 1_000);
    now += seconds;
  };

  it('activates a site, caches the answer for 12 hours and verifies a lease', async () => {
    const { client, result } = await activated();
    expect(result).toMatchObject({
      state: 'active',
      valid: true,
      features: ['export'],
      tier: 'solo',
      verified: true,
      lease_until: now + 14 * DAY,
      error: '',
    });
    expect((await client.run({ do: 'status', now: now + 12 * 3_600 - 1 })).sent).toBe(0);
    advance(12 * 3_600);
    // The lease is renewed after half its time only.
    expect(await client.run({ do: 'status', now })).toMatchObject({
      sent: 1,
      result: { state: 'active' },
    });
    advance(7 * DAY);
    await client.run({ do: 'status', now });
    expect((await client.run({ do: 'status', now })).result.lease_until).toBe(now + 14 * DAY);
  });

  it('loses no feature and no time while the server is dead for 7 days and 10,000 pages', async () => {
    const { client, offline, id } = await activated();
    advance(12 * 3_600);
    const pages = { do: 'pages', pages: 10_000, feature: 'export' };
    const { result: before } = await client.run({ ...pages, now: now - 3_600, until: now });
    const { result, sent } = await offline.run({ ...pages, now, until: now + 7 * DAY });
    process.stdout.write(`A page with the server: ${describePages(before)}\n`);
    process.stdout.write(`A page while it is dead: ${describePages(result)}\n`);
    expect(result.without_feature).toBe(0);
    // The first page waits until the limit; no page after it sends a request.
    expect(sent).toBe(1);
    expect(result.waits).toHaveLength(1);
    expect(result.waits[0].page).toBe(0);
    advance(7 * DAY);
    expect((await offline.run({ do: 'status', now })).result).toMatchObject({
      state: 'active',
      verified: true,
      error: expect.stringMatching(/./),
    });
    // Beyond the end of the lease the last known features stay, and the state says why.
    const later = { do: 'status', now: now + 8 * DAY };
    expect((await offline.run(later)).result).toMatchObject({
      state: 'unreachable',
      valid: true,
      features: ['export'],
      verified: false,
    });
    await revokeLicence(app.platform, id, 'test');
    expect((await client.run({ do: 'refresh', now })).result).toMatchObject({
      state: 'revoked',
      valid: false,
      features: [],
      message: 'Licence has been revoked.',
    });
  });

  it.each([
    ['head', 'HTTP/1.1 200 OK\r\nx-padding: '],
    ['body', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n'],
  ])(
    'gives up within its limit when the server sends the %s byte by byte',
    async (_part, start) => {
      let [asked, finished] = [0, 0];
      const server = createServer((socket) => {
        let left = 120;
        const timer = setInterval(() => {
          if (left-- > 0) return socket.write(' ');
          finished++;
          return socket.end();
        }, 500);
        socket.on('error', () => {}).on('close', () => clearInterval(timer));
        socket.once('data', () => {
          asked++;
          socket.write(start);
        });
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const { offline } = await activated({}, getPort(server));
      expect((await offline.run({ do: 'refresh', now })).result).toMatchObject({
        state: 'active',
        features: ['export'],
        error: expect.stringMatching(/./),
      });
      expect([asked, finished]).toEqual([1, 0]);
      server.close();
    },
  );

  it('shows features that were taken away, although no new lease can be fetched', async () => {
    const { client, id, store } = await activated();
    await editLicence(app.platform, id, { edits: { features_removed: ['export'] } }, 'test');
    expect(
      (await client.run({ do: 'refresh', now, fails: '/licence/lease' })).result,
    ).toMatchObject({
      state: 'active',
      features: [],
      verified: false,
    });
    expect(JSON.parse(readFileSync(store, 'utf8')).lease).toBe('');
    expect((await client.run({ do: 'refresh', now })).result).toMatchObject({
      features: [],
      verified: true,
    });
  });

  it('asks ever more rarely while the server does not answer', async () => {
    const { offline } = await activated();
    const waits: number[] = [];
    const refused = await offline.run({ do: 'store', now });
    for (let n = 0; n < 3; n++) {
      await offline.run({ do: 'refresh', now });
      const { result } = await offline.run({ do: 'store', now });
      expect(result.failures).toBe(n + 1);
      waits.push(result.next - now);
    }
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(900 * 2 ** n);
      expect(wait).toBeGreaterThanOrEqual(900 * 2 ** n * 0.8 - 1);
    }
    expect(refused.result.failures).toBe(0);
  });

  it('tells the reasons apart', async () => {
    const { client, id, key } = await activated();
    const state = async () => (await client.run({ do: 'refresh', now })).result.state;
    await suspendLicence(app.platform, id, 'test');
    expect(await state()).toBe('suspended');
    await reinstateLicence(app.platform, id, 'test');
    expect(await state()).toBe('active');
    await extendLicence(app.platform, id, app.clock.now() - DAY_MS, 'test');
    expect(await state()).toBe('grace');
    await extendLicence(app.platform, id, app.clock.now() - 6 * DAY_MS, 'test');
    expect(await state()).toBe('expired');
    await extendLicence(app.platform, id, app.clock.now() + 6 * DAY_MS, 'test');
    await app.http.site('deactivate', key, SITE);
    expect(await state()).toBe('not_activated');
    await app.http.site('activate', key, 'https://other.example');
    expect(await state()).toBe('limit_reached');

    const { client: fresh, store } = await open();
    const enter = async (entered: string) =>
      (await fresh.run({ do: 'activate', now, key: entered })).result;
    expect(await fresh.run({ do: 'status', now })).toMatchObject({ result: { state: 'no_key' } });
    expect(await enter(key)).toMatchObject({
      state: 'limit_reached',
      message: 'The only activation is already in use (1 of 1). Deactivate a site to free one.',
      help_url: expect.stringContaining(`/account/switch-site?licence=${id}&site=`),
    });
    expect(await enter(`pv_live_${'x'.repeat(32)}`)).toMatchObject({ state: 'unknown_key' });
    expect(await enter('nonsense')).toMatchObject({ state: 'unknown_key' });
    const other = await makeLicence(app.platform);
    expect(await enter(other.key)).toMatchObject({ state: 'other_product', valid: false });
    expect(await app.http.site('validate', other.key, SITE)).toMatchObject({
      json: { sites_used: 0 },
    });
    expect(() => readFileSync(store)).toThrow();
  });

  it('says why the server could not be asked when a key is entered', async () => {
    const { client, offline } = await open();
    const enter = { do: 'activate', now, key: `pv_live_${'x'.repeat(32)}` };
    expect((await offline.run(enter)).result).toMatchObject({
      state: 'unreachable',
      message: 'The licence server cannot be reached.',
      error: expect.stringContaining('timed out'),
    });
    expect((await client.run(enter)).result).toMatchObject({ state: 'unknown_key', error: '' });
  });

  it('says that a key cannot be stored, and frees its slot', async () => {
    const { key } = await issue();
    const store = join(folder.path, 'missing', 'licence.json');
    const client = start((await open()).alive, store);
    const isActive = async () => (await app.http.site('validate', key, SITE)).json.site_active;
    const entered = { do: 'activate', now, key };
    expect((await client.run(entered)).result).toMatchObject({
      state: 'not_stored',
      valid: false,
      features: [],
      message: 'The licence data cannot be stored.',
      error: `PHP cannot write ${store}. Its folder must exist and be writable.`,
    });
    expect(await isActive()).toBe(false);
    mkdirSync(join(folder.path, 'missing'));
    expect((await client.run(entered)).result).toMatchObject({ state: 'active', error: '' });
    expect(await isActive()).toBe(true);
  });

  it('says that what is stored cannot be changed, and keeps the slot until it is deactivated', async () => {
    const { key, alive, store } = await activated();
    // PHP reads such a URL as a file, and cannot write it, whoever runs the test.
    const fixed = `data:text/plain;base64,${readFileSync(store).toString('base64')}`;
    const client = start(alive, fixed);
    const isActive = async () => (await app.http.site('validate', key, SITE)).json.site_active;
    const refusal = { state: 'not_stored', error: expect.stringContaining(fixed) };
    expect((await client.run({ do: 'activate', now, key })).result).toMatchObject(refusal);
    expect(await isActive()).toBe(true);
    expect((await client.run({ do: 'deactivate', now })).result).toMatchObject(refusal);
    expect(await isActive()).toBe(false);
  });

  it('frees the slot of the former key when a key of another licence is activated', async () => {
    const { client, key } = await activated();
    const { key: other } = await issue();
    const isActive = async (of: string) =>
      (await app.http.site('validate', of, SITE)).json.site_active;
    await client.run({ do: 'activate', now, key: 'nonsense' });
    expect(await isActive(key)).toBe(true);
    const { result } = await client.run({ do: 'activate', now, key: other });
    expect(result).toMatchObject({ state: 'active', features: ['export'], error: '' });
    expect([await isActive(key), await isActive(other)]).toEqual([false, true]);
  });

  it('keeps its slot of a licence with fewer sites than are active when its key is replaced', async () => {
    const { client, id, key } = await activated({ sitesAllowed: 2 });
    await app.http.site('activate', key, 'https://two.example');
    await editLicence(app.platform, id, { edits: { sites_allowed: 1 } }, 'test');
    const { key: rotated } = await rotateKey(app.platform, id, 168, 'test');
    const { result } = await client.run({ do: 'activate', now, key: rotated });
    expect(result).toMatchObject({ state: 'active', valid: true });
  });

  it('stays activated when a new key of the same licence replaces the former one', async () => {
    const { client, id, key } = await activated();
    const { key: rotated } = await rotateKey(app.platform, id, 168, 'test');
    const { result } = await client.run({ do: 'activate', now, key: rotated });
    expect(result).toMatchObject({ state: 'active', features: ['export'], error: '' });
    for (const each of [key, rotated])
      expect((await app.http.site('validate', each, SITE)).json.site_active).toBe(true);
  });

  it('keeps an activation that is made during an earlier check', async () => {
    const { client, key } = await activated();
    await app.http.site('deactivate', key, SITE);
    const check = { do: 'refresh', now, entered_meanwhile: key };
    expect((await client.run(check)).result).toMatchObject({ state: 'active', valid: true });
    expect((await client.run({ do: 'status', now })).result.state).toBe('active');
  });

  it('says that the clock is wrong, and keeps the features', async () => {
    const { client, offline } = await activated();
    const back = { do: 'status', now: now - 3 * DAY };
    expect((await offline.run(back)).result).toMatchObject({
      state: 'clock_wrong',
      features: ['export'],
    });
    const slight = { do: 'status', now: now - DAY + 60 };
    expect((await client.run(slight)).result).toMatchObject({ state: 'active' });
    const ahead = { do: 'refresh', now: now + 30 * DAY, server_behind: 30 * DAY };
    expect((await client.run(ahead)).result).toMatchObject({
      state: 'clock_wrong',
      features: ['export'],
      verified: false,
    });
    // Once the clock is right, the next page asks, although the next check was planned for later.
    expect(await client.run({ do: 'status', now })).toMatchObject({ sent: 1 });
    expect((await client.run({ do: 'status', now })).result).toMatchObject({
      state: 'active',
      verified: true,
    });
  });

  it('accepts a new signing key for which the key in the file vouches', async () => {
    const { client, offline } = await activated();
    await rotateSigningKey(app.platform, false, 'test');
    await rotateSigningKey(app.platform, false, 'test');
    advance(8 * DAY);
    expect((await client.run({ do: 'refresh', now })).result).toMatchObject({
      verified: true,
      lease_until: now + 14 * DAY,
    });
    expect((await offline.run({ do: 'status', now })).result.verified).toBe(true);
    await rotateSigningKey(app.platform, true, 'test');
    advance(8 * DAY);
    // A revoked key vouches for nothing, so the file must be replaced; the answers of the server count until then.
    expect((await client.run({ do: 'refresh', now })).result).toMatchObject({
      state: 'active',
      features: ['export'],
      verified: false,
    });
  });

  it('does not believe a lease that was changed or is of another site', async () => {
    const { client, store } = await activated();
    const stored = JSON.parse(readFileSync(store, 'utf8'));
    const [head, body = '', signature] = stored.lease.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, features: ['all'] }));
    for (const change of [
      { lease: [head, forged.toString('base64url'), signature].join('.') },
      { lease: 'nonsense' },
      { lease: `${stored.lease}x`.slice(1) },
      { site: 'https://other.example', failures: 1 },
    ]) {
      writeFileSync(store, JSON.stringify({ ...stored, ...change }));
      const { result } = await client.run({ do: 'status', now });
      expect(result).toMatchObject({ verified: false, features: ['export'] });
    }
  });

  it('sends no request from pages while it could not store that it did', async () => {
    const { client, store } = await activated();
    rmSync(`${store}.lock`);
    mkdirSync(`${store}.lock`);
    advance(DAY);
    expect(await client.run({ do: 'status', now })).toMatchObject({
      sent: 0,
      result: { state: 'active', features: ['export'] },
    });
  });

  it('deactivates the site and forgets the key, and changes nothing without an answer', async () => {
    const { client, offline, key } = await activated();
    expect((await offline.run({ do: 'deactivate', now })).result).toMatchObject({
      state: 'unreachable',
      valid: true,
      error: expect.stringContaining('timed out'),
    });
    expect((await client.run({ do: 'deactivate', now })).result).toMatchObject({
      state: 'no_key',
      valid: false,
    });
    expect((await app.http.site('validate', key, SITE)).json).toMatchObject({ site_active: false });
  });

  it('keeps the activation of the original when another key is activated on a copy of the site', async () => {
    const { key, alive, store } = await activated();
    const copy = start(alive, store, 'https://copy.example');
    const { key: other } = await issue();
    const { result } = await copy.run({ do: 'activate', now, key: other });
    expect(result).toMatchObject({ state: 'active', error: '' });
    expect((await app.http.site('validate', key, SITE)).json.site_active).toBe(true);
  });

  it('says that a copy of the site has no activation to end, and ends none of the original', async () => {
    const { key, alive, store } = await activated();
    const copy = start(alive, store, 'https://copy.example');
    expect((await copy.run({ do: 'refresh', now })).result.state).toBe('limit_reached');
    expect((await copy.run({ do: 'deactivate', now })).result).toMatchObject({
      state: 'no_key',
      error: 'https://copy.example was never activated with this licence.',
    });
    expect((await app.http.site('validate', key, SITE)).json.site_active).toBe(true);
  });
});
