import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { pavis } from '../../../test/support/process.ts';
import { type TestApp, useTestApp } from '../../../test/support/test-app.ts';
import { recordFact } from '../../platform/db/index.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { findUntrustedProxy } from '../../platform/http/untrusted-proxy.ts';

const CONSENT = '/wp-json/svc/v1/consent';
const PROXY = { PAVIS_TRUSTED_PROXIES: '127.0.0.1' };

let made = 0;
const newId = () => crypto.randomUUID();

function visitors(app: TestApp) {
  const send = (address: string, body: object = {}) =>
    app.http.post(CONSENT, {
      headers: { 'x-forwarded-for': address },
      body: { visitor_id: `visitor-${++made}`, consent_action: 'reject_all', ...body },
    });
  /** Sends choices and counts the responses with 429. */
  async function refused(times: number, address: string | (() => string), body?: object) {
    const answers = await Promise.all(
      Array.from({ length: times }, () =>
        send(typeof address === 'string' ? address : address(), body),
      ),
    );
    return answers.filter(({ status }) => status === 429).length;
  }
  return { send, refused };
}

describe.each(ENGINES)('Rate limit of POST /consent by address on %s', (engine) => {
  const app = useTestApp(engine, { ...PROXY, PAVIS_RATE_LIMIT_CONSENT: '20' });
  const { send, refused } = visitors(app);
  const total = async () => {
    const headers = await basicAuth(app.platform);
    return (await app.http.get(`${CONSENT}/stats`, { headers })).json.total;
  };

  it('returns 429 after 20 choices from one address within a minute', async () => {
    const before = await total();
    expect(await refused(300, '203.0.113.7')).toBe(280);
    expect(await total()).toBe(before + 20);
    const { status, json, headers } = await send('203.0.113.7');
    expect(status).toBe(429);
    expect(json).toEqual({
      code: 'rate_limited',
      message: expect.stringContaining('20'),
      data: { status: 429, retry_after: expect.any(Number) },
    });
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(50);
    expect(seconds).toBeLessThanOrEqual(70);
    app.clock.advance((seconds - 1) * 1_000);
    expect((await send('203.0.113.7')).status).toBe(429);
    app.clock.advance(1_000);
    expect((await send('203.0.113.7')).status).toBe(200);
  });

  it('counts an IPv6 /64 as one address', async () => {
    const inNetwork = () => `2001:db8:1:1::${(++made).toString(16)}`;
    expect(await refused(25, inNetwork)).toBe(5);
    expect((await send('2001:db8:1:2::1')).status).toBe(200);
    expect((await send('198.51.100.9')).status).toBe(200);
  });

  it.each(['127.0.0.1', '10.1.2.3', '192.168.1.9', '172.20.0.5', '::1', 'fd12::7'])(
    'does not limit the loopback or private address %s',
    async (address) => {
      expect(await refused(25, address)).toBe(0);
    },
  );

  it('counts invalid choices, but not those that it rejects itself', async () => {
    const invalid = { categories_accepted: ['nonsense'], consent_action: 'manage' };
    const answers = await Promise.all(
      Array.from({ length: 21 }, () => send('203.0.113.50', invalid)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(400), 429]);
  });

  it('counts visitors with a token apart from others at their address', async () => {
    const address = '203.0.113.99';
    const visitor_id = newId();
    const first = await send(address, { visitor_id, visitor_token: true });
    const visitor_token = first.json.visitor_token as string;
    expect(await refused(30, address)).toBeGreaterThan(0);
    expect((await send(address, { visitor_id })).status).toBe(429);

    const changed = await send(address, { visitor_id, visitor_token });
    expect(changed.status).toBe(200);
    // The renewed token is valid as long as the new consent.
    const renewed = changed.json.visitor_token as string;
    expect((await send(address, { visitor_id, visitor_token: renewed })).status).toBe(200);
    // A forged token and that of another visitor are ignored.
    for (const forged of [visitor_token.slice(0, -2), 'x', '']) {
      const answer = await send(address, { visitor_id, visitor_token: forged });
      expect(answer.status).toBe(429);
    }
    const other = await send(address, { visitor_id: newId(), visitor_token });
    expect(other.status).toBe(429);
    // Below the limit an invalid token is replaced by a new one.
    const fresh = await send('203.0.113.98', { visitor_id: newId(), visitor_token: 'x' });
    expect([fresh.status, typeof fresh.json.visitor_token]).toEqual([200, 'string']);
  });

  it('limits all visitors with a token at one address to ten times as many choices', async () => {
    app.clock.advance(2 * MINUTE_MS);
    const address = '203.0.113.120';
    const holders: object[] = [];
    for (let n = 0; n < 10; n++) {
      const visitor_id = newId();
      const { json } = await send(address, { visitor_id, visitor_token: true });
      holders.push({ visitor_id, visitor_token: json.visitor_token });
    }
    let recorded = 0;
    for (const holder of holders) recorded += 50 - (await refused(50, address, holder));
    expect(recorded).toBe(200);
    const { json } = await send(address, holders.at(-1));
    expect(json.message).toContain('200 a minute');
  });

  it('limits a visitor with a token to 60 choices a minute, apart from others who use the id', async () => {
    app.clock.advance(2 * MINUTE_MS);
    const visitor_id = newId();
    const { json } = await send('203.0.113.130', { visitor_id, visitor_token: true });
    // Another client that knows the id uses up the limit without a token.
    expect(await refused(70, '10.0.0.1', { visitor_id })).toBe(11);
    const holder = { visitor_id, visitor_token: json.visitor_token };
    expect(await refused(70, '203.0.113.130', holder)).toBe(10);
  });

  it('counts questions for the latest choice of a person apart from choices', async () => {
    const visitor_id = newId();
    const ask = (address: string, id = newId()) =>
      app.http.post(`${CONSENT}/subject`, {
        headers: { 'x-forwarded-for': address },
        body: { subject_token: 'x', visitor_id: id },
      });
    const address = '203.0.113.140';
    for (let at = 0; at < 20; at++) expect((await ask(address)).status).toBe(200);
    const { status, json } = await ask(address);
    expect(status).toBe(429);
    expect(json.message).toContain('requests for the latest choice from this network address: 20');
    expect(await refused(21, address)).toBe(1);
    for (let at = 0; at < 60; at++) await ask('10.0.0.1', visitor_id);
    expect((await ask('10.0.0.1', visitor_id)).json.message).toContain(
      '60 requests for the latest choice',
    );
    expect((await send('10.0.0.1', { visitor_id })).status).toBe(200);
  });
});

describe('Rate limit of POST /consent by address', () => {
  const off = useTestApp('sqlite', { ...PROXY, PAVIS_RATE_LIMIT_CONSENT: 'off' });
  const standard = useTestApp('sqlite', PROXY);

  it('is 600 choices a minute by default', async () => {
    expect(await visitors(standard).refused(650, '203.0.113.7')).toBe(50);
  });

  it('can be turned off', async () => {
    expect(await visitors(off).refused(650, '203.0.113.7')).toBe(0);
  });
});

describe('A proxy that is not trusted', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_CONSENT: '20' });
  const { refused } = visitors(app);

  it('is not limited and is logged once', async () => {
    expect(await refused(50, '203.0.113.7')).toBe(0);
    const lines = app
      .logged()
      .split('\n')
      .filter((line) => line.includes('PAVIS_TRUSTED_PROXIES'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('127.0.0.1');
    expect(lines[0]).not.toContain('203.0.113.7');
  });

  it('is reported by pavis doctor until a proxy is trusted', async () => {
    const env = { PAVIS_DATABASE_URL: app.config.databaseUrl, PAVIS_DATA_DIR: app.config.dataDir };
    const proxy = async (more: Record<string, string> = {}) => {
      const { stdout } = await pavis(['doctor', '--json'], { ...env, ...more });
      const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
      return checks.find(({ name }) => name === 'proxy');
    };
    // The command ignores reports that are older than a week by its own clock.
    await recordFact(
      app.platform.datastore.db,
      'untrusted_proxy',
      JSON.stringify({ ...(await findUntrustedProxy(app.platform)), at: Date.now() }),
    );
    expect(await proxy()).toMatchObject({
      ok: false,
      message: expect.stringContaining('PAVIS_TRUSTED_PROXIES=127.0.0.1'),
    });
    expect(await proxy(PROXY)).toMatchObject({ ok: true });
  });

  it('is reported although another is trusted, until it is trusted as well', async () => {
    const env = { PAVIS_DATABASE_URL: app.config.databaseUrl, PAVIS_DATA_DIR: app.config.dataDir };
    const proxy = async (PAVIS_TRUSTED_PROXIES: string) => {
      const { stdout } = await pavis(['doctor', '--json'], { ...env, PAVIS_TRUSTED_PROXIES });
      return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'proxy');
    };
    expect(await proxy('10.1.2.3')).toMatchObject({
      ok: false,
      message: expect.stringContaining('Add 127.0.0.1 to PAVIS_TRUSTED_PROXIES'),
    });
    expect(await proxy('10.1.2.3,127.0.0.0/8')).toMatchObject({ ok: true });
  });
});

describe.each([
  ['is detected where the settings name another one', '10.1.2.3', '203.0.113.7', 1],
  ['is not mistaken for its client in the own network', '127.0.0.1', '10.9.9.9', 0],
])('A proxy', (behaviour, trusted, client, lines) => {
  const app = useTestApp('sqlite', { PAVIS_TRUSTED_PROXIES: trusted });
  const { send } = visitors(app);

  it(behaviour, async () => {
    expect((await send(client)).status).toBe(200);
    const found = app.logged().match(/a proxy forwards requests and is not trusted/g) ?? [];
    expect(found).toHaveLength(lines);
  });
});
