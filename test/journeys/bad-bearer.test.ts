import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { ENGINES } from '../support/engines.ts';
import { createBearerHeader, makeLicence } from '../support/makers.ts';
import { sendRaw } from '../support/raw.ts';
import { useTestApp } from '../support/test-app.ts';

const UNKNOWN_KEY = `pv_live_${'u'.repeat(32)}`;
const UNAUTHORISED = { error: 'unauthorised', message: expect.stringMatching(/\S/) };
const NOT_FOUND = { error: 'licence_not_found', message: expect.stringMatching(/\S/) };

interface Forgery {
  header?: { alg: string; typ?: string };
  claims?: Record<string, unknown>;
  key?: Uint8Array;
}

const FORGED: [string, Forgery][] = [
  ['is signed with another key', { key: new Uint8Array(32).fill(7) }],
  ['is signed with another algorithm', { header: { alg: 'HS512' } }],
  ['names another issuer', { claims: { iss: 'somebody' } }],
  ['is meant for another audience', { claims: { aud: 'admin' } }],
  ['names no issuer', { claims: { iss: undefined } }],
  ['names no audience', { claims: { aud: undefined } }],
  ['never expires', { claims: { exp: undefined } }],
  ['expires at a text', { claims: { exp: 'tomorrow' } }],
  ['says not when it was issued', { claims: { iat: undefined } }],
  ['has no id', { claims: { jti: undefined } }],
  ['is not valid yet', { claims: { nbf: Date.parse('2026-11-21T10:00:00Z') / 1000 } }],
  ['has no session version', { claims: { sv: undefined } }],
  ['has a session version that is a text', { claims: { sv: '1' } }],
  ['has an older session version', { claims: { sv: 0 } }],
  ['speaks for nobody', { claims: { sub: undefined } }],
  ['speaks for a customer that does not exist', { claims: { sub: '987654321.1' } }],
  ['speaks for a customer whose id another one has now', { claims: { sub: '1.1' } }],
  ['speaks for an id alone', { claims: { sub: '1' } }],
  ['speaks for a number that no id is', { claims: { sub: `${'9'.repeat(30)}.1` } }],
  ['speaks for what is no id', { claims: { sub: "1' or '1'='1" } }],
  ['speaks for an id in another spelling', { claims: { sub: '01.1' } }],
];

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const OF_THE_EXCHANGE = ['date', 'x-request-id', 'connection', 'keep-alive'];
/** A response without its time and connection headers. */
const essence = ({ status, headers, text }: Answer) => {
  const kept = [...headers].filter(([name]) => !OF_THE_EXCHANGE.includes(name));
  return { status, headers: kept, text };
};

describe.each(ENGINES)('bearer tokens on %s', (engine) => {
  const app = useTestApp(engine);
  let mine: { key: string; email: string };
  let theirs: { key: string; email: string };
  let sub: string;

  beforeAll(async () => {
    // The first customer has the id 1.
    sub = `1.${app.clock.now()}`;
    mine = await makeLicence(app.platform);
    theirs = await makeLicence(app.platform);
  });

  /** A signed token with other claims. */
  function forge({ header, claims, key }: Forgery = {}): Promise<string> {
    const iat = Math.floor(app.clock.now() / 1000);
    const good = { iss: 'pavis', aud: 'customer', sub, iat, exp: iat + 3600, jti: 'x', sv: 1 };
    return new SignJWT({ ...good, ...claims })
      .setProtectedHeader(header ?? { alg: 'HS256', typ: 'JWT' })
      .sign(key ?? app.platform.secret.key('bearer:customer'));
  }
  const paths = () => [`/licence/info?key=${mine.key}`, '/customer/licences'];
  const statusesOf = async (authorization: string) => {
    const answers = paths().map((path) => app.http.get(path, { headers: { authorization } }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  async function expectRefusal(headers: Record<string, string>): Promise<void> {
    for (const path of paths()) {
      const { status, json, headers: answered } = await app.http.get(path, { headers });
      expect([path, status, json]).toStrictEqual([path, 401, UNAUTHORISED]);
      expect(answered.get('cache-control')).toBe('no-store, private');
    }
  }

  it('authenticate their customer', async () => {
    expect(await statusesOf(`Bearer ${await forge()}`)).toEqual([200, 200]);
    expect(await statusesOf(`bearer ${await forge()}`)).toEqual([200, 200]);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a blank', 'Bearer '],
    ['no token', 'Bearer null'],
    ['of two parts', 'Bearer a.b'],
    ['of three empty parts', 'Bearer ..'],
    ['not base64', 'Bearer a$.b$.c$'],
    ['Basic', `Basic ${Buffer.from('user:password').toString('base64')}`],
  ])('are required with 401 unauthorised if the header is %s', async (_what, authorization) => {
    await expectRefusal(authorization === undefined ? {} : { authorization });
  });

  it.each([
    ['without a scheme', (token: string) => token],
    ['in the wrong scheme', (token: string) => `Basic ${token}`],
    ['behind a doubled scheme', (token: string) => `Bearer Bearer ${token}`],
    ['with something behind them', (token: string) => `Bearer ${token} x`],
    ['listed twice', (token: string) => `Bearer ${token}, Bearer ${token}`],
    ['without their signature', (token: string) => `Bearer ${token.replace(/[^.]+$/, '')}`],
    ['with a bent signature', (token: string) => `Bearer ${token.slice(0, -5)}AAAAA`],
    [
      'with alg none',
      (token: string) => `Bearer ${base64url({ alg: 'none' })}.${token.split('.')[1]}.`,
    ],
    [
      'with alg none and a signature',
      (token: string) =>
        `Bearer ${[base64url({ alg: 'none' }), ...token.split('.').slice(1)].join('.')}`,
    ],
    [
      'with alg RS256',
      (token: string) =>
        `Bearer ${[base64url({ alg: 'RS256' }), ...token.split('.').slice(1)].join('.')}`,
    ],
  ])('are rejected if the token is %s', async (_what, authorization) => {
    await expectRefusal({ authorization: authorization(await forge()) });
  });

  it.each(FORGED)('are rejected if it %s', async (_what, forgery) => {
    await expectRefusal({ authorization: `Bearer ${await forge(forgery)}` });
  });

  it('are valid for one hour and 30 seconds of leeway', async () => {
    const { authorization = '' } = await createBearerHeader(app.platform, mine.email);
    app.clock.advance(3_629_000);
    expect(await statusesOf(authorization)).toEqual([200, 200]);
    app.clock.advance(1_000);
    await expectRefusal({ authorization });
  });

  it('are all revoked when the session version of their customer is raised', async () => {
    const { email } = await makeLicence(app.platform);
    const headers = await createBearerHeader(app.platform, email);
    const ask = async () => (await app.http.get('/customer/licences', { headers })).status;
    expect(await ask()).toBe(200);
    await app.platform.datastore.db
      .updateTable('customers')
      .set(({ eb }) => ({ session_version: eb('session_version', '+', 1) }))
      .where('email', '=', email)
      .execute();
    expect(await ask()).toBe(401);
  });

  it('open no licence of another customer: the response equals the one for an unknown key', async () => {
    const headers = await createBearerHeader(app.platform, mine.email);
    const foreign = await app.http.get(`/licence/info?key=${theirs.key}`, { headers });
    const unknown = await app.http.get(`/licence/info?key=${UNKNOWN_KEY}`, { headers });
    expect(foreign.json).toStrictEqual(NOT_FOUND);
    expect(essence(foreign)).toEqual(essence(unknown));
    expect(foreign.status).toBe(404);

    const list = await app.http.get('/customer/licences', { headers });
    expect(list.json.licences).toHaveLength(1);
  });

  it('are read from the first of two Authorization headers only', async () => {
    const good = (await createBearerHeader(app.platform, mine.email)).authorization;
    const lines = [`Authorization: Bearer a.b.c`, `Authorization: ${good}`].join('\r\n');
    const { status, json } = await sendRaw(
      app.url,
      `GET /customer/licences HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\n${lines}\r\n\r\n`,
    );
    expect([status, json]).toStrictEqual([401, UNAUTHORISED]);
  });

  it.each([
    ['missing', 400, '', 'invalid_request'],
    ['empty', 400, '?key=', 'invalid_request'],
    ['repeated', 400, '?key=a&key=b', 'invalid_request'],
    ['repeated and good', 400, (key: string) => `?key=${key}&key=${key}`, 'invalid_request'],
    ['too long', 400, `?key=${'k'.repeat(300)}`, 'invalid_request'],
    ['malformed', 404, '?key=pv_live_short', 'licence_not_found'],
    ['of another prefix', 404, `?key=pk_live_${'u'.repeat(32)}`, 'licence_not_found'],
    ['a NUL', 404, '?key=%00', 'licence_not_found'],
    ['badly escaped', 404, '?key=%zz', 'licence_not_found'],
    ['no UTF-8', 404, '?key=%ff%fe', 'licence_not_found'],
    ['followed by a newline', 404, (key: string) => `?key=${key}%0a`, 'licence_not_found'],
    ['named __proto__', 400, '?__proto__=x&key[a]=b', 'invalid_request'],
  ])('with key %s return %i', async (_what, status, query, error) => {
    const headers = await createBearerHeader(app.platform, mine.email);
    const path = `/licence/info${typeof query === 'string' ? query : query(mine.key)}`;
    const answer = await app.http.get(path, { headers });
    expect(answer.status).toBe(status);
    const message = expect.stringMatching(status === 400 ? /key/ : /\S/);
    expect(answer.json).toStrictEqual({ error, message });
    expect((await app.http.get(path)).status).toBe(401);
  });

  it('return the same headers for HEAD as for GET, without a body', async () => {
    const good = await createBearerHeader(app.platform, mine.email);
    const bad = { authorization: 'Bearer a.b.c' };
    for (const path of [...paths(), '/licence/info?key=x', '/licence/info']) {
      for (const headers of [good, bad]) {
        const get = await app.http.get(path, { headers });
        const head = await app.http.request('HEAD', path, { headers });
        expect(essence(head)).toEqual({ ...essence(get), text: '' });
      }
    }
  });
});
