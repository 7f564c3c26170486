import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { createBearerHeader, makeLicence } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { createUser } from '../../../identity/users/index.ts';
import { revokeLicence, transferLicence } from '../../../licensing/licences/index.ts';
import { NEVER } from '../../../licensing/products/index.ts';
import { insertLegalHold } from '../../../personal-data/index.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { runDueTask } from './index.ts';

const SITE = 'https://shop.example.org';

interface Task {
  id: number;
  source: string;
  kind: string;
  status: string;
  erased: number;
  anonymised: number;
  kept: { count: number; reason: string; ground?: string; until?: string }[];
}

describe.each(ENGINES)('An erasure on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const db = () => app.platform.datastore.db;
  const put = (id: number, body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);

  /** Runs a deletion and returns the outcome of each source. */
  async function erase(request: object) {
    const { id } = await dsarClient.request({ request_type: 'deletion', ...request });
    await put(id, { status: 'in_progress' });
    await dsarClient.admin('POST', `/dsar/cases/${id}/approve`, {});
    await dsarClient.work();
    const tasks: Task[] = (await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`)).json;
    const of = (source: string, kind = 'erase') => {
      const task = tasks.find((each) => each.source === source && each.kind === kind);
      if (!task) throw new Error(`no task ${kind} ${source}`);
      return task;
    };
    return { id, tasks, of };
  }
  const customerOf = (email: string) =>
    db().selectFrom('customers').selectAll().where('email', '=', email).executeTakeFirst();

  it('erases a customer whose licences are all revoked, with their sites, and keeps records with a legal ground', async () => {
    const { key, id: licence, email } = await makeLicence(app.platform);
    await app.http.site('activate', key, SITE);
    const bearer = await createBearerHeader(app.platform, email);
    await app.http.post('/auth/magic-link', { body: { email } });
    const customer = await customerOf(email);
    const { id: licenceId } = await db()
      .selectFrom('licences')
      .select('id')
      .where('public_id', '=', licence)
      .executeTakeFirstOrThrow();
    await db()
      .insertInto('purchases')
      .values({
        session_id: `cs_${licence}`,
        licence_id: licenceId,
        customer_id: customer?.id ?? 0,
        bought_at: app.clock.now(),
        year_ends_at: Date.parse('2027-01-01T00:00:00Z'),
        tier: 'pro',
        expires_at: 0,
        grace_days: 0,
        is_suspended: 0,
        is_revoked: 1,
        renews: 0,
      })
      .execute();
    await revokeLicence(app.platform, licence, 'test');

    const { of, tasks } = await erase({ email });
    expect(of('customers')).toMatchObject({ status: 'done', anonymised: 1, kept: [] });
    expect(tasks.filter(({ kind }) => kind === 'manual')).toEqual([]);
    expect(of('activation_history')).toMatchObject({ anonymised: 1, kept: [] });
    expect(of('licences')).toMatchObject({ anonymised: 1, kept: [] });
    expect(of('sign_in_links')).toMatchObject({ erased: 1, kept: [] });
    expect(of('purchases').kept).toEqual([
      {
        count: 1,
        ground: 'statutory_retention',
        reason: 'tax and commercial law require us to keep it',
        until: '2035-01-01',
      },
    ]);
    expect(of('audit_log')).toMatchObject({
      anonymised: 0,
      kept: [{ count: 3, ground: 'evidence', until: '2028-11-21' }],
    });
    expect(await customerOf(email)).toBeUndefined();
    const sites = await db()
      .selectFrom('activations')
      .select(['site_url', 'deactivated_at'])
      .where('licence_id', '=', licenceId)
      .execute();
    expect(sites).toEqual([
      { site_url: 'https://anonymised.invalid', deactivated_at: app.clock.now() },
    ]);
    const signedIn = await app.http.get('/customer/licences', { headers: bearer });
    expect(signedIn.status).toBe(401);
    const events = await db()
      .selectFrom('licence_events')
      .select(['actor', 'action'])
      .where('licence_id', '=', licenceId)
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { actor: 'test', action: 'issued' },
      { actor: 'licence key', action: 'activated' },
      { actor: 'test', action: 'revoked' },
    ]);
  });

  it('erases a customer whose licence has expired, but not with an active or suspended licence', async () => {
    const expired = await makeLicence(app.platform, { expiresAt: app.clock.now() + DAY_MS });
    const early = await erase({ email: expired.email });
    const kept = [
      {
        count: 1,
        ground: 'contract',
        reason:
          'needed while a licence has neither expired nor been revoked, or a subscription renews it',
      },
    ];
    expect(early.of('customers')).toMatchObject({ anonymised: 0, kept });
    expect(early.of('licences')).toMatchObject({ anonymised: 0, kept });
    expect(early.of('customers', 'manual')).toMatchObject({ status: 'waiting', kept });
    expect(await customerOf(expired.email)).toBeDefined();
    app.clock.advance(2 * DAY_MS);
    expect((await erase({ email: expired.email })).of('customers')).toMatchObject({
      anonymised: 1,
      kept: [],
    });
  });

  it('keeps a customer with a lifetime licence, whose grace period ends in the year 10000', async () => {
    const { email } = await makeLicence(app.platform, { expiresAt: NEVER, graceDays: 14 });
    const { of } = await erase({ email });
    expect(of('customers')).toMatchObject({
      status: 'done',
      kept: [{ count: 1, ground: 'contract' }],
    });
  });

  it('keeps a customer under a legal hold, and one whose site still uses a transferred licence', async () => {
    const held = await makeLicence(app.platform);
    await app.http.site('activate', held.key, SITE);
    await revokeLicence(app.platform, held.id, 'test');
    const { id } = await db()
      .selectFrom('activations')
      .innerJoin('customers', 'customers.id', 'activations.customer_id')
      .select('activations.id')
      .where('email', '=', held.email)
      .executeTakeFirstOrThrow();
    await app.platform.datastore.transaction((trx) =>
      insertLegalHold(trx, {
        dataCategory: 'activation_history',
        recordId: id,
        reason: 'a dispute',
        placedBy: 'test',
        createdAt: app.clock.now(),
      }),
    );
    const { of } = await erase({ email: held.email });
    expect(of('activation_history').kept).toMatchObject([{ count: 1, ground: 'legal_hold' }]);
    expect(of('customers').kept).toMatchObject([{ count: 1, ground: 'legal_hold' }]);

    const given = await makeLicence(app.platform);
    await app.http.site('activate', given.key, SITE);
    await transferLicence(app.platform, given.id, `new-of-${given.email}`, 'test');
    const giver = await erase({ email: given.email });
    expect(giver.of('customers').kept).toMatchObject([{ count: 1, ground: 'contract' }]);
    expect((await app.http.site('validate', given.key, SITE)).json.site_active).toBe(true);
    await app.http.site('deactivate', given.key, SITE);
    const again = await erase({ email: given.email });
    expect(again.of('customers')).toMatchObject({ anonymised: 1, kept: [] });
  });

  it('finds the records of a person in a source that has failed at first', async () => {
    const { email, id: licence } = await makeLicence(app.platform);
    await revokeLicence(app.platform, licence, 'test');
    const { id } = await dsarClient.request({ request_type: 'deletion', email });
    await put(id, { status: 'in_progress' });
    await dsarClient.admin('POST', `/dsar/cases/${id}/approve`, {});
    const tasks = async (): Promise<Task[]> =>
      (await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`)).json;
    const of = async (source: string) => (await tasks()).find((each) => each.source === source);
    const dsar = dsarClient.dsar();
    const retentionRules = () => Promise.reject(new Error('The database is busy.'));
    const busy = { ...dsar, site: { ...dsar.site, retentionRules } };
    const isNext = async (source: string) =>
      (await tasks()).find(({ status }) => status === 'pending')?.source === source;
    while (!(await isNext('audit_log'))) expect(await runDueTask(dsar, id)).toBe(true);
    await runDueTask(busy, id);
    while (await runDueTask(dsar, id)) {}
    expect(await of('customers')).toMatchObject({ status: 'pending' });
    app.clock.advance(MINUTE_MS);
    while (await runDueTask(dsar, id)) {}
    expect(await of('audit_log')).toMatchObject({ kept: [{ count: 2, ground: 'evidence' }] });
    expect(await of('customers')).toMatchObject({ status: 'done', anonymised: 1 });
  });

  it('keeps the account and the logs of a console user', async () => {
    const user = { login: 'wily', email: 'wily@example.com', role: 'administrator' as const };
    await createUser(app.platform, user, 'test');
    const { of } = await erase({ email: user.email });
    expect(of('users').kept).toMatchObject([{ count: 1, ground: 'console_account' }]);
    expect(of('users', 'manual').status).toBe('waiting');
    expect(of('user_log').kept).toMatchObject([{ count: 1, ground: 'evidence' }]);
    const rows = await db()
      .selectFrom('user_events')
      .select(['login', 'actor', 'action', 'details'])
      .where('login', '=', user.login)
      .execute();
    expect(rows).toEqual([
      { login: 'wily', actor: 'test', action: 'created', details: '{"role":"administrator"}' },
    ]);
  });

  it('records the withdrawal of an active consent before anonymising it', async () => {
    const consent = async (consent_action: string): Promise<string> => {
      const body = { visitor_id: randomUUID(), consent_action, visitor_token: true };
      return (await app.http.post('/wp-json/svc/v1/consent', { body })).json.visitor_token;
    };
    const stats = async () => (await dsarClient.admin('GET', '/consent/stats')).json;
    const agreed = await consent('accept_all');
    const refused = await consent('reject_all');
    const before = await stats();
    const { of } = await erase({ visitor_token: agreed });
    expect(of('consent_records')).toMatchObject({ anonymised: 2, kept: [] });
    const [, , withdrawal] = await db()
      .selectFrom('consent_records')
      .selectAll()
      .orderBy('id')
      .execute();
    expect(withdrawal).toMatchObject({
      consent_action: 'reject_all',
      categories_accepted: '["functional"]',
      source: null,
      anonymised_at: app.clock.now(),
    });
    expect(withdrawal?.visitor_id).toMatch(/^anonymised-/);
    expect((await stats()).by_action.reject_all).toBe(before.by_action.reject_all + 1);
    const records = await dsarClient.admin('GET', '/consent/records?consent_action=reject_all');
    expect(Number(records.headers.get('x-wp-total'))).toBe(before.by_action.reject_all + 1);
    const day = withdrawal?.day;
    expect(records.json[0]).toMatchObject({ id: withdrawal?.id, day, anonymised: true });
    // A rejected consent needs no withdrawal.
    expect((await erase({ visitor_token: refused })).of('consent_records').anonymised).toBe(1);
    expect((await stats()).by_action.reject_all).toBe(before.by_action.reject_all + 1);
  });

  it('keeps the withdrawal of a consent under a legal hold with it, and records it once', async () => {
    const visitor_id = randomUUID();
    const body = { visitor_id, consent_action: 'accept_all', visitor_token: true };
    const { json } = await app.http.post('/wp-json/svc/v1/consent', { body });
    const hold = { data_category: 'consent_records', record_id: json.id, reason: 'A dispute.' };
    const { json: placed } = await dsarClient.admin('POST', '/retention/holds', hold);
    const rejections = async () =>
      (await dsarClient.admin('GET', '/consent/stats')).json.by_action.reject_all;
    const before = await rejections();
    const kept = [{ count: 2, ground: 'legal_hold' }];
    const { visitor_token } = json;
    for (let erasure = 0; erasure < 3; erasure++) {
      const { of } = await erase({ visitor_token });
      expect(of('consent_records')).toMatchObject({ anonymised: 0, kept });
      const records = await dsarClient.admin('GET', `/consent/records?search=${visitor_id}`);
      expect(records.json).toMatchObject([
        { consent_action: 'reject_all', source: 'erasure' },
        { id: json.id, consent_action: 'accept_all' },
      ]);
      expect(await rejections()).toBe(before + 1);
    }
    await dsarClient.admin('DELETE', `/retention/holds/${placed.id}`, { reason: 'It is settled.' });
    const { of } = await erase({ visitor_token });
    expect(of('consent_records')).toMatchObject({ anonymised: 2, kept: [] });
    expect(await rejections()).toBe(before + 1);
  });

  it('keeps the activity of closed requests until retention anonymises it', async () => {
    const { id, email } = await dsarClient.request({
      request_type: 'objection',
      first_name: 'Ada',
    });
    await dsarClient.admin('POST', `/dsar/cases/${id}/events`, { note: 'Ada rang up' });
    await put(id, { status: 'in_progress' });
    await put(id, { status: 'rejected', reason: 'Ada is no customer', ground: 'unfounded' });
    const { of } = await erase({ email });
    expect(of('dsar_cases')).toMatchObject({ anonymised: 1, kept: [{ ground: 'open_request' }] });
    expect(of('dsar_events').kept.map(({ ground }) => ground)).toEqual([
      'open_request',
      'evidence',
    ]);
    const { login } = (await db()
      .selectFrom('users')
      .innerJoin('dsar_events', 'dsar_events.actor_id', 'users.id')
      .select('login')
      .where('case_id', '=', id)
      .executeTakeFirst()) ?? { login: '' };
    const events = async () =>
      await db()
        .selectFrom('dsar_events')
        .select(['actor', 'actor_id', 'action', 'details'])
        .where('case_id', '=', id)
        .orderBy('id')
        .execute();
    const kept = await events();
    expect(kept.map(({ actor, action }) => [actor, action])).toEqual([
      ['requestor', 'received'],
      [login, 'note'],
      [login, 'status_changed'],
      [login, 'status_changed'],
    ]);
    expect(JSON.parse(kept[3]?.details ?? '')).toEqual({
      from: 'in_progress',
      to: 'rejected',
      ground: 'unfounded',
    });
    expect(JSON.stringify(kept)).not.toContain('Ada');

    app.clock.advance(3 * 366 * DAY_MS);
    await dsarClient.admin('POST', '/retention/run', { dry_run: false });
    const left = await events();
    expect(left.map(({ actor, action, details }) => [actor, action, details])).toEqual([
      ['requestor', 'received', '{}'],
      [`user ${kept[1]?.actor_id}`, 'note', '{}'],
      [`user ${kept[1]?.actor_id}`, 'status_changed', '{}'],
      [`user ${kept[1]?.actor_id}`, 'status_changed', '{}'],
    ]);
  });
});

describe.each(ENGINES)('Retention of customers on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);

  it('anonymises customers whose last licence ended three years ago, and counts the same in a dry run', async () => {
    const { datastore } = app.platform;
    const at = Date.parse('2026-11-21T09:30:00.000Z');
    await makeLicence(app.platform, { expiresAt: at + DAY_MS });
    await makeLicence(app.platform, { email: 'renewed@example.com', expiresAt: at + DAY_MS });
    await makeLicence(app.platform, {
      email: 'renewed@example.com',
      expiresAt: at + 900 * DAY_MS,
    });
    const revoked = await makeLicence(app.platform);
    await revokeLicence(app.platform, revoked.id, 'test');
    await makeLicence(app.platform, { email: 'forever@example.com' });
    app.clock.advance(3 * 366 * DAY_MS);
    const { json } = await dsarClient.admin('GET', '/retention/policies?data_category=customers');
    const run = async (dry_run: boolean) =>
      (await dsarClient.admin('POST', '/retention/run', { dry_run, policy_id: json[0].id })).json;
    expect((await run(true)).total_affected).toBe(2);
    expect((await run(false)).total_affected).toBe(2);
    expect((await run(false)).total_affected).toBe(0);
    const rows = await datastore.db.selectFrom('customers').select('email').execute();
    const left = rows.map(({ email }) => email).filter((email) => email.includes('@'));
    expect(left.toSorted()).toEqual(['forever@example.com', 'renewed@example.com']);
  });
});
