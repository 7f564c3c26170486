import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer, RequestOptions } from '../support/client.ts';
import { makeLicence } from '../support/makers.ts';
import { sendRaw } from '../support/raw.ts';
import { type TestApp, useTestApp } from '../support/test-app.ts';

const UNKNOWN_KEY = `pv_live_${'u'.repeat(32)}`;
const GOOD = {
  headers: { 'x-licence-key': UNKNOWN_KEY },
  body: { licence_key: UNKNOWN_KEY, site_url: 'https://example.com' },
};

/** The rate limit headers: limit, remaining, reset. */
const quotaOf = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`) ?? 'NaN'));

async function statuses(times: number, ask: (n: number) => Promise<Answer>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n++) found.push((await ask(n)).status);
  return found;
}

const validator =
  (app: TestApp) =>
  ({ headers = {}, body = GOOD.body }: RequestOptions = {}) =>
    app.http.post('/licence/validate', { headers: { ...GOOD.headers, ...headers }, body });

describe('the rate limit of POST /licence/validate', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_VALIDATE: '60' });
  const validate = validator(app);

  // Requests of earlier tests are more than a minute old.
  beforeEach(() => app.clock.advance(60_000));

  it('allows 60 requests a minute and returns 429 rate_limited for the 61st', async () => {
    const { key } = await makeLicence(app.platform);
    const site = () => app.http.site('validate', key, 'https://example.com');
    expect(await statuses(60, site)).toEqual(Array(60).fill(200));
    const refused = await site();
    expect(refused.status).toBe(429);
    expect(refused.json).toStrictEqual({
      error: 'rate_limited',
      message: expect.stringMatching(/\S/),
    });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(quotaOf(refused)).toEqual([60, 0, 60]);
  });

  it('sends an exact Retry-After: one second earlier is too early, then one more request is allowed', async () => {
    await validate();
    app.clock.advance(10_300);
    await statuses(59, () => validate());
    const refused = await validate();
    const seconds = Number(refused.headers.get('retry-after'));
    expect([refused.status, seconds]).toEqual([429, 50]);

    app.clock.advance((seconds - 1) * 1_000);
    expect((await validate()).status).toBe(429);
    app.clock.advance(1_000);
    expect((await validate()).status).toBe(404);
    expect((await validate()).status).toBe(429);
  });

  it.each([
    ['forwards', 3_600_000],
    ['backwards', -3_600_000],
  ])('is neither lifted nor extended when the clock is set %s', async (_way, milliseconds) => {
    await statuses(60, () => validate());
    app.clock.set(new Date(app.clock.now() + milliseconds).toISOString());
    const refused = await validate();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    app.clock.advance(60_000);
    expect((await validate()).status).toBe(404);
  });

  it('allows no double rate at the boundary of a window', async () => {
    app.clock.advance(59_000);
    await statuses(60, () => validate());
    for (let second = 0; second < 59; second++) {
      app.clock.advance(1_000);
      expect((await validate()).status).toBe(429);
    }
    app.clock.advance(1_000);
    expect(await statuses(61, () => validate())).toEqual([...Array(60).fill(404), 429]);
  });

  it('sends limit, remaining and reset on every response, and counts rejected requests', async () => {
    const kinds: [number, RequestOptions][] = [
      [404, {}],
      [401, { headers: { 'x-licence-key': '' } }],
      [401, { headers: { 'x-licence-key': `pv_test_${'v'.repeat(32)}` } }],
      [400, { body: '{' }],
      [400, { body: {} }],
      [413, { body: 'x'.repeat(300_000) }],
      [415, { headers: { 'content-type': 'text/plain' } }],
    ];
    for (const [at, [status, request]] of kinds.entries()) {
      const answer = await validate(request);
      expect(answer.status).toBe(status);
      expect(quotaOf(answer)).toEqual([60, 59 - at, 60]);
      expect(answer.headers.has('retry-after')).toBe(false);
    }
    await statuses(60 - kinds.length, () => validate());
    for (const [, request] of kinds) expect((await validate(request)).status).toBe(429);
  });

  it('is checked before everything else', async () => {
    await statuses(60, () => validate());
    for (const request of [{ headers: { 'x-licence-key': 'x' } }, { body: '{' }, { body: {} }]) {
      expect((await validate(request)).json.error).toBe('rate_limited');
    }
  });

  it('does not limit other routes', async () => {
    await statuses(61, () => validate());
    const health = await statuses(100, () => app.http.get('/health'));
    expect(new Set(health)).toEqual(new Set([200]));
    for (const verb of ['activate', 'deactivate']) {
      expect((await app.http.post(`/licence/${verb}`, GOOD)).status).toBe(404);
    }
    expect((await app.http.get('/customer/licences')).status).toBe(401);
  });

  it.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'Via'])(
    'ignores %s of an untrusted client',
    async (name) => {
      const lie = (n: number) => (name === 'Forwarded' ? `for=198.51.100.${n}` : `198.51.100.${n}`);
      const ask = (n: number) => validate({ headers: { [name]: lie(n) } });
      expect(await statuses(61, ask)).toEqual([...Array(60).fill(404), 429]);
    },
  );
});

describe('the rate limit behind a trusted proxy', () => {
  const app = useTestApp('sqlite', {
    PAVIS_RATE_LIMIT_VALIDATE: '3',
    PAVIS_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
  });
  const validate = validator(app);
  const from = (address: string) => validate({ headers: { 'x-forwarded-for': address } });

  beforeEach(() => app.clock.advance(60_000));

  it('counts each client that the proxy names', async () => {
    expect(await statuses(4, () => from('203.0.113.1'))).toEqual([404, 404, 404, 429]);
    expect(await statuses(4, () => from('203.0.113.2'))).toEqual([404, 404, 404, 429]);
  });

  it.each([
    ['hops forged to the left', (n: number) => `198.51.100.${n}, 203.0.113.9`],
    [
      'a forged hop that would be trusted',
      (n: number) => `198.51.100.${n}, 10.0.0.${n}, 203.0.113.9`,
    ],
    ['trusted hops on the right', (n: number) => `203.0.113.9, 10.0.0.${n}, 127.0.0.1`],
    ['blanks', (n: number) => `${' '.repeat(n)}203.0.113.9`],
    ['the address in IPv6 form', (n: number) => (n % 2 ? '::ffff:203.0.113.9' : '203.0.113.9')],
    ['hops that are no address', (n: number) => `198.51.100.${n}, unknown-${n}`],
    ['empty hops', (n: number) => `198.51.100.${n},,`],
    ['one network of IPv6', (n: number) => `2001:db8:1:2:${n}:${n}::${n}`],
  ])('counts clients as one that differ by %s', async (_what, address) => {
    const ask = (n: number) => from(address(n + 1));
    expect(await statuses(4, ask)).toEqual([404, 404, 404, 429]);
  });

  it('distinguishes IPv6 clients of different networks', async () => {
    const ask = (n: number) => from(`2001:db8:1:${n}::1`);
    expect(await statuses(6, ask)).toEqual(Array(6).fill(404));
  });

  it('reads several X-Forwarded-For lines as one list, of which the last hop counts', async () => {
    const ask = (n: number) =>
      sendRaw(
        app.url,
        'POST /licence/validate HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\nContent-Length: 0\r\n' +
          `X-Forwarded-For: 198.51.100.${n}\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n`,
      );
    expect(await statuses(4, ask)).toEqual([401, 401, 401, 429]);
  });

  it.each(['Forwarded', 'X-Real-IP'])('ignores %s', async (name) => {
    const ask = (n: number) => validate({ headers: { [name]: `198.51.100.${n}` } });
    expect(await statuses(4, ask)).toEqual([404, 404, 404, 429]);
  });
});
