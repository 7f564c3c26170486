import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';

const ROOT = '/wp-json/svc/v1/retention';

describe.each(ENGINES)('The change history of retention on %s', (engine) => {
  const app = useTestApp(engine);

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    const changes = async (query: string) => (await ask('GET', `/changes?${query}`)).json;
    return { ask, changes };
  }
  const policy = {
    name: 'Old choices',
    data_category: 'consent_records',
    period_value: 30,
    period_unit: 'days',
    action: 'anonymise',
  };

  it('records who created, updated and deleted a policy, with the fields before and after', async () => {
    const { ask, changes } = await setUp();
    const { json } = await ask('POST', '/policies', policy);
    app.clock.advance(60_000);
    await ask('PUT', `/policies/${json.id}`, { period_value: 60, action: 'delete' });
    await ask('PUT', `/policies/${json.id}`, { period_value: 60 });
    await ask('DELETE', `/policies/${json.id}`);
    const said = { ...policy, is_active: 1 };
    const since = { ...said, period_value: 60, action: 'delete' };
    const history = await changes(`subject=policy&subject_id=${json.id}`);
    const who = { actor: expect.stringMatching(/.+/), subject: 'policy', subject_id: json.id };
    const entry = { ...who, id: expect.any(Number), at: expect.any(String), reason: null };
    expect(history).toEqual([
      { ...entry, action: 'deleted', before: since, after: null },
      { ...entry, action: 'updated', before: said, after: since },
      { ...entry, action: 'created', before: null, after: said },
    ]);
    expect(Date.parse(history[1].at) - Date.parse(history[2].at)).toBe(60_000);
  });

  it('keeps lifted holds with actor, time and reason', async () => {
    const { ask, changes } = await setUp();
    const held = { data_category: 'consent_records', reason: 'A complaint is open.' };
    const { json: hold } = await ask('POST', '/holds', held);
    expect(hold).toMatchObject({ lifted_at: null, lifted_by: null, lifted_reason: null });
    const blank = await ask('DELETE', `/holds/${hold.id}`, { reason: '  ' });
    expect([blank.status, Object.keys(blank.json.data.params)]).toEqual([400, ['reason']]);
    app.clock.advance(60_000);
    const lifted = await ask('DELETE', `/holds/${hold.id}`, { reason: 'The complaint is closed.' });
    expect(lifted.status).toBe(200);
    const entry = {
      ...hold,
      lifted_at: new Date(app.clock.now()).toISOString(),
      lifted_by: hold.placed_by,
      lifted_reason: 'The complaint is closed.',
    };
    expect((await ask('GET', '/holds')).json).toEqual([]);
    expect((await ask('GET', '/holds?status=lifted')).json).toEqual([entry]);
    expect((await ask('DELETE', `/holds/${hold.id}`)).status).toBe(404);
    const covered = { data_category: 'consent_records', record_id: null };
    expect(await changes(`subject=hold&subject_id=${hold.id}`)).toMatchObject([
      {
        ...{ action: 'lifted', actor: hold.placed_by, reason: 'The complaint is closed.' },
        ...{ before: covered, after: null },
      },
      {
        ...{ action: 'placed', actor: hold.placed_by, reason: 'A complaint is open.' },
        ...{ before: null, after: covered },
      },
    ]);
    const { json: previews } = await ask('GET', '/policies');
    const id = previews.find(
      (each: { data_category: string }) => each.data_category === 'consent_records',
    ).id;
    await app.platform.datastore.db
      .insertInto('consent_records')
      .values({
        visitor_id: 'a-visitor',
        categories_accepted: '[]',
        categories_rejected: '[]',
        consent_action: 'manage',
        day: '2020-01-01',
        created_at: 0,
        config_version: 0,
        expires_at: 1,
        source: null,
        language: null,
        page_url: null,
        gpc: null,
      })
      .execute();
    const { json: preview } = await ask('GET', `/policies/${id}/preview`);
    expect([preview.records_affected, preview.records_held]).toEqual([1, 0]);
  });

  it('is anonymised by retention: names are removed, changes stay', async () => {
    const { ask, changes } = await setUp();
    const { json } = await ask('POST', '/policies', { ...policy, data_category: 'scan_findings' });
    app.clock.advance(4 * 366 * 86_400_000);
    const own = (await ask('GET', '/policies?data_category=retention_changes')).json[0];
    expect(own).toMatchObject({ is_active: 1, action: 'anonymise' });
    const run = await ask('POST', '/run', { dry_run: false, policy_id: own.id });
    expect(run.json.total_affected).toBeGreaterThan(0);
    expect(await changes(`subject=policy&subject_id=${json.id}`)).toMatchObject([
      { actor: 'anonymised', action: 'created', after: { data_category: 'scan_findings' } },
    ]);
  });

  it('is anonymised with the texts of lifted holds, whose entries are due, and of no others', async () => {
    const { ask, changes } = await setUp();
    const place = async (reason: string) =>
      (await ask('POST', '/holds', { data_category: 'scan_findings', reason })).json.id;
    const [old, recent, active] = [
      await place('Old'),
      await place('Recent'),
      await place('Active'),
    ];
    await ask('DELETE', `/holds/${old}`, { reason: 'Settled' });
    app.clock.advance(2 * 366 * 86_400_000);
    await ask('DELETE', `/holds/${recent}`, { reason: 'Settled, too' });
    app.clock.advance(2 * 366 * 86_400_000);
    const own = (await ask('GET', '/policies?data_category=retention_changes')).json[0];
    const list = async () => [
      ...(await ask('GET', '/holds?status=lifted')).json,
      ...(await ask('GET', '/holds')).json,
    ];
    const before = await list();
    const dry = (await ask('POST', '/run', { policy_id: own.id })).json;
    expect(await list()).toEqual(before);
    const real = (await ask('POST', '/run', { policy_id: own.id, dry_run: false })).json;
    expect(real.total_affected).toBe(dry.total_affected);
    const after = await list();
    const rest = (holds: { id: number }[]) => holds.filter(({ id }) => id !== old);
    expect(rest(after)).toEqual(rest(before));
    expect(rest(after).map(({ id }) => id)).toEqual(expect.arrayContaining([recent, active]));
    const { id, data_category, created_at, lifted_at } = before.find((each) => each.id === old);
    expect(after.find((each) => each.id === old)).toEqual({
      ...{ id, data_category, created_at, lifted_at, record_id: null },
      ...{ placed_by: 'anonymised', reason: 'anonymised' },
      ...{ lifted_by: 'anonymised', lifted_reason: null },
    });
    expect((await changes(`subject=hold&subject_id=${old}`))[0]).toMatchObject({
      ...{ action: 'lifted', actor: 'anonymised', reason: null },
    });
  });

  it('has a policy that also removes who started runs, once its hold is released', async () => {
    const { ask } = await setUp();
    const runPolicy = async (id: number, dryRun = false) =>
      (await ask('POST', '/run', { policy_id: id, dry_run: dryRun })).json.run_id;
    const starterOf = async (id: number) => (await ask('GET', `/runs/${id}`)).json.started_by;
    const own = (await ask('GET', '/policies?data_category=retention_changes')).json[0].id;
    const other = (await ask('POST', '/policies', policy)).json.id;
    const old = await runPolicy(other);
    app.clock.advance(4 * 366 * 86_400_000);
    const latest = await runPolicy(other);
    const login = await starterOf(latest);
    const body = { data_category: 'retention_changes', reason: 'A dispute' };
    const hold = (await ask('POST', '/holds', body)).json.id;
    await runPolicy(own);
    await ask('DELETE', `/holds/${hold}`);
    await runPolicy(own, true);
    expect(await starterOf(old)).toMatch(/^administrator-/);
    const run = await runPolicy(own);
    expect([await starterOf(old), await starterOf(latest), await starterOf(run)]).toEqual([
      'anonymised',
      login,
      login,
    ]);
    app.clock.advance(6 * 86_400_000);
    const deleting = { ...policy, data_category: 'retention_changes', action: 'delete' };
    const { id } = (await ask('POST', '/policies', { ...deleting, period_value: 5 })).json;
    await runPolicy(id);
    expect([await starterOf(latest), await starterOf(run)]).toEqual(['anonymised', 'anonymised']);
    await ask('DELETE', `/policies/${id}`);
  });

  it('keeps who started runs as old as an entry on legal hold, whichever policies overlap', async () => {
    const { ask, changes } = await setUp();
    const deleting = { ...policy, data_category: 'retention_changes', action: 'delete' };
    const period = { period_value: 5, period_unit: 'years' };
    const { json } = await ask('POST', '/policies', { ...deleting, ...period });
    const run = async () => (await ask('POST', '/run', { dry_run: false })).json.run_id;
    const starterOf = async (id: number) => (await ask('GET', `/runs/${id}`)).json.started_by;
    const old = await run();
    const [entry] = await changes(`subject=policy&subject_id=${json.id}`);
    app.clock.advance(2 * 366 * 86_400_000);
    const later = await run();
    app.clock.advance(4 * 366 * 86_400_000);
    const body = { data_category: 'retention_changes', record_id: entry.id, reason: 'A dispute' };
    const hold = (await ask('POST', '/holds', body)).json.id;
    await run();
    expect([await starterOf(old), await starterOf(later)]).toEqual([
      expect.stringMatching(/^administrator-/),
      'anonymised',
    ]);
    await ask('DELETE', `/holds/${hold}`);
    await run();
    expect(await starterOf(old)).toBe('anonymised');
    await ask('DELETE', `/policies/${json.id}`);
  });

  it('requires the administrator role', async () => {
    expect((await app.http.get(`${ROOT}/changes`)).status).toBe(401);
  });
});
