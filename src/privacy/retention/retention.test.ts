import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth, makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { PERSONAL_DATA } from '../../modules/personal-data.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { retentionJob, seedPolicies } from './index.ts';

const ROOT = '/wp-json/svc/v1';
const SITE = 'https://shop.example.org/path';

describe.each(ENGINES)('Retention on %s', (engine) => {
  const app = useTestApp(engine);
  let visitors = 0;

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: unknown) =>
      app.http.request(method, ROOT + path, { headers, ...(body === undefined ? {} : { body }) });
    // Each test creates its own policies and starts without due records.
    for (const { id } of (await ask('GET', '/retention/policies')).json) {
      await ask('DELETE', `/retention/policies/${id}`);
    }
    await app.platform.datastore.db.deleteFrom('consent_records').execute();
    const policy = async (more: object = {}) =>
      (
        await ask('POST', '/retention/policies', {
          name: 'Old decisions',
          data_category: 'consent_records',
          period_value: 30,
          period_unit: 'days',
          action: 'anonymise',
          ...more,
        })
      ).json;
    /** Records of visitors that expired so many days ago. */
    const records = async (...daysAgo: number[]) => {
      const now = app.clock.now();
      const rows = daysAgo.map((days) => ({
        visitor_id: `visitor-${++visitors}`,
        categories_accepted: '["functional"]',
        categories_rejected: '["analytics"]',
        consent_action: 'manage',
        day: '2024-01-01',
        created_at: now - (days + 365) * DAY_MS,
        config_version: 0,
        expires_at: now - days * DAY_MS,
        source: 'banner',
        language: 'en',
        page_url: 'https://example.org/a/person',
        gpc: 1 as const,
      }));
      await app.platform.datastore.db.insertInto('consent_records').values(rows).execute();
    };
    const stored = () =>
      app.platform.datastore.db.selectFrom('consent_records').selectAll().orderBy('id').execute();
    const run = async (body: object = { dry_run: false }) =>
      (await ask('POST', '/retention/run', body)).json;
    return { ask, policy, records, stored, run };
  }

  it('starts with the default policies', async () => {
    const headers = await basicAuth(app.platform);
    const { json } = await app.http.get(`${ROOT}/retention/policies`, { headers });
    const names = PERSONAL_DATA.flatMap(({ policy }) => policy?.name ?? []);
    expect(json.map(({ name }: { name: string }) => name)).toEqual(names);
    await seedPolicies(app.platform, PERSONAL_DATA);
    const { db } = app.platform.datastore;
    expect(await db.selectFrom('retention_policies').selectAll().execute()).toHaveLength(
      names.length,
    );
  });

  it('refuses delete policies for records that can only be anonymised', async () => {
    const { ask } = await setUp();
    const policy = { name: 'Customers', period_value: 1, period_unit: 'years' };
    const customers = { ...policy, data_category: 'customers' };
    const refused = await ask('POST', '/retention/policies', { ...customers, action: 'delete' });
    expect([refused.status, Object.keys(refused.json.data.params)]).toEqual([400, ['action']]);
    const made = await ask('POST', '/retention/policies', { ...customers, action: 'anonymise' });
    const path = `/retention/policies/${made.json.id}`;
    expect((await ask('PUT', path, { action: 'delete' })).status).toBe(400);
    expect((await ask('GET', path)).json.action).toBe('anonymise');
    await ask('DELETE', path);
  });

  it('creates, returns, updates and deletes policies', async () => {
    const { ask, policy } = await setUp();
    const { status, headers, json } = await ask('POST', '/retention/policies', {
      name: 'Decisions',
      data_category: 'consent_records',
      period_value: 13,
      period_unit: 'months',
      action: 'anonymise',
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.any(Number),
      name: 'Decisions',
      data_category: 'consent_records',
      period_value: 13,
      period_unit: 'months',
      action: 'anonymise',
      is_active: 1,
      last_run_at: null,
      created_at: '2026-11-21T09:30:00.000Z',
      updated_at: '2026-11-21T09:30:00.000Z',
    });
    const path = `/retention/policies/${json.id}`;
    expect(headers.get('location')).toBe(`${app.url}${ROOT}${path}`);
    expect((await ask('GET', path)).json).toEqual(json);

    const changed = await ask('PUT', path, { period_value: 2, is_active: 0 });
    expect(changed.json).toEqual({ ...json, period_value: 2, is_active: 0 });
    const other = await policy({ data_category: 'audit_log' });
    const ids = async (query: string) =>
      (await ask('GET', `/retention/policies${query}`)).json.map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([json.id, other.id]);
    expect(await ids('?active_only=1')).toEqual([other.id]);
    expect(await ids('?active_only=0')).toEqual([json.id, other.id]);
    expect(await ids('?data_category=consent_records')).toEqual([json.id]);
    expect(await ids('?data_category=nothing')).toEqual([]);

    const removed = await ask('DELETE', path);
    expect(removed.json).toEqual({ deleted: true, previous: changed.json });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await ask(method, path, method === 'PUT' ? {} : undefined)).json).toMatchObject({
        code: 'not_found',
        data: { status: 404 },
      });
    }
  });

  it.each([
    ['an unknown category', { data_category: 'letters' }, 'data_category'],
    ['an unknown action', { action: 'archive' }, 'action'],
    ['an unknown unit', { period_unit: 'weeks' }, 'period_unit'],
    ['a period of zero', { period_value: 0 }, 'period_value'],
    ['more than a hundred years', { period_value: 101, period_unit: 'years' }, 'period_value'],
    ['an empty name', { name: '' }, 'name'],
  ])('rejects a policy with %s', async (_what, wrong, parameter) => {
    const { ask, policy } = await setUp();
    const given = { name: 'x', data_category: 'audit_log', period_value: 1, period_unit: 'days' };
    const body = { ...given, action: 'delete', ...wrong };
    const refusal = {
      code: 'rest_invalid_param',
      data: { params: { [parameter]: expect.any(String) } },
    };
    expect((await ask('POST', '/retention/policies', body)).json).toMatchObject(refusal);
    const { id, ...before } = await policy();
    const path = `/retention/policies/${id}`;
    expect((await ask('PUT', path, wrong)).json).toMatchObject(refusal);
    expect((await ask('GET', path)).json).toMatchObject(before);
  });

  it('runs dry by default', async () => {
    const { ask, policy, records, stored, run } = await setUp();
    const { id } = await policy();
    await records(40, 31, 30, 29);
    const before = await stored();
    for (const body of [{}, { dry_run: true }, { dry_run: 'true' }, { dry_run: 1 }]) {
      const { status, json } = await ask('POST', '/retention/run', body);
      expect(status).toBe(200);
      expect(json).toEqual({
        results: [
          {
            policy_id: id,
            policy_name: 'Old decisions',
            data_category: 'consent_records',
            action: 'anonymise',
            due_before: '2026-10-22T09:30:00.000Z',
            records_affected: 2,
            records_held: 0,
            error: null,
          },
        ],
        policies_run: 1,
        total_affected: 2,
        as_of: '2026-11-21T09:30:00.000Z',
        dry_run: true,
        run_id: null,
      });
    }
    expect(await stored()).toEqual(before);
    expect((await ask('GET', '/retention/runs')).json).toEqual([]);
    expect((await ask('GET', `/retention/policies/${id}`)).json.last_run_at).toBeNull();
    expect(await run()).toMatchObject({ total_affected: 2, dry_run: false });
    expect(await run()).toMatchObject({ policies_run: 1, total_affected: 0 });
  });

  it('anonymises personal data and keeps the rest', async () => {
    const { ask, policy, records, stored, run } = await setUp();
    const { id } = await policy();
    await records(40, 40, 20);
    const before = await stored();
    const { run_id } = await run();
    const [one, two, young] = await stored();
    expect(young).toEqual(before[2]);
    expect(one).toEqual({
      ...before[0],
      visitor_id: expect.stringMatching(/^anonymised-[0-9a-f]{32}$/),
      salt: null,
      personal_hash: expect.any(Uint8Array),
      created_at: Date.parse('2025-10-12T00:00:00.000Z'),
      expires_at: Date.parse('2026-10-12T23:59:59.999Z'),
      source: null,
      language: null,
      page_url: null,
      gpc: null,
      anonymised_at: app.clock.now(),
    });
    expect(two?.visitor_id).not.toBe(one?.visitor_id);
    const { json } = await ask('GET', '/retention/runs');
    expect(json[0]).toEqual({
      id: run_id,
      status: 'finished',
      started_by: expect.stringMatching(/^administrator-/),
      started_at: '2026-11-21T09:30:00.000Z',
      finished_at: '2026-11-21T09:30:00.000Z',
      results: [expect.objectContaining({ policy_id: id, records_affected: 2, error: null })],
      policies_run: 1,
      total_affected: 2,
      as_of: '2026-11-21T09:30:00.000Z',
    });
    expect((await ask('GET', `/retention/runs/${run_id}`)).json).toEqual(json[0]);
    const after = await ask('GET', `/retention/policies/${id}`);
    expect(after.json.last_run_at).toBe('2026-11-21T09:30:00.000Z');
  });

  it('deletes records, including anonymised ones, and keeps the statistics', async () => {
    const { ask, policy, records, stored, run } = await setUp();
    const decision = {
      categories_accepted: [],
      categories_rejected: [],
      consent_action: 'accept_all',
    };
    for (const visitor_id of ['a', 'b']) {
      await app.http.post(`${ROOT}/consent`, { body: { visitor_id, ...decision } });
    }
    await records(40);
    await policy();
    await run();
    await policy({ action: 'delete' });
    const stats = (await ask('GET', '/consent/stats')).json;
    app.clock.advance(366 * DAY_MS);
    expect(await run()).toMatchObject({ total_affected: 1 });
    app.clock.advance(30 * DAY_MS);
    const { results } = await run();
    expect(results.map((each: { records_affected: number }) => each.records_affected)).toEqual([
      0, 2,
    ]);
    expect(await stored()).toEqual([]);
    app.clock.advance(-396 * DAY_MS);
    expect((await ask('GET', '/consent/stats')).json).toEqual(stats);
    const { db } = app.platform.datastore;
    const counts = await db
      .selectFrom('consent_daily')
      .selectAll()
      .where('removed', '>', 0)
      .execute();
    expect(counts).toEqual([
      { day: '2026-11-21', consent_action: 'accept_all', total: expect.any(Number), removed: 2 },
    ]);
  });

  it('does not change the age of anonymised records', async () => {
    const { policy, records, stored, run } = await setUp();
    await policy();
    await policy({ action: 'delete', period_value: 40 });
    // Exactly as old as the longer period, so not due.
    await records(40);
    expect(await run()).toMatchObject({ total_affected: 1 });
    expect(await run()).toMatchObject({ total_affected: 0 });
    expect(await stored()).toHaveLength(1);
  });

  it('applies the delete policy to a record with two policies, in both modes', async () => {
    const { policy, records, run } = await setUp();
    await policy({ name: 'anonymise' });
    await policy({ name: 'delete', action: 'delete', period_value: 60 });
    await policy({ name: 'delete early', action: 'delete', period_value: 90 });
    await records(100, 70, 50, 40, 10);
    const outcomes = ({ results }: { results: object[] }) =>
      results.map((result) => Object.values(result).filter((_, at) => at === 1 || at === 5));
    const expected = [
      ['anonymise', 2],
      ['delete', 2],
      ['delete early', 0],
    ];
    expect(outcomes(await run({}))).toEqual(expected);
    expect(outcomes(await run())).toEqual(expected);
    expect(outcomes(await run())).toEqual(expected.map(([name]) => [name, 0]));
  });

  it('runs a single policy, skips an inactive one and returns 404 for an unknown one', async () => {
    const { ask, policy, records, run } = await setUp();
    await policy({ action: 'delete' });
    const one = await policy();
    const inactive = await policy({ is_active: 0 });
    await records(40);
    for (const dry_run of [true, false]) {
      expect(await run({ dry_run, policy_id: one.id })).toMatchObject({
        policies_run: 1,
        total_affected: 1,
      });
      expect(await run({ dry_run, policy_id: inactive.id })).toEqual({
        results: [],
        policies_run: 0,
        total_affected: 0,
        as_of: expect.any(String),
        dry_run,
        run_id: null,
      });
      const unknown = await ask('POST', '/retention/run', { dry_run, policy_id: 999_999 });
      expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
      for (const policy_id of [0, -1, 'one', 1.5, 1e300]) {
        const { status, json } = await ask('POST', '/retention/run', { dry_run, policy_id });
        expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
      }
    }
    expect((await ask('POST', '/retention/run', { dry_run: 'maybe' })).status).toBe(400);
  });

  it('returns 400 for a blank name of a policy, on creation and update', async () => {
    const { ask, policy } = await setUp();
    const { id } = await policy();
    expect((await policy({ name: '  ' })).data.params).toEqual({
      name: 'name must not be blank or contain control characters.',
    });
    const { status, json } = await ask('PUT', `/retention/policies/${id}`, { name: '\n' });
    expect([status, Object.keys(json.data.params)]).toEqual([400, ['name']]);
  });

  it('skips and counts records under a legal hold', async () => {
    const { ask, policy, records, stored, run } = await setUp();
    const { id } = await policy({ action: 'delete' });
    await records(40, 41, 42);
    const [first] = await stored();
    const hold = await ask('POST', '/retention/holds', {
      data_category: 'consent_records',
      record_id: first?.id,
      reason: 'A dispute',
    });
    expect(hold.status).toBe(201);
    const mistyped = { data_category: 'consent_records', record_id: 999_999, reason: 'A dispute' };
    const { status, json } = await ask('POST', '/retention/holds', mistyped);
    expect([status, json.data.params]).toEqual([
      400,
      { record_id: 'There is no record 999999 of the category consent_records.' },
    ]);
    const blank = { ...mistyped, record_id: first?.id, reason: ' \u00a0' };
    const refused = await ask('POST', '/retention/holds', blank);
    expect([refused.status, refused.json.data.params]).toEqual([
      400,
      { reason: 'reason must not be blank or contain control characters.' },
    ]);
    expect((await ask('GET', '/retention/holds')).json).toEqual([hold.json]);
    expect(await run({})).toMatchObject({ results: [{ records_affected: 2, records_held: 1 }] });
    const preview = await ask('GET', `/retention/policies/${id}/preview`);
    expect(preview.json).toMatchObject({ records_affected: 2, records_held: 1 });
    expect(await run()).toMatchObject({ results: [{ records_affected: 2, records_held: 1 }] });
    expect(await stored()).toEqual([first]);

    await records(50);
    const all = await ask('POST', '/retention/holds', {
      data_category: 'consent_records',
      reason: 'An audit',
    });
    expect(await run()).toMatchObject({ results: [{ records_affected: 0, records_held: 2 }] });
    for (const { json } of [all, hold]) {
      const lifted = await ask('DELETE', `/retention/holds/${json.id}`);
      expect(lifted.json).toEqual({ deleted: true, previous: json });
      expect((await ask('DELETE', `/retention/holds/${json.id}`)).status).toBe(404);
    }
    expect(await run()).toMatchObject({ results: [{ records_affected: 2, records_held: 0 }] });
  });

  it('previews active and inactive policies by ages and ids', async () => {
    const { ask, policy, records, stored } = await setUp();
    const { id } = await policy({ is_active: 0 });
    await records(31, 40, 100, 200, 500, 5);
    const ids = (await stored()).map((record) => record.id);
    const { json, text } = await ask('GET', `/retention/policies/${id}/preview`);
    expect(json).toEqual({
      policy: expect.objectContaining({ id, is_active: 0 }),
      as_of: '2026-11-21T09:30:00.000Z',
      due_before: '2026-10-22T09:30:00.000Z',
      records_affected: 5,
      records_held: 0,
      oldest: '2025-07-09T09:30:00.000Z',
      ages: [
        { from_days: 0, to_days: 30, records: 2 },
        { from_days: 30, to_days: 90, records: 1 },
        { from_days: 90, to_days: 365, records: 1 },
        { from_days: 365, to_days: null, records: 1 },
      ],
      sample_ids: [ids[4], ids[3], ids[2], ids[1], ids[0]],
    });
    expect(text).not.toContain('visitor');
  });

  it('previews the customers that a dry run counts, also if their licence ended between two age ranges', async () => {
    const { ask, policy, run } = await setUp();
    const { db } = app.platform.datastore;
    const now = app.clock.now();
    const email = `ended-${engine}@example.com`;
    // The licence ran at the end of the age range, but not at the end of the period.
    await makeLicence(app.platform, { email, expiresAt: now - 40 * DAY_MS });
    const customers = db.updateTable('customers').where('email', '=', email);
    await customers.set({ active_until: now - 70 * DAY_MS }).execute();
    const { id } = await policy({ data_category: 'customers' });
    const { json } = await ask('GET', `/retention/policies/${id}/preview`);
    expect(json).toMatchObject({ records_affected: 1, sample_ids: [expect.any(Number)] });
    expect(json.ages[1]).toEqual({ from_days: 30, to_days: 90, records: 1 });
    expect(await run({})).toMatchObject({ total_affected: 1 });
    expect(await run()).toMatchObject({ total_affected: 1 });
  });

  it('continues with other policies if one fails', async () => {
    const { ask, policy, records, run } = await setUp();
    const { db } = app.platform.datastore;
    await policy({ data_category: 'activation_history' });
    await policy();
    await records(40);
    await db.schema.alterTable('activations').renameTo('activations_away').execute();
    try {
      for (const dry_run of [true, false]) {
        expect(await run({ dry_run })).toMatchObject({
          results: [
            { records_affected: 0, error: expect.stringContaining('log') },
            { records_affected: 1, error: null },
          ],
          total_affected: 1,
        });
      }
      const policies = (await ask('GET', '/retention/policies')).json;
      expect(policies[0].last_run_at).toBeNull();
      const alone = await ask('POST', '/retention/run', {
        dry_run: false,
        policy_id: policies[0].id,
      });
      expect([alone.status, alone.json.code]).toEqual([500, 'update_failed']);
      expect(alone.text).not.toContain('activations');
    } finally {
      await db.schema.alterTable('activations_away').renameTo('activations').execute();
    }
  });

  it('does not change activation slots by anonymising deactivated sites', async () => {
    const { policy, run } = await setUp();
    const { key } = await makeLicence(app.platform);
    await app.http.site('activate', key, SITE);
    await app.http.site('activate', key, `${SITE}/2`);
    await app.http.site('deactivate', key, SITE);
    await policy({ data_category: 'activation_history' });
    app.clock.advance(31 * DAY_MS);
    expect(await run()).toMatchObject({ total_affected: 1 });
    const { json } = await app.http.site('validate', key, `${SITE}/2`);
    expect(json).toMatchObject({ valid: true, sites_used: 1, site_active: true });
    app.clock.advance(-31 * DAY_MS);
  });

  it('lets extensions exclude policies from a run, and publishes the result', async () => {
    const { policy, records, run } = await setUp();
    await policy({ name: 'frozen' });
    await policy({ name: 'goes on' });
    await records(40);
    const told: unknown[] = [];
    const { hooks } = app.platform;
    const removals = [
      hooks.addFilter('svc_retention_policies', (all) =>
        all.filter(({ name }) => name !== 'frozen'),
      ),
      hooks.addAction('svc_retention_run', (result) => told.push(result)),
    ];
    expect(await run({})).toMatchObject({ policies_run: 1, total_affected: 1 });
    expect(await run()).toMatchObject({ results: [{ policy_name: 'goes on' }] });
    for (const remove of removals) remove();
    const result = {
      policy_name: 'goes on',
      data_category: 'consent_records',
      action: 'anonymise',
      records_affected: 1,
    };
    const summary = { results: [result], policies_run: 1, total_affected: 1 };
    expect(told).toEqual([
      { ...summary, dry_run: true },
      { ...summary, dry_run: false },
    ]);
  });

  it('runs every night', async () => {
    const { ask, policy, records } = await setUp();
    const { platform, clock } = app;
    await policy();
    await records(40);
    const job = retentionJob(platform, { personalData: PERSONAL_DATA, timeZone: 'UTC' });
    expect(await job.runIfDue()).toBe(false);
    clock.advance(DAY_MS);
    expect(await job.runIfDue()).toBe(true);
    expect(await job.runIfDue()).toBe(false);
    const [latest] = (await ask('GET', '/retention/runs')).json;
    expect(latest).toMatchObject({ started_by: 'schedule', total_affected: 1 });
    clock.advance(-DAY_MS);
  });

  it('returns the time of the next scheduled run', async () => {
    const { ask } = await setUp();
    const { platform, clock } = app;
    const getNextRun = async () => (await ask('GET', '/retention/status')).json.next_run_at;
    const now = new Date(clock.now());
    await platform.datastore.db.deleteFrom('jobs').where('name', '=', 'retention').execute();
    const nextNight = new Date(now).setUTCHours(27, 0, 0, 0);
    expect(await getNextRun()).toBe(new Date(nextNight).toISOString());
    const row = { name: 'retention', next_at: now.getTime() + DAY_MS / 2, leased_until: 0 };
    await platform.datastore.db.insertInto('jobs').values(row).execute();
    expect(await getNextRun()).toBe(new Date(row.next_at).toISOString());
    clock.advance(DAY_MS);
    expect(await getNextRun()).toBe(new Date(clock.now()).toISOString());
    clock.advance(-DAY_MS);
    await platform.datastore.db.deleteFrom('jobs').where('name', '=', 'retention').execute();
  });

  it('lists the data categories', async () => {
    const { ask } = await setUp();
    const { json } = await ask('GET', '/retention/categories');
    expect(json[0]).toEqual({
      slug: 'consent_records',
      label: 'Consent records',
      counted_from: 'expires_at',
    });
    expect(json.map(({ slug }: { slug: string }) => slug)).not.toContain('users');
  });

  it('requires the administrator role', async () => {
    for (const [method, path] of [
      ['GET', '/retention/policies'],
      ['POST', '/retention/policies'],
      ['POST', '/retention/run'],
      ['GET', '/retention/runs'],
      ['GET', '/retention/holds'],
    ] as const) {
      const { status, json } = await app.http.request(method, ROOT + path);
      expect([status, json.code]).toEqual([401, 'rest_forbidden']);
    }
  });
});
