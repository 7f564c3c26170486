import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../test/support/dsar.ts';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser, signIn } from '../../../test/support/users.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { resetPassword } from '../users/index.ts';
import { processSecurityEvents } from './index.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('the security log for administrators on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const headersOf = async (role?: 'editor') => {
    const { login, applicationPassword } = await makeUser(app.platform, role);
    return basic(login, applicationPassword);
  };
  const list = async (query = '') =>
    app.http.get(`${ROOT}/security-log${query}`, { headers: await headersOf() });
  let language = 'en';
  const process = async () => {
    await app.platform.securityLog.flush();
    const settings = {
      sender: async () => ({ fromName: 'Site', language }),
      timeZone: 'UTC',
      consoleUrl: () => `${app.url}/admin/security-log`,
    };
    while (await processSecurityEvents(app.platform, settings));
  };
  const alerts = async () => {
    await process();
    return (await dsarClient.allMails()).filter(({ kind }) => kind === 'security_alert');
  };
  const failedSignIns = (
    count: number,
    address: string,
    user: { id: number; login: string } | null,
  ) => {
    for (let n = 0; n < count; n++) {
      app.platform.securityLog.record({
        event: 'sign_in_failed',
        user,
        address,
        details: { reason: user ? 'wrong_password' : 'unknown_login' },
      });
    }
  };

  it('lists events for administrators only, with totals, by event, user, address and day', async () => {
    const ada = await makeUser(app.platform);
    failedSignIns(3, '203.0.113.7', ada);
    failedSignIns(2, '198.51.100.1', null);
    const all = await list('?event=sign_in_failed');
    expect(all.status).toBe(200);
    expect(all.headers.get('x-wp-total')).toBe('2');
    expect(all.json).toMatchObject([
      { outcome: 'failure', count: 2, username: null, address: '198.51.100.1' },
      { count: 3, username: ada.login, user_id: ada.id, details: { reason: 'wrong_password' } },
    ]);
    const found = async (query: string) =>
      (await list(`?event=sign_in_failed${query}`)).json.map(
        (each: { count: number }) => each.count,
      );
    expect(await found(`&user=${ada.login.toLowerCase()}`)).toEqual([3]);
    expect(await found('&address=203.0.113')).toEqual([3]);
    expect(await found('&address=203_0')).toEqual([]);
    expect(await found('&date_from=2026-11-21&date_to=2026-11-21')).toEqual([2, 3]);
    expect(await found('&date_to=2026-11-20')).toEqual([]);
    const two = await list('?event=sign_in_failed,user_created');
    expect(Number(two.headers.get('x-wp-total'))).toBeGreaterThan(2);
    for (const query of ['?event=everything', '?date_from=soon'])
      expect((await list(query)).status).toBe(400);
    for (const headers of [{}, await headersOf('editor')])
      expect((await app.http.get(`${ROOT}/security-log`, { headers })).status).toBeGreaterThan(400);
  });

  it('exports as CSV and JSON, and records each export with the number of records', async () => {
    const admin = await makeUser(app.platform);
    const headers = basic(admin.login, admin.applicationPassword);
    const csv = await app.http.get(`${ROOT}/security-log/export`, { headers });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=UTF-8');
    expect(csv.headers.get('content-disposition')).toContain('security-log.csv');
    const [head, first] = csv.text.split('\r\n');
    expect(head).toMatch(/^id,at,last_at,event,outcome,count,/);
    expect(first).toMatch(/user_created|sign_in_failed/);
    await app.http.get(`${ROOT}/consent/records/export?format=json`, { headers });
    await app.http.get(`${ROOT}/data-map/export`, { headers });
    const exported = (await list(`?event=data_exported&user=${admin.login}`)).json;
    expect(exported).toMatchObject([
      { actor: admin.login, address: '127.0.0.1', details: { what: 'data_map', format: 'csv' } },
      { details: { what: 'consent_records', format: 'json', records: 0 } },
      { details: { what: 'security_log', format: 'csv' } },
    ]);
    expect(exported[2].details.records).toBe(csv.text.trim().split('\r\n').length - 1);
  });

  it('keeps events after 30 days without address, browser and names', async () => {
    const ada = await makeUser(app.platform);
    await signIn(app.http, ada);
    failedSignIns(1, '203.0.113.9', ada);
    await process();
    app.clock.advance(31 * 24 * HOUR_MS);
    const run = await app.http.post(`${ROOT}/retention/run`, {
      headers: await headersOf(),
      body: { dry_run: false },
    });
    expect(run.status).toBe(200);
    const rows = await app.platform.datastore.db
      .selectFrom('security_events')
      .selectAll()
      .where('user_id', '=', ada.id)
      .where('event', 'in', ['sign_in', 'sign_in_failed'])
      .orderBy('id')
      .execute();
    expect(rows).toMatchObject([
      { event: 'sign_in', actor_id: ada.id, login: `user ${ada.id}`, actor: `user ${ada.id}` },
      { event: 'sign_in_failed', login: `user ${ada.id}`, actor: null },
    ]);
    for (const row of rows)
      expect(row).toMatchObject({ address: null, user_agent: null, slot: null });
    expect(JSON.parse(rows[1]?.details ?? '')).toEqual({ reason: 'wrong_password' });
  });

  it('fires the hook once for each event, with the number of new occurrences', async () => {
    const fired: { id: number; event: string; count: number }[] = [];
    const remove = app.platform.hooks.addAction('svc_security_event', (event) => fired.push(event));
    const ada = await makeUser(app.platform);
    await process();
    failedSignIns(3, '203.0.113.20', ada);
    await process();
    failedSignIns(2, '203.0.113.20', ada);
    await Promise.all([process(), process()]);
    await new Promise(setImmediate);
    remove();
    const own = fired.filter(({ event }) => event === 'sign_in_failed');
    expect(own.map(({ count }) => count)).toEqual([3, 2]);
    expect(own[0]).toMatchObject({
      username: ada.login,
      address: '203.0.113.20',
      outcome: 'failure',
    });
    expect(own[0]?.id).toBe(own[1]?.id);
  });

  it('counts events, rate-limited requests and refused origins in /metrics', async () => {
    const names = [
      'pavis_sign_ins_total',
      'pavis_sign_in_failures_total',
      'pavis_credentials_refused_total{method="application_password"}',
      'pavis_origins_refused_total',
    ];
    const read = async () => {
      await process();
      const lines = (await app.http.get('/metrics')).text.split('\n');
      return names.map((name) => {
        const counts = lines.filter((line) => line.startsWith(name));
        return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
      });
    };
    const before = await read();
    const ada = await makeUser(app.platform);
    await signIn(app.http, ada);
    await app.http.post('/console/session', { body: { login: ada.login, password: 'wrong' } });
    await app.http.get(`${ROOT}/users`, { headers: basic(ada.login, 'wrong') });
    await app.http.post(`${ROOT}/consent`, {
      headers: { origin: 'https://evil.example' },
      body: {},
    });
    expect(await read()).toEqual(before.map((count) => count + 1));
  });

  it('emails administrators about a sign-in of an administrator with an unknown device', async () => {
    app.clock.advance(2 * HOUR_MS);
    await alerts();
    app.clock.advance(2 * HOUR_MS);
    const [ada, editor] = [await makeUser(app.platform), await makeUser(app.platform, 'editor')];
    await alerts();
    app.clock.advance(2 * HOUR_MS);
    await signIn(app.http, editor);
    expect(await alerts()).toEqual([]);
    const { login, password } = ada;
    await app.http.post('/console/session', { body: { login, password } });
    expect(await alerts(), 'the very first sign-in').toEqual([]);
    app.clock.advance(2 * HOUR_MS);
    const second = await app.http.post('/console/session', { body: { login, password } });
    const mails = await alerts();
    expect(mails.map(({ to }) => to)).toContain(ada.email);
    expect(mails.map(({ to }) => to)).not.toContain(editor.email);
    expect(mails[0]?.subject).toBe('Security alert: administrator signed in with a new device');
    expect(mails[0]?.text).toContain(`${ada.login}, from 127.0.0.1`);
    expect(mails[0]?.text).toContain(`${app.url}/admin/security-log`);
    // A new password alone does not shut out a passkey.
    expect(mails[0]?.text.replace(/\s+/g, ' ')).toContain(
      'reset the password and the second factor of the account',
    );
    app.clock.advance(2 * HOUR_MS);
    const cookie = second.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
    const again = { body: { login, password }, headers: { cookie } };
    expect((await app.http.post('/console/session', again)).status).toBe(200);
    expect(await alerts()).toEqual([]);
  });

  it('sends one alert of a kind an hour also if the clock is set back', async () => {
    app.clock.advance(2 * HOUR_MS);
    const { id, login } = await makeUser(app.platform);
    await alerts();
    app.clock.advance(2 * HOUR_MS);
    const lock = (address: string) => {
      const user = { id, login };
      const details = { method: 'password' };
      app.platform.securityLog.record({ event: 'account_locked', user, address, details });
    };
    lock('203.0.113.101');
    expect(await alerts()).not.toEqual([]);
    app.clock.set(toIsoMoment(app.clock.now() - 6 * HOUR_MS));
    lock('203.0.113.102');
    expect(await alerts()).not.toEqual([]);
    lock('203.0.113.103');
    expect(await alerts()).toEqual([]);
    app.clock.advance(HOUR_MS);
    expect(await alerts()).not.toEqual([]);
    // The next tests are later than all alerts.
    app.clock.advance(6 * HOUR_MS);
  });

  it('sends one alert of a kind an hour, with the count', async () => {
    app.clock.advance(2 * HOUR_MS);
    const { id, login } = await makeUser(app.platform);
    await alerts();
    app.clock.advance(2 * HOUR_MS);
    const lock = (address: string) =>
      app.platform.securityLog.record({
        event: 'account_locked',
        user: { id, login },
        address,
        details: { method: 'password' },
      });
    lock('203.0.113.1');
    const [first] = await alerts();
    expect(first?.subject).toBe('Security alert: sign-in blocked after failed attempts');
    for (let n = 2; n < 40; n++) lock(`203.0.113.${n}`);
    app.clock.advance(59 * MINUTE_MS);
    expect(await alerts()).toEqual([]);
    app.clock.advance(2 * MINUTE_MS);
    language = 'de-AT';
    const mails = await alerts();
    language = 'en';
    expect(new Set(mails.map(({ to }) => to)).size).toBe(mails.length);
    expect(mails[0]?.subject).toBe(
      'Sicherheitsmeldung: Anmeldung nach Fehlversuchen 38-mal gesperrt',
    );
    expect(mails[0]?.text).toContain('Und 18 weitere.');
    expect(await alerts()).toEqual([]);
  });

  it('alerts about many failures across several accounts, and not about those of one', async () => {
    app.clock.advance(2 * HOUR_MS);
    await alerts();
    app.clock.advance(2 * HOUR_MS);
    const ada = await makeUser(app.platform);
    await alerts();
    app.clock.advance(2 * HOUR_MS);
    failedSignIns(40, '203.0.113.50', ada);
    expect(await alerts()).toEqual([]);
    app.clock.advance(11 * MINUTE_MS);
    failedSignIns(19, '203.0.113.51', null);
    expect(await alerts()).toEqual([]);
    failedSignIns(1, '203.0.113.52', ada);
    const [mail] = await alerts();
    expect(mail?.subject).toBe('Security alert: many failed sign-ins for several accounts');
    expect(mail?.text).toContain('20 failed attempts in 10 minutes');
  });

  it('alerts the other administrators about a new one, also by the command line', async () => {
    app.clock.advance(2 * HOUR_MS);
    const old = await makeUser(app.platform);
    await alerts();
    app.clock.advance(2 * HOUR_MS);
    const added = await makeUser(app.platform);
    await resetPassword(app.signIn, added.login, 'command line (root)');
    const mails = await alerts();
    const to = mails.map((each) => each.to);
    expect([to.includes(old.email), to.includes(added.email)]).toEqual([true, false]);
    expect(mails[0]?.subject).toBe('Security alert: new administrator');
    expect(mails[0]?.text).toContain(`${added.login}, by test`);
  });

  it('alerts about an export of a thousand records or more', async () => {
    app.clock.advance(2 * HOUR_MS);
    await alerts();
    app.clock.advance(2 * HOUR_MS);
    const { securityLog } = app.platform;
    const details = (records: number) => ({
      actor: 'ada',
      what: 'consent_records',
      details: { records },
    });
    await securityLog.recordExport(details(999));
    expect(await alerts()).toEqual([]);
    await securityLog.recordExport(details(1_000));
    const [mail] = await alerts();
    expect(mail?.subject).toBe('Security alert: many records exported');
    expect(mail?.text).toContain('1000 records (consent_records), by ada');
  });

  it('alerts about an export of many records that never ends', async () => {
    app.clock.advance(2 * HOUR_MS);
    await alerts();
    app.clock.advance(2 * HOUR_MS);
    const { securityLog } = app.platform;
    const dying = securityLog.streamExport(
      { actor: 'zoe', what: 'consent_records' },
      async function* (counted) {
        counted(2_000);
        yield 'first';
        counted(1_000);
        yield 'second';
      },
    );
    const pieces = dying[Symbol.asyncIterator]();
    await pieces.next();
    const exported = async () => (await list('?event=data_exported&user=zoe')).json[0].details;
    expect(await exported()).toMatchObject({ records: 2_000, unfinished: true });
    // Reading the log adds an administrator, about whom there is an alert as well.
    const massExports = async () =>
      (await alerts()).filter(({ subject }) => subject.endsWith('many records exported'));
    const [mail] = await massExports();
    expect(mail?.text).toContain('at least 2000 records (consent_records), by zoe');
    while (!(await pieces.next()).done);
    expect(await exported()).toEqual({ what: 'consent_records', records: 3_000 });
    app.clock.advance(2 * HOUR_MS);
    expect(await massExports()).toEqual([]);
  });

  it('records an export that is aborted', async () => {
    const { securityLog } = app.platform;
    const broken = securityLog.streamExport(
      { actor: 'xxxxxxxxxx', what: 'consent_records' },
      async function* () {
        yield 'data';
        throw new Error('cut off');
      },
    );
    const pieces: string[] = [];
    await expect(
      (async () => {
        for await (const piece of broken) pieces.push(piece);
      })(),
    ).rejects.toThrow('cut off');
    const [cut] = (await list('?event=data_exported&user=xxxxxxxxxx')).json;
    expect(cut.details).toMatchObject({ what: 'consent_records', records: 0 });
  });
});
