import { describe, expect, it, vi } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth, createBearerHeader, makeLicence } from '../../../test/support/makers.ts';
import { readMailText } from '../../../test/support/outbox.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { sendDueMails } from '../../mail/index.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';

describe.each(ENGINES)('Sign-in links on %s', (engine) => {
  const app = useTestApp(engine);

  const ask = (email: string) => app.http.post('/auth/magic-link', { body: { email } });
  const redeem = (token: string) => app.http.post('/auth/token', { body: { token } });
  const mailsTo = (email: string) =>
    app.platform.datastore.db
      .selectFrom('outbox_mails')
      .selectAll()
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .execute();

  /** Asks for a link and reads it in the mail. */
  async function linkFor(email: string): Promise<URL> {
    expect((await ask(email)).status).toBe(202);
    const [mail] = await mailsTo(email.trim().toLowerCase());
    return new URL(/http\S+/.exec(readMailText(app.platform, mail))?.[0] ?? '');
  }
  const tokenFor = async (email: string) => (await linkFor(email)).searchParams.get('token') ?? '';

  it('emails a link whose token is exchanged for a bearer token of one hour', async () => {
    const { email, id } = await makeLicence(app.platform);
    const link = await linkFor(` ${email.toUpperCase()} `);
    expect(link.origin + link.pathname).toBe(`${app.url}/account/sign-in`);
    const token = link.searchParams.get('token') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    const { status, json, headers } = await redeem(token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store, private');
    expect(json).toEqual({
      token: expect.any(String),
      token_type: 'Bearer',
      expires_at: new Date(app.clock.now() + 60 * MINUTE_MS).toISOString(),
    });
    const authorization = `Bearer ${json.token}`;
    const mine = await app.http.get('/customer/licences', { headers: { authorization } });
    expect(mine.json.licences.map((licence: { id: string }) => licence.id)).toEqual([id]);
  });

  it('keeps a link valid when an email scanner opens it', async () => {
    const { email } = await makeLicence(app.platform);
    const link = await linkFor(email);
    for (const method of ['GET', 'HEAD', 'GET'])
      await app.http.request(method, link.pathname + link.search);
    expect((await redeem(link.searchParams.get('token') ?? '')).status).toBe(200);
  });

  it('issues one token for 20 concurrent redemptions', async () => {
    const { email } = await makeLicence(app.platform);
    const token = await tokenFor(email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(token)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(19).fill(401)]);
  });

  it('rejects used, replaced, expired and unknown tokens with the same error', async () => {
    const { email } = await makeLicence(app.platform);
    const replaced = await tokenFor(email);
    const used = await tokenFor(email);
    expect((await redeem(replaced)).status).toBe(401);
    expect((await redeem(used)).status).toBe(200);
    const outdated = await tokenFor(email);
    app.clock.advance(15 * MINUTE_MS);
    const answers = await Promise.all([used, replaced, outdated, 'x'.repeat(43)].map(redeem));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, json: { error: 'unauthorised' } });
  });

  it('says in the email which other link ends this one', async () => {
    const { email } = await makeLicence(app.platform);
    await linkFor(email);
    const [mail] = await mailsTo(email);
    expect(readMailText(app.platform, mail).replaceAll(/\s+/g, ' ')).toContain(
      'It stops working when you sign in with another link, or request a new one from the same network.',
    );
  });

  it('accepts a link until the last millisecond of its 15 minutes', async () => {
    const { email } = await makeLicence(app.platform);
    const token = await tokenFor(email);
    app.clock.advance(15 * MINUTE_MS - 1);
    expect((await redeem(token)).status).toBe(200);
  });

  it('leaves one working link after two concurrent requests', async () => {
    const { email } = await makeLicence(app.platform);
    await Promise.all(Array.from({ length: 5 }, () => ask(email)));
    const tokens = (await mailsTo(email)).map(
      (mail) => /token=([\w-]+)/.exec(readMailText(app.platform, mail))?.[1] ?? '',
    );
    expect(tokens).toHaveLength(5);
    const statuses = (await Promise.all(tokens.map(redeem))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401]);
  });

  it('stores and logs neither token nor email address in clear', async () => {
    const { email } = await makeLicence(app.platform);
    const token = await tokenFor(email);
    const { db } = app.platform.datastore;
    const rows = JSON.stringify(await db.selectFrom('magic_links').selectAll().execute());
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(email);
    const mails = JSON.stringify(await db.selectFrom('outbox_mails').selectAll().execute());
    expect(mails).not.toContain(token);
    await redeem(token);
    expect(app.logged()).not.toContain(token);
    expect(app.logged()).not.toContain('@example.com');
  });

  it('gives up an email whose link no longer works, and does not retry it', async () => {
    const { email } = await makeLicence(app.platform);
    await ask(email);
    app.clock.advance(15 * MINUTE_MS);
    const deliver = vi.fn(async () => {});
    while (await sendDueMails(app.platform, { deliver, verify: async () => '' })) {}
    expect(deliver).not.toHaveBeenCalled();
    const [mail] = await mailsTo(email);
    expect(mail).toMatchObject({ status: 'dead', last_error: 'its link no longer works' });
    const headers = await basicAuth(app.platform);
    const retried = await app.http.post(`/wp-json/svc/v1/mail/${mail?.id}/retry`, { headers });
    expect(retried.status).toBe(404);
  });

  it('returns the same bytes for an unknown address, and sends no email', async () => {
    const { email } = await makeLicence(app.platform);
    const known = await ask(email);
    const unknown = await ask('nobody@example.com');
    expect(unknown.text).toBe(known.text);
    expect(unknown.status).toBe(known.status);
    const names = (headers: Headers) => [...headers.keys()];
    expect(names(unknown.headers)).toEqual(names(known.headers));
    expect(await mailsTo('nobody@example.com')).toEqual([]);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('takes the same time for an unknown address', async () => {
    const { email } = await makeLicence(app.platform);
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let round = 0; round < 80; round++) {
      // Each in turn first, so that neither has the warmer caches.
      const order = round % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const who of order) {
        const began = performance.now();
        await ask(who === 'known' ? email : 'nobody-at-all@example.com');
        if (round >= 10) times[who].push(performance.now() - began);
      }
    }
    const [known, unknown] = [median(times.known), median(times.unknown)];
    expect(Math.abs(known - unknown)).toBeLessThan(0.3 * Math.max(known, unknown) + 0.5);
  });

  it.each([
    [{}, 'email'],
    [{ email: 5 }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.com, b@example.com' }, 'email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
  ])('rejects %j with a message', async (body, names) => {
    const { status, json } = await app.http.post('/auth/magic-link', { body });
    expect([status, json.error]).toEqual([400, 'invalid_request']);
    expect(json.message).toContain(names);
  });

  it('revokes only this token when signing out, until it expires', async () => {
    const { email } = await makeLicence(app.platform);
    const first = await createBearerHeader(app.platform, email);
    const second = await createBearerHeader(app.platform, email);
    const out = (headers: Record<string, string>) => app.http.post('/auth/sign-out', { headers });
    const mine = async (headers: Record<string, string>) =>
      (await app.http.get('/customer/licences', { headers })).status;
    const ended = () => app.platform.datastore.db.selectFrom('ended_tokens').selectAll().execute();
    expect((await out({})).status).toBe(401);
    expect(await out(first)).toMatchObject({
      status: 200,
      json: { success: true, message: 'You are signed out.' },
    });
    expect([await mine(first), await mine(second)]).toEqual([401, 200]);
    expect((await out(first)).status).toBe(401);
    expect(await ended()).toHaveLength(1);
    app.clock.advance(2 * 3_600_000);
    await out(await createBearerHeader(app.platform, email));
    expect(await ended()).toHaveLength(1);
  });

  it('revokes all tokens and links of the customer when signing out everywhere', async () => {
    const { email } = await makeLicence(app.platform);
    const other = await makeLicence(app.platform);
    const first = await createBearerHeader(app.platform, email);
    const second = await createBearerHeader(app.platform, email);
    const theirs = await createBearerHeader(app.platform, other.email);
    const link = await tokenFor(email);
    const out = (headers: Record<string, string>) =>
      app.http.post('/auth/sign-out-everywhere', { headers });
    expect((await out({})).status).toBe(401);
    expect(await out(first)).toMatchObject({ status: 200, json: { success: true } });
    const mine = (headers: Record<string, string>) =>
      app.http.get('/customer/licences', { headers });
    for (const headers of [first, second]) expect((await mine(headers)).status).toBe(401);
    expect((await mine(theirs)).status).toBe(200);
    expect((await redeem(link)).status).toBe(401);
    expect((await redeem(await tokenFor(email))).status).toBe(200);
  });
});

describe('Limits of sign-in links', () => {
  const app = useTestApp('sqlite', {
    PAVIS_RATE_LIMIT_MAGIC_LINK: '5',
    PAVIS_TRUSTED_PROXIES: '127.0.0.1',
  });
  const ask = (email: string, client: string) =>
    app.http.post('/auth/magic-link', {
      body: { email },
      headers: { 'x-forwarded-for': client },
    });

  it.each(['known', 'unknown'])(
    'allow a client 5 links in 15 minutes to a %s address, independent of other clients',
    async (who) => {
      const { email } =
        who === 'known' ? await makeLicence(app.platform) : { email: 'no-one@example.com' };
      for (let n = 0; n < 5; n++) expect((await ask(email, '10.0.0.1')).status).toBe(202);
      const refused = await ask(email.toUpperCase(), '10.0.0.1');
      expect(refused).toMatchObject({ status: 429, json: { error: 'rate_limited' } });
      expect(refused.headers.get('retry-after')).toBe('900');
      expect((await ask(email, '10.0.0.2')).status).toBe(202);
      app.clock.advance(15 * MINUTE_MS);
      expect((await ask(email, '10.0.0.1')).status).toBe(202);
    },
  );

  it('let a customer get a working link after many requests of others', async () => {
    const { email } = await makeLicence(app.platform);
    let sent = 0;
    for (let n = 0; n < 60; n++) {
      sent += (await ask(email, '10.2.0.1')).status === 202 ? 1 : 0;
      app.clock.advance(3 * MINUTE_MS);
    }
    expect(sent).toBe(20);
    const tooMany = await ask(email, '10.2.0.1');
    expect(tooMany.status).toBe(429);
    expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(3_600);
    expect((await ask(email, '10.2.0.2')).status).toBe(202);
    const mails = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .selectAll()
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .execute();
    expect(mails).toHaveLength(21);
    expect(mails.every(({ status }) => status === 'pending')).toBe(true);
    const token = tokenIn(mails[0]);
    expect((await app.http.post('/auth/token', { body: { token } })).status).toBe(200);
  });

  const mailsTo = (email: string) =>
    app.platform.datastore.db
      .selectFrom('outbox_mails')
      .selectAll()
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .execute();
  const tokenIn = (mail: Parameters<typeof readMailText>[1]) =>
    /token=([\w-]+)/.exec(readMailText(app.platform, mail))?.[1] ?? '';

  it('keep a link valid when other clients request links', async () => {
    const { email } = await makeLicence(app.platform);
    expect((await ask(email, '10.4.0.1')).status).toBe(202);
    const [own] = await mailsTo(email);
    for (let n = 0; n < 5; n++) await ask(email, '10.4.0.2');
    const { status } = await app.http.post('/auth/token', {
      body: { token: tokenIn(own) },
    });
    expect(status).toBe(200);
    // Signing in ends the links that strangers have asked for.
    const [theirs] = await mailsTo(email);
    const late = { body: { token: tokenIn(theirs) } };
    expect((await app.http.post('/auth/token', late)).status).toBe(401);
  });

  it.each(['known', 'unknown'])(
    'reject no client after many requests of others to a %s address, and space out the emails',
    async (who) => {
      const isKnown = who === 'known';
      const { email } = isKnown
        ? await makeLicence(app.platform)
        : { email: 'nobody-is-here@example.com' };
      const answers = [];
      for (let n = 0; n < 60; n++) {
        answers.push(await ask(email, `10.${isKnown ? 5 : 6}.0.${n}`));
      }
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(202);
      expect(await mailsTo(email)).toHaveLength(isKnown ? 20 : 0);
      app.clock.advance(10 * MINUTE_MS);
      const later = Array.from({ length: 5 }, (_, n) => ask(email, `10.7.0.${n}`));
      expect((await Promise.all(later)).map(({ status }) => status)).toEqual(Array(5).fill(202));
      expect(await mailsTo(email)).toHaveLength(isKnown ? 21 : 0);
    },
  );

  it('space out emails no longer after the clock was set back', async () => {
    const { email } = await makeLicence(app.platform);
    for (let n = 0; n < 25; n++) await ask(email, `10.9.0.${n}`);
    expect(await mailsTo(email)).toHaveLength(20);
    app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
    for (let n = 0; n < 5; n++) await ask(email, `10.9.1.${n}`);
    expect(await mailsTo(email)).toHaveLength(21);
  });

  it('leave a link that works for some more minutes when emails are spaced out', async () => {
    const { email } = await makeLicence(app.platform);
    for (let n = 0; n < 60; n++) {
      await ask(email, `10.8.0.${n}`);
      app.clock.advance(MINUTE_MS);
    }
    expect((await ask(email, '10.8.1.1')).status).toBe(202);
    const mails = await mailsTo(email);
    expect(mails.length).toBeLessThanOrEqual(25);
    app.clock.advance(4 * MINUTE_MS);
    const body = { token: tokenIn(mails[0]) };
    expect((await app.http.post('/auth/token', { body })).status).toBe(200);
  });

  it('allow a client 20 links in 15 minutes for all addresses', async () => {
    for (let n = 0; n < 20; n++)
      expect((await ask(`someone-${n}@example.com`, '10.1.1.1')).status).toBe(202);
    expect((await ask('someone-else@example.com', '10.1.1.1')).status).toBe(429);
    expect((await ask('someone-else@example.com', '10.1.1.2')).status).toBe(202);
  });
});

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
