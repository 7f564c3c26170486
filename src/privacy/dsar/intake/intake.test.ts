import { type CompiledQuery, sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { sendConfirmationReminders } from '../cases/reminders.ts';

/** How many unsuccessful status lookups the time comparison makes. */
const TRIES = 1_000;

describe.each(ENGINES)('POST /dsar/intake on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_TIMEZONE: 'Europe/Berlin' });
  const dsarClient = createDsarClient(app);

  it('returns 201 with a reference and a deadline in one month, and emails an acknowledgement', async () => {
    app.clock.set('2026-11-30T23:30:00.000Z');
    const { status, json, headers } = await dsarClient.intake({
      request_type: 'access',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: ' Ada@Example.com ',
      additional_info: 'Buy now at https://evil.example.com',
    });
    expect([status, headers.get('cache-control')]).toEqual([
      201,
      expect.stringContaining('no-store'),
    ]);
    expect(json).toEqual({
      id: expect.any(Number),
      reference: expect.stringMatching(/^DSR-20261201-[A-Z0-9]{6}$/),
      deadline_date: '2027-01-01',
      message: expect.stringContaining('acknowledgement email follows'),
    });
    const [mail, ...more] = await dsarClient.mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: 'ada@example.com', kind: 'dsar_acknowledgement' });
    expect(mail?.text).toContain(json.reference);
    expect(mail?.text).toContain('We reply by: 1 January 2027');
    expect(mail?.text).toContain(`${app.url}/privacy/confirm?token=`);
    for (const typed of ['Ada', 'Lovelace', 'evil.example.com']) {
      expect(mail?.text).not.toContain(typed);
    }
  });

  it('publishes reference and type to extensions', async () => {
    const heard: string[][] = [];
    const forget = app.platform.hooks.addAction('svc_dsar_received', (...args) => heard.push(args));
    const { reference } = await dsarClient.request({ request_type: 'objection' });
    forget();
    expect(heard).toEqual([[reference, 'objection']]);
    await dsarClient.mails();
  });

  it('requires only a type and an address', async () => {
    for (const type of ['access', 'deletion', 'rectification', 'portability', 'objection']) {
      const body = { request_type: type, email: 'plain@example.com', first_name: null };
      expect((await dsarClient.intake(body)).status).toBe(201);
    }
    await dsarClient.mails();
  });

  it.each([
    ['missing', {}],
    ['empty', { email: '' }],
    ['null', { email: null }],
    ['a number', { email: 5 }],
    ['a list', { email: ['a@example.com'] }],
    ['an object', { email: { a: 1 } }],
    ['without a host', { email: 'ada' }],
    ['two addresses', { email: 'a@example.com, evil@example.com' }],
    ['with a header', { email: 'a@example.com\r\nBcc: evil@example.com' }],
    ['too long', { email: `a@${'b'.repeat(300)}.com` }],
    ['with a NUL', { email: 'a\u0000@example.com' }],
  ])(
    'returns 422 invalid_email for an email that is %s, also with other errors',
    async (_, email) => {
      for (const more of [{}, { first_name: 'x'.repeat(101) }]) {
        const { status, json } = await dsarClient.intake({
          request_type: 'access',
          ...email,
          ...more,
        });
        expect([status, json.code, json.data.status]).toEqual([422, 'invalid_email', 422]);
      }
    },
  );

  it('checks in this order: disabled, honeypot, type, email, other fields', async () => {
    const codeOf = async (body: object, headers = {}) =>
      (await dsarClient.intake(body, headers)).json.code;
    const trap = { 'x-pv-hp-check': 'x' };
    expect(await codeOf({}, trap)).toBe('spam_detected');
    expect(await codeOf({})).toBe('rest_missing_callback_param');
    expect(await codeOf({ request_type: 'nonsense' })).toBe('rest_invalid_param');
    expect(await codeOf({ request_type: 'access' })).toBe('invalid_email');
    const sound = { request_type: 'access', email: 'order@example.com' };
    for (const wrong of [
      { first_name: 'x'.repeat(101) },
      { last_name: 5 },
      { additional_info: 'x'.repeat(5_001) },
      { additional_info: 'a\u0000b' },
    ]) {
      expect(await codeOf({ ...sound, ...wrong })).toBe('rest_invalid_param');
    }
    await dsarClient.admin('PUT', '/settings', { dsar: { enabled: false } });
    const { status, json } = await dsarClient.intake({}, trap);
    expect([status, json.code]).toEqual([503, 'dsar_disabled']);
    await dsarClient.admin('PUT', '/settings', { dsar: { enabled: true } });
    expect(await codeOf(sound)).toBeUndefined();
  });

  it('reads the body only after the setting and the honeypot header', async () => {
    const send = async (headers: Record<string, string> = {}) => {
      const answer = await fetch(`${app.url}/wp-json/svc/v1/dsar/intake`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{',
      });
      return ((await answer.json()) as { code: string }).code;
    };
    expect(await send()).toBe('rest_invalid_json');
    expect(await send({ 'x-pv-hp-check': '1' })).toBe('spam_detected');
    await dsarClient.admin('PUT', '/settings', { dsar: { enabled: false } });
    expect(await send()).toBe('dsar_disabled');
    await dsarClient.admin('PUT', '/settings', { dsar: { enabled: true } });
  });

  it('accepts an empty honeypot header', async () => {
    const body = { request_type: 'access', email: 'form@example.com' };
    for (const value of ['', ' ']) {
      expect((await dsarClient.intake(body, { 'x-pv-hp-check': value })).status).toBe(201);
    }
    const bot = await dsarClient.intake(body, { 'x-pv-hp-check': '0' });
    expect([bot.status, bot.json.code]).toEqual([400, 'spam_detected']);
  });

  it('accepts repeated requests and does not reveal whether an address is known', async () => {
    const body = { request_type: 'deletion', email: 'twice@example.com' };
    const [first, second] = [await dsarClient.intake(body), await dsarClient.intake(body)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.reference).not.toBe(first.json.reference);
    expect(Object.keys(second.json)).toEqual(Object.keys(first.json));
    expect(second.json.message).toBe(first.json.message);
    const { json } = await dsarClient.admin('GET', `/dsar/cases/${second.json.id}`);
    expect(json.duplicate_of).toBe(first.json.id);
  });

  it('uses the language of the browser if it is supported', async () => {
    await dsarClient.mails();
    const email = 'sprache@example.com';
    await dsarClient.intake(
      { request_type: 'access', email },
      { 'accept-language': 'de-AT,en;q=0.8' },
    );
    const other = 'langue@example.com';
    await dsarClient.intake({ request_type: 'access', email: other, language: 'fr' });
    const subjects = (await dsarClient.mails()).map(({ subject }) => subject);
    expect(subjects[0]).toContain('Wir haben Ihren Antrag erhalten');
    expect(subjects[1]).toContain('We have received your request');
  });

  it('returns the status for reference and address', async () => {
    app.clock.set('2027-03-05T08:00:00.000Z');
    const { reference, email } = await dsarClient.request();
    const expected = {
      reference,
      request_type: 'access',
      status: 'received',
      status_label: 'Received',
      deadline: '2027-04-05',
      submitted: '2027-03-05 09:00:00',
      completed: null,
    };
    const { status, json } = await dsarClient.status(reference, email);
    expect([status, json]).toEqual([200, expected]);
    const typed = await dsarClient.status(` ${reference.toLowerCase()}`, email.toUpperCase());
    expect(typed.json).toEqual(expected);
  });

  /** Every kind of mismatch of reference and address. */
  async function mismatches(): Promise<[reference: string, email: string][]> {
    const [one, two, anonymised] = [
      await dsarClient.request(),
      await dsarClient.request(),
      await dsarClient.request(),
    ];
    const { db } = app.platform.datastore;
    await db
      .updateTable('dsar_cases')
      .set({ email: null })
      .where('id', '=', anonymised.id)
      .execute();
    return [
      [one.reference, two.email],
      [one.reference, 'nobody@example.com'],
      ['DSR-20270305-AAAAAA', one.email],
      ['nonsense', one.email],
      [one.reference, 'nonsense'],
      [one.reference, ''],
      ['', ''],
      ['\u0000', 'a\u0000@example.com'],
      ['x'.repeat(2_000), 'x'.repeat(2_000)],
      [anonymised.reference, anonymised.email],
    ];
  }

  it('returns the same 404 for every mismatch of reference and address', async () => {
    const answers = [];
    for (const given of await mismatches()) answers.push(await dsarClient.status(...given));
    for (const { status, text } of answers) {
      expect([status, text]).toEqual([404, answers[0]?.text]);
    }
    expect(answers[0]?.json.code).toBe('not_found');
    const missing = await app.http.get('/wp-json/svc/v1/dsar/status?reference=x');
    expect([missing.status, missing.json.code]).toEqual([400, 'rest_missing_callback_param']);
  });

  it('takes the same time for every mismatch', async () => {
    const kinds = (await mismatches()).map((given) => ({ given, times: [] as number[] }));
    for (let n = 0; n < TRIES; n++) {
      const { given, times } = kinds[Math.floor(Math.random() * kinds.length)] as (typeof kinds)[0];
      const began = performance.now();
      await dsarClient.status(...given);
      times.push(performance.now() - began);
    }
    // Other work of the machine only adds time, to half of the lookups if it is busy. A leak is in the fastest as well.
    const fast = kinds.map(({ times }) => times.toSorted((a, b) => a - b)[times.length >> 3] ?? 0);
    const slowest = Math.max(...fast);
    expect(slowest - Math.min(...fast)).toBeLessThan(0.35 * slowest);
  });

  it('runs the same statements for every mismatch', async () => {
    const given = await mismatches();
    const executor = app.platform.datastore.db.getExecutor();
    const queries = vi.spyOn(Object.getPrototypeOf(executor), 'executeQuery');
    onTestFinished(() => queries.mockRestore());
    const statements: string[][] = [];
    for (const each of given) {
      queries.mockClear();
      await dsarClient.status(...each);
      statements.push(queries.mock.calls.map(([query]) => (query as CompiledQuery).sql));
    }
    expect(statements[0]).not.toEqual([]);
    expect(statements).toEqual(given.map(() => statements[0]));
  });

  it('confirms the address once with the emailed link, and starts work', async () => {
    await dsarClient.mails();
    const { reference, email } = await dsarClient.request();
    const [mail] = await dsarClient.mails();
    const token = tokenIn(mail ?? { text: '' });
    expect(token).toMatch(/^[\w-]{43}$/);
    // Link scanners open the page without using the link.
    expect((await app.http.get(`/wp-json/svc/v1/dsar/verify?token=${token}`)).status).toBe(404);
    expect((await dsarClient.status(reference, email)).json.status).toBe('received');
    const { status, json } = await dsarClient.verify(token);
    expect([status, json.reference, json.status]).toEqual([200, reference, 'in_progress']);
    const again = await dsarClient.verify(token);
    expect([again.status, again.json.code]).toEqual([404, 'not_found']);
    expect((await dsarClient.verify('nonsense')).text).toBe(again.text);
    expect(app.logged()).not.toContain(token);
    const stored = await app.platform.datastore.db.selectFrom('dsar_tokens').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('confirms the address for one of several concurrent uses of the link', async () => {
    await dsarClient.mails();
    await dsarClient.request();
    const [mail] = await dsarClient.mails();
    const token = tokenIn(mail ?? { text: '' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => dsarClient.verify(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(404)]);
  });

  it('confirms no address of a closed request, and does not say that work has started', async () => {
    await dsarClient.mails();
    const { id } = await dsarClient.request();
    const token = tokenIn((await dsarClient.mails())[0] ?? { text: '' });
    const put = (body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
    const page = `/privacy/confirm?token=${token}`;
    await put({ status: 'rejected', ground: 'unfounded', reason: 'It repeats another.' });
    expect((await app.http.get(page)).status).toBe(404);
    expect((await dsarClient.verify(token)).status).toBe(404);
    const { json } = await dsarClient.admin('GET', `/dsar/cases/${id}`);
    expect([json.status, json.verified_at]).toEqual(['rejected', null]);
    await put({ status: 'in_progress', reason: 'It does not.' });
    await put({ status: 'on_hold', ground: 'identity', reason: 'Who are you?' });
    expect((await app.http.get(page)).status).toBe(200);
    const confirmed = await fetch(app.url + page, {
      method: 'POST',
      body: new URLSearchParams({ token }),
    });
    const text = await confirmed.text();
    expect(text).toContain('Your request is on hold at the moment.');
    expect(text).not.toContain('We have started work');
    expect(text).not.toContain('We reply by');
    await dsarClient.mails();
  });

  it('rejects a link that is older than seven days', async () => {
    await dsarClient.mails();
    await dsarClient.request();
    await dsarClient.request();
    const [one, two] = (await dsarClient.mails()).map(tokenIn);
    app.clock.advance(7 * DAY_MS - 1);
    expect((await dsarClient.verify(one ?? '')).status).toBe(200);
    app.clock.advance(1);
    expect((await dsarClient.verify(two ?? '')).status).toBe(404);
  });

  it('sends one reminder with a new link after a day without confirmation', async () => {
    await dsarClient.mails();
    app.clock.advance(30 * DAY_MS);
    await sendConfirmationReminders(dsarClient.dsar());
    await dsarClient.mails();
    const { reference, email } = await dsarClient.request();
    await dsarClient.mails();
    await sendConfirmationReminders(dsarClient.dsar());
    expect(await dsarClient.mails()).toEqual([]);
    app.clock.advance(DAY_MS);
    await sendConfirmationReminders(dsarClient.dsar());
    await sendConfirmationReminders(dsarClient.dsar());
    const mails = await dsarClient.mails();
    expect(mails.map(({ to, kind }) => [to, kind])).toEqual([[email, 'dsar_unconfirmed']]);
    const { json } = await dsarClient.verify(tokenIn(mails[0] ?? { text: '' }));
    expect([json.reference, json.status]).toEqual([reference, 'in_progress']);
  });

  it('does not log addresses or other input', () => {
    expect(app.logged()).not.toMatch(/@example\.com|Lovelace/);
  });
});

describe.each(ENGINES)('A failed write of a request on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);

  it('returns 500 create_failed and stores nothing', async () => {
    const { db } = app.platform.datastore;
    await sql`alter table dsar_tokens rename to dsar_tokens_away`.execute(db);
    const { status, json } = await dsarClient.intake({
      request_type: 'access',
      email: 'lost@example.com',
    });
    expect([status, json.code, json.data]).toEqual([500, 'create_failed', { status: 500 }]);
    for (const table of ['dsar_cases', 'dsar_events', 'outbox_mails'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    await sql`alter table dsar_tokens_away rename to dsar_tokens`.execute(db);
    await dsarClient.request();
    expect(await dsarClient.mails()).toHaveLength(1);
    expect(app.logged()).not.toContain('lost@example.com');
  });
});

describe('The rate limit of requests', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_DSAR: '3' });
  const dsarClient = createDsarClient(app);

  it('returns 429 after the limit per minute and client, counted per action', async () => {
    const body = { request_type: 'access', email: 'often@example.com' };
    for (let n = 0; n < 3; n++) expect((await dsarClient.intake(body)).status).toBe(201);
    const refused = await dsarClient.intake(body);
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBe('60');
    for (let n = 0; n < 15; n++) expect((await dsarClient.status('x', 'y')).status).toBe(404);
    expect((await dsarClient.status('x', 'y')).status).toBe(429);
    app.clock.advance(60_000);
    expect((await dsarClient.intake(body)).status).toBe(201);
  });
});
